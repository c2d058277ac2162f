import type { QuickPick, QuickPickItem } from "vscode";

/** A list that the window has on the screen, or may have. */
interface GivenList<Item> {
  /** The place of its first line among the items of the input. */
  readonly from: number;
  readonly lines: readonly Item[];
  /** The lines that the editor was given as the active one, until it tells of them or the window has answered. */
  given: readonly { readonly line: Item }[];
  /** Whether the editor told of any of its lines. */
  isDrawn: boolean;
}

/** Lines, and which of them becomes the active one, if any: else the editor chooses it. */
interface NextList<Item> {
  readonly lines: readonly Item[];
  readonly active?: Item | undefined;
}

/** What an Enter, or a click, was pressed on. */
interface PressedLine<Item> {
  /** The active line on the screen, which may be one of a list before. */
  readonly shown: Item;
  /** The line of this list that stands for it, the very same where it is one of this list; none where it is gone. */
  readonly line: Item | undefined;
  /** Whether the editor told before that it is the active one. */
  readonly isCertain: boolean;
}

/** What a list goes by. */
interface ListOptions<Item> {
  /** The line among these that is the same as a line of a list before. */
  readonly alike: (line: Item, lines: readonly Item[]) => Item | undefined;
  /** A separator without words, a new one each time. */
  readonly separator: () => Item;
  /** Resolves once the window has told what it had to tell before it was asked. */
  readonly askWindow: () => Thenable<unknown>;
  /**
   * Is told the active line of this list, or that none is active.
   *
   * @param isMove whether a person may have gone there; else it comes of a line that was made the active one
   */
  readonly told: (line: Item | undefined, isMove: boolean) => void;
}

/**
 * The lines of a quick pick whose list is replaced while it is open, and which of them is active on the screen.
 *
 * The editor tells a line by its place among the items (`ExtHostQuickPick`, `src/vs/workbench/api/common/extHostQuickOpen.ts`
 * of VS Code), and the window may tell of a list when this thread has given it another one already. So each list gets places
 * that belong to no list which may still be on the screen, and at the places of those stand separators without words, of
 * which the editor draws nothing above the first line. Whatever is told, it is known of which line of which list.
 */
export class ListOnScreen<Item extends QuickPickItem> {
  readonly #input: QuickPick<Item>;
  readonly #options: ListOptions<Item>;
  /** The lists that may be on the screen; the last one is the one that was given last. */
  #lists: GivenList<Item>[] = [];
  /** The items of the input, by whose places the editor tells. */
  #items: readonly Item[] = [];
  /** What the editor told last, of whatever list: its active line, or none. */
  #told: { readonly line: Item | undefined } | undefined;
  /** The line that the editor told of as chosen, which it does right before it tells of the Enter. */
  #chosen: Item | undefined;
  /** Where the person is, in whatever list: a line that they went to becomes active in each list that comes. */
  #at: Item | undefined;
  /** Runs until the editor has sent what it was given, with which it would mix what it is given meanwhile. */
  #sending: NodeJS.Timeout | undefined;
  #nextList: (() => NextList<Item>) | undefined;
  #nextActive: Item | undefined;
  #isOver = false;

  constructor(input: QuickPick<Item>, options: ListOptions<Item>) {
    this.#input = input;
    this.#options = options;
    input.onDidChangeActive(([item]) => this.#tells(item));
    input.onDidChangeSelection(([item]) => (this.#chosen = item && this.#lineAt(item)?.line));
  }

  /** The lines of the list that was given last. */
  get lines(): readonly Item[] {
    return this.#lists.at(-1)?.lines ?? [];
  }

  /** Where the person is among these lines, if any of them stands for that. */
  placeAmong(lines: readonly Item[]): Item | undefined {
    // The editor tells nothing of a list that is shown from its first line on.
    const { kind: separator } = this.#options.separator();
    const first = this.#told ? undefined : this.lines.find(({ kind }) => kind !== separator);
    const line = this.#at ?? first;
    return line && this.#among(lines, line);
  }

  #among(lines: readonly Item[], line: Item): Item | undefined {
    return lines.includes(line) ? line : this.#options.alike(line, lines);
  }

  /**
   * Replaces the list, at once or as soon as the editor has sent what it was given; of lists that wait the last one is given.
   *
   * @param make is called then
   */
  give(make: () => NextList<Item>): void {
    this.#nextList = make;
    this.#giveNext();
  }

  /** Makes a line the active one. */
  activate(line: Item): void {
    this.#nextActive = line;
    this.#giveNext();
  }

  #giveNext(): void {
    if (this.#isOver || this.#sending !== undefined) return;
    const next = this.#nextList;
    if (next) {
      this.#nextList = undefined;
      this.#give(next());
      return;
    }
    const active = this.#nextActive && this.#among(this.lines, this.#nextActive);
    this.#nextActive = undefined;
    const shown = this.#lists.at(-1);
    if (active && shown) this.#send(shown, active);
  }

  #give({ lines, active }: NextList<Item>): void {
    const from = this.#freePlace(lines.length);
    const list: GivenList<Item> = { from, lines, given: [], isDrawn: false };
    this.#lists.push(list);
    const items = Array.from(
      { length: this.#end },
      (_, place) => lines[place - from] ?? this.#options.separator(),
    );
    this.#items = items;
    this.#input.items = items;
    this.#send(list, active);
  }

  /** The first place from which on so many lines have none of a list that may be on the screen. */
  #freePlace(count: number): number {
    return this.#lists.every(({ from }) => count <= from) ? 0 : this.#end;
  }

  /** The place behind all lists that may be on the screen. */
  get #end(): number {
    return this.#lists.reduce((end, { from, lines }) => Math.max(end, from + lines.length), 0);
  }

