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

  constructor(input: QuickPick<Item>) {
    input.onDidChangeActive(([active]) => {
      if (this.#given === undefined || active === undefined) return;
      if (!this.#isDrawn && active !== input.items[0]) {
        this.#moved = active;
        return;
      }
      const isTold = this.#isDrawn || active === this.#given;
      this.#isDrawn = true;
      if (!isTold) return;
      if (this.#moved !== undefined && this.#moved !== this.#given) input.activeItems = [this.#moved];
      this.#given = undefined;
    });
  }

  /** The list is another one, and has this line active. */
  replacedAt(given: Item | undefined): void {
    this.#given = given;
    this.#isDrawn = false;
    this.#moved = undefined;
  }
}
