const FIRST_MS = 2000;
const MAX_REMINDERS = 6;

/**
 * Tells again what was told and not taken: after two seconds, then after twice as long each time, six times at most
 * (two minutes) before something is taken again. While something is being taken, nothing is told.
 */
export class Reminder {
  readonly #isAwaiting: () => boolean;
  readonly #isTaking: () => boolean;
  readonly #tellAgain: () => void;
  #timer: NodeJS.Timeout | undefined;
  #told = 0;

  /**
   * @param isAwaiting whether what was told has not been taken yet
   * @param isTaking whether something is being taken just now
   * @param tellAgain tells it again
   */
  constructor(isAwaiting: () => boolean, isTaking: () => boolean, tellAgain: () => void) {
    this.#isAwaiting = isAwaiting;
    this.#isTaking = isTaking;
    this.#tellAgain = tellAgain;
  }

  /** Something was told or taken. */
  watch(): void {
    if (!this.#isAwaiting()) {
      this.#told = 0;
      return;
    }
    if (this.#timer !== undefined || this.#told === MAX_REMINDERS) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        if (this.#isAwaiting() && !this.#isTaking()) {
          this.#told++;
          this.#tellAgain();
        }
        this.watch();
      },
      FIRST_MS * 2 ** this.#told,
    );
  }

  /** Something was taken: what is left may be on its way, and has as long again. */
  taken(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.watch();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#told = 0;
  }
}