  /** What the editor tells of, and the list that it is a line of. */
  #lineAt(item: Item): { readonly line: Item; readonly list: GivenList<Item> } | undefined {
    const place = this.#items.indexOf(item);
    const list = this.#lists.find(({ from, lines }) => from <= place && place < from + lines.length);
    const line = list?.lines[place - list.from];
    return list && line && { line, list };
  }

  #send(list: GivenList<Item>, active: Item | undefined): void {
    const given = active && { line: active };
    if (given) {
      list.given = [...list.given, given];
      this.#at = active;
      this.#input.activeItems = [active];
    }
    // Behind the editor's own timer, which sends what it was given.
    this.#sending = setTimeout(() => {
      this.#sending = undefined;
      // A window that can't be asked has told nothing.
      this.#options.askWindow().then(
        () => this.#answeredBehind(list, given),
        () => undefined,
      );
      this.#giveNext();
    }, 0);
  }

  /** The window has told what it had to tell before it drew this list, or made a line of it the active one. */
  #answeredBehind(list: GivenList<Item>, given: GivenList<Item>["given"][number] | undefined): void {
    this.#lists.splice(0, this.#lists.indexOf(list));
    if (!given) return;
    list.given = list.given.slice(list.given.indexOf(given) + 1);
    if (this.#isOver || list !== this.#lists.at(-1) || list.given.length > 0 || this.#nextList) return;
    // A line that does not match what is typed was hidden when it became active: the editor is to choose another one.
    if (this.#told && !this.#told.line) this.give(() => ({ lines: this.lines }));
  }

  #tells(item: Item | undefined): void {
    const found = item && this.#lineAt(item);
    this.#told = { line: found?.line };
    const current = this.#lists.at(-1);
    if (!found) {
      this.#at = undefined;
      this.#options.told(undefined, current?.given.length === 0);
      return;
    }
    const { line, list } = found;
    const isMove = list.given.length === 0;
    // Of a list that is being drawn its first line is told, then the one that it was given with it, and then others.
    const awaited = list.isDrawn ? list.given : list.given.slice(0, 1);
    const given = awaited.findIndex((one) => one.line === line);
    const isDrawing = !list.isDrawn || given >= 0;
    list.isDrawn = true;
    list.given = list.given.slice(given + 1);
    const at = isDrawing && this.#at ? this.#among(list.lines, this.#at) : undefined;
    if (!at) this.#at = isDrawing ? (list.given.at(-1)?.line ?? line) : line;
    if (list !== current) return;
    if (at && at !== line && list.given.length === 0) this.activate(at);
    this.#options.told(line, isMove);
  }

  /** What the Enter that the editor tells of was pressed on, once; nothing where no line was active on the screen. */
  pressed(): PressedLine<Item> | undefined {
    const shown = this.#chosen;
    this.#chosen = undefined;
    // A line that the editor was given as the active one is chosen even where what is typed hides it.
    if (!shown || (this.#told && !this.#told.line)) return undefined;
    return {
      shown,
      line: this.#among(this.lines, shown),
      isCertain: this.#told === undefined || this.#told.line === shown,
    };
  }

  /** Gives the editor nothing any more. */
  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#sending);
  }
}
