import type { QuickPick, QuickPickItem } from "vscode";

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
      if (this.#moved !== undefined && this.#moved !== this.#given) input.activeItems = [this.#moved];
      this.#given = undefined;
    });
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
