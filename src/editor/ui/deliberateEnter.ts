import type { QuickPick, QuickPickItem } from "vscode";

/** So long a list is on the screen before an Enter is an answer to it: longer than between the presses of a double click. */
const MIN_SEEN_MS = 500;
/** A key that bounces or is held down presses again sooner than this, a person who means it later. */
const MIN_PAUSE_MS = 150;

/**
 * Tells an Enter that a person means from one that was pressed for what was on the screen before: in the input of the
 * step before, in a list that this one replaced, or once too often.
 */
export class DeliberateEnter {
  #seenSince = 0;
  #isDrawn = false;
  #pressedAt = -Infinity;

  constructor(input: QuickPick<QuickPickItem>) {
    input.onDidChangeActive(() => {
      // The editor tells the active line when it has drawn a list; later it is a person who moves.
      if (!this.#isDrawn) this.#seenSince = performance.now();
      this.#isDrawn = true;
    });
  }

  /** The list is shown, or replaced by another one. */
  beginAgain(): void {
    this.#isDrawn = false;
    this.#seenSince = performance.now();
  }

  /** To be asked at each Enter, once. */
  isMeant(): boolean {
    const now = performance.now();
    const pause = now - this.#pressedAt;
    this.#pressedAt = now;
    return now - this.#seenSince >= MIN_SEEN_MS && pause >= MIN_PAUSE_MS;
  }
}
