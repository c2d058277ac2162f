import type { QuickPick, QuickPickItem } from "vscode";

/** So long a list waits for the editor to tell of the one before, which it does at once where it tells of it at all. */
const MAX_DRAWING_MS = 1_000;

/**
 * Keeps the line that a person went to while a list was being replaced. The move is told after the list was given away with
 * the line from before it; then the editor tells the first line of what it draws, and last the line that it was given.
 */
export class MovesMeanwhile<Item extends QuickPickItem> {
  /** The line that the new list was given, until the editor has told of it. */
  #given: Item | undefined;
  #isDrawn = false;
  #moved: Item | undefined;
  #meant: (told: Item) => Item | undefined = (told) => told;
  /** Gives the editor the list that waits. */
  #next: ((went: Item | undefined) => void) | undefined;
  #longest: NodeJS.Timeout | undefined;

  constructor(input: QuickPick<Item>) {
    input.onDidChangeActive(([active]) => {
      if (this.#given === undefined || active === undefined) return;
      if (!this.#isDrawn && active !== input.items[0]) {
        this.#moved = this.#meant(active);
        return;
      }
      const isTold = this.#isDrawn || active === this.#given;
      this.#isDrawn = true;
      if (!isTold) return;
      const went = this.#moved !== undefined && this.#moved !== this.#given ? this.#moved : undefined;
      // The editor sets the active line of a list before the list itself where it was given one before the list.
      if (went && !this.#next) input.activeItems = [went];
      this.#drawn(went);
    });
  }

  /**
   * Gives the editor a list once it has told of the line of the one before: of two lists that it is drawing at a time it is not
   * known which one it tells of. The last list that comes meanwhile is the one that is given.
   *
   * @param give is told the line that the person went to meanwhile, if they did
   */
  onceDrawn(give: (went: Item | undefined) => void): void {
    if (this.#given === undefined) {
      give(undefined);
      return;
    }
    this.#next = give;
    this.#longest ??= setTimeout(() => this.#drawn(undefined), MAX_DRAWING_MS);
  }

  #drawn(went: Item | undefined): void {
    this.#given = undefined;
    const next = this.#next;
    this.dispose();
    next?.(went);
  }

  /** Forgets the list that waits. */
  dispose(): void {
    clearTimeout(this.#longest);
    this.#longest = undefined;
    this.#next = undefined;
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
  }
}
