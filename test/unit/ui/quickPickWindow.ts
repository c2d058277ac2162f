import type { QuickPick, QuickPickItem } from "vscode";

/** `QuickPickItemKind.Separator`. */
const SEPARATOR = -1;

/** A heading in a list. */
export function separator(label: string): QuickPickItem {
  const heading: QuickPickItem = { label };
  Object.assign(heading, { kind: SEPARATOR });
  return heading;
}

/** An item with its place. */
type Placed = QuickPickItem & { readonly handle: number };

/** What the window is sent, in the order of its keys. */
interface Update {
  items?: readonly Placed[];
  activeItems?: readonly number[];
}

type Told = readonly QuickPickItem[];

/**
 * A quick pick as VS Code has it, of which a test says when the window gets what it is sent, and when the extension hears
 * what the window tells: the extension host sends by a timer, tells lines by their places, and has only the last list; the
 * window makes the first line active and then the one it is given, if it is shown, and tells of it only where it changed
 * (`extHostQuickOpen.ts`, `mainThreadQuickOpen.ts` and `quickInput.ts` of VS Code 1.107 to 1.139).
 */
export class QuickPickWindow<Item extends QuickPickItem> {
  readonly #toWindow: (() => void)[] = [];
  readonly #toHost: (() => void)[] = [];
  readonly #listeners = { active: [] as ((told: Told) => void)[], selection: [] as ((told: Told) => void)[] };
  #items: readonly Item[] = [];
  #update: Update = {};
  #isSending = false;
  #value = "";
  #lines: readonly Placed[] = [];
  /** The place of the active line that the window has told of. */
  #focused: number | undefined;
  /** What the editor takes for active, though what is typed may hide it. */
  #active: number | undefined;
  #typed = "";
  /** Is told of each Enter. */
  readonly #accepted: () => void;

  constructor(accepted: () => void) {
    this.#accepted = accepted;
  }

  readonly input = this.#asInput();

  #asInput(): QuickPick<Item> {
    const listen = (name: "active" | "selection") => (listener: (told: Told) => void) => {
      this.#listeners[name].push(listener);
      return { dispose: () => undefined };
    };
    const setItems = (items: readonly Item[]) => {
      this.#items = items;
      this.#send({ items: items.map((item, handle) => ({ ...item, handle })) });
    };
    const setActive = (lines: readonly Item[]) => {
      this.#send({ activeItems: lines.map((line) => this.#items.indexOf(line)) });
    };
    const value = () => this.#value;
    const input = {
      onDidChangeActive: listen("active"),
      onDidChangeSelection: listen("selection"),
      get value() {
        return value();
      },
      set items(items: readonly Item[]) {
        setItems(items);
      },
      set activeItems(lines: readonly Item[]) {
        setActive(lines);
      },
    };
    return input as unknown as QuickPick<Item>;
  }

  /** How many items the list has, with what stands at the places of others. */
  get length(): number {
    return this.#items.length;
  }

  #send(update: Update): void {
    Object.assign(this.#update, update);
    if (this.#isSending) return;
    this.#isSending = true;
    setTimeout(() => {
      this.#isSending = false;
      const sent = this.#update;
      this.#update = {};
      this.#toWindow.push(() => this.#draw(sent));
    }, 0);
  }

  /** Is answered behind what the window was sent before, and what it has told. */
  readonly ask = (): Promise<void> =>
    new Promise((resolve) => this.#toWindow.push(() => this.#toHost.push(() => resolve())));

  #draw(update: Update): void {
    for (const name of Object.keys(update))
      if (name === "items" && update.items) {
        this.#lines = update.items;
        const { shown } = this;
        // The line that was active is gone with its list; of none after it is told where there was one.
        if (shown[0]) this.#focused = undefined;
        this.#focus(shown[0]?.handle);
      } else if (name === "activeItems") {
        const place = update.activeItems?.[0];
        this.#active = place;
        this.#focus(this.shown.find(({ handle }) => handle === place)?.handle, false);
      }
  }

  /** The lines on the screen. */
  get shown(): readonly Placed[] {
    return this.#lines.filter(({ kind, label }) => Number(kind) !== SEPARATOR && label.includes(this.#typed));
  }

  /** The active line on the screen. */
  get focused(): QuickPickItem | undefined {
    return this.#lines.find(({ handle }) => handle === this.#focused);
  }

  #focus(place: number | undefined, isActiveThen = true): void {
    if (place === this.#focused) return;
    this.#focused = place;
    if (isActiveThen || place !== undefined) this.#active = place;
    this.#tell("active", place);
  }

  #tell(name: "active" | "selection", place: number | undefined): void {
    this.#toHost.push(() => {
      const item = place === undefined ? undefined : this.#items[place];
      for (const listener of this.#listeners[name]) listener(item ? [item] : []);
    });
  }

  /** A person presses an arrow. */
  move(by: 1 | -1): void {
    const { shown } = this;
    const at = shown.findIndex(({ handle }) => handle === this.#focused);
    this.#focus(shown.at((Math.max(at, by < 0 ? 0 : -1) + by) % shown.length)?.handle);
  }

  /** A person types, and deletes what was there. */
  type(text: string): void {
    this.#typed = text;
    this.#focus(this.shown[0]?.handle);
    this.#toHost.push(() => (this.#value = text));
  }

  /** A person presses Enter. */
  enter(): void {
    if (this.#active !== undefined) this.#tell("selection", this.#active);
    this.#toHost.push(this.#accepted);
  }

  /** The window gets what it was sent. */
  gets(): void {
    for (const one of this.#toWindow.splice(0)) one();
  }

  /** The extension hears what the window told. */
  async hears(): Promise<void> {
    for (const one of this.#toHost.splice(0)) one();
    for (let turns = 0; turns < 4; turns++) await Promise.resolve();
  }
}
