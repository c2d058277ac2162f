import type { QuickPick, QuickPickItem } from "vscode";

/**
 * So long a list waits for the editor to tell of the one before, which it does at once where it tells of it at all, and then
 * until the window has answered: one that stood still meanwhile tells later.
 */
const MAX_DRAWING_MS = 1_000;

/** `QuickPickItemKind.Separator`. */
const SEPARATOR = -1;

/** Calls back once this thread was told what the editor said while it stood still, which it is behind its timers. */
function onceHeard(then: () => void): void {
  setImmediate(() => setImmediate(then));
}

/**
 * Keeps the line that a person went to while a list was being replaced. The move is told after the list was given away with
 * the line from before it; then the editor tells the first line of what it draws, and last the line that it was given.
 *
 * A line is told by its place. So the editor draws one list at a time: of two it would not be known which one it tells of.
 */
export class MovesMeanwhile<Item extends QuickPickItem> {
  readonly #input: QuickPick<Item>;
  readonly #askWindow: () => Thenable<unknown>;
  /** The line that the new list was given, until the editor has told of it. */
  #given: Item | undefined;
  #isDrawn = false;
  #moved: Item | undefined;
  #meant: (told: Item) => Item | undefined = (told) => told;
  /** Gives the editor the list that waits. */
  #next: ((went: Item | undefined) => void) | undefined;
  /** Where the person went to while a list waits. */
  #went: Item | undefined;
  #longest: NodeJS.Timeout | undefined;
  /** Runs once the editor was sent the line that was made the active one. */
  #sent: NodeJS.Timeout | undefined;
  /** Which list the window has not answered behind, so that what it tells may be of the list before. */
  #unanswered: symbol | undefined;
  #isToldSince = false;
  #isOver = false;

  /** @param askWindow resolves once the window has told what it had to tell before it was asked */
  constructor(input: QuickPick<Item>, askWindow: () => Thenable<unknown>) {
    this.#input = input;
    this.#askWindow = askWindow;
    input.onDidChangeActive(([active]) => {
      this.#isToldSince = true;
      if (this.#given === undefined || active === undefined) return;
      if (this.#isSearched) {
        if (active === this.#given) this.#drawn(undefined);
        return;
      }
      const first = input.items.find(({ kind }) => Number(kind) !== SEPARATOR);
      if (!this.#isDrawn && active !== first) {
        this.#moved = this.#meant(active);
        return;
      }
      if (active === this.#given) {
        this.#drawn(this.#whereTo());
      } else if (!this.#isDrawn) {
        this.#isDrawn = true;
      } else if (active === first) {
        // Told twice: what seemed to be drawn first was a move to the first line of the list before.
        this.#moved = this.#meant(active);
      } else {
        this.#drawn(undefined);
      }
    });
  }

  /** Makes a line of the list the active one. */
  activate(line: Item): void {
    this.#input.activeItems = [line];
    // Behind the editor's own timer, which sends it: where a list follows sooner, the editor sets the line before that list.
    this.#sent ??= setTimeout(() => {
      this.#sent = undefined;
      onceHeard(() => this.#giveNext());
    }, 0);
  }

  /**
   * Gives the editor a list once it has told of the line of the one before. The last list that comes meanwhile is the one that
   * is given.
   *
   * @param give is told the line that the person went to meanwhile, if they did
   */
  onceDrawn(give: (went: Item | undefined) => void): void {
    if (this.#isOver) return;
    this.#next = give;
    this.#giveNext();
    this.#limitDrawing();
  }

  #limitDrawing(): void {
    const given = this.#given;
    if (!this.#next || given === undefined) return;
    const giveUp = () =>
      onceHeard(() => {
        if (given === this.#given) this.#drawn(this.#whereTo());
      });
    this.#longest ??= setTimeout(() => void this.#askWindow().then(giveUp, giveUp), MAX_DRAWING_MS);
  }

  #whereTo(): Item | undefined {
    return this.#isSearched || this.#moved === this.#given ? undefined : this.#moved;
  }

  /** Where a list is searched only the editor knows which of its lines comes first. */
  get #isSearched(): boolean {
    return this.#input.value !== "";
  }

  #drawn(went: Item | undefined): void {
    this.#given = undefined;
    if (!this.#isSearched) this.#unanswered = undefined;
    if (this.#next) this.#went = went;
    else if (went) this.activate(went);
    // What comes in the same turn, such as an Enter, is of the list that is on the screen.
    onceHeard(() => this.#giveNext());
  }

  #giveNext(): void {
    const next = this.#next;
    if (!next || this.#given !== undefined || this.#sent !== undefined) return;
    clearTimeout(this.#longest);
    const went = this.#went;
    this.#longest = this.#next = this.#went = undefined;
    next(went);
  }

  /** Forgets the list that waits, and takes no other one. */
  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#longest);
    clearTimeout(this.#sent);
    this.#given = this.#next = undefined;
  }

  /** Whether the editor has yet to tell of the line that the list was given. */
  get isBeingDrawn(): boolean {
    return this.#given !== undefined;
  }

  /** Whether a move is known of which the editor has not told yet where it led. */
  get isMoving(): boolean {
    return this.#given !== undefined && this.#moved !== undefined;
  }

  /**
   * The list is another one, and has this line active.
   *
   * @param meant gives the line of the new list that is meant where a move in the list before is told of one
   */
  replacedAt(given: Item | undefined, meant: (told: Item) => Item | undefined): void {
    this.#given = given;
    this.#meant = meant;
    this.#isDrawn = false;
    this.#moved = undefined;
    this.#isToldSince = false;
    const list = (this.#unanswered = Symbol("list"));
    const answered = () => {
      if (this.#unanswered === list) this.#unanswered = undefined;
    };
    // Behind the editor's own timer, which sends the list.
    setTimeout(() => void (this.#isOver || this.#askWindow().then(answered, answered)), 0);
  }

  /**
   * What a line is that the editor tells of, by its place, while the window may still have the list before on the screen.
   *
   * @returns the line of this list that is meant if it has, and whether it makes no difference
   */
  meantBy(told: Item): { readonly line: Item; readonly isCertain: boolean } {
    if (this.#unanswered === undefined || !this.#isToldSince) return { line: told, isCertain: true };
    const meant = this.#meant(told);
    return { line: meant ?? told, isCertain: meant === told };
  }
}
