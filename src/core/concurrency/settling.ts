/** Does something once it has been quiet for a moment, and after the longest wait in any case. */
export class Settling {
  readonly #run: () => unknown;
  readonly #quietMs: number;
  readonly #longestMs: number;
  #timer: NodeJS.Timeout | undefined;
  /** When the first came of what is waited for. */
  #since: number | undefined;

  /** @param longestMs what is written again and again would put it off for ever */
  constructor(run: () => unknown, quietMs: number, longestMs: number) {
    this.#run = run;
    this.#quietMs = quietMs;
    this.#longestMs = longestMs;
  }

  /** @param quietMs how long it has to be quiet from now on */
  hear(quietMs = this.#quietMs): void {
    clearTimeout(this.#timer);
    const now = Date.now();
    this.#since ??= now;
    const left = Math.max(0, this.#since + this.#longestMs - now);
    this.#timer = setTimeout(
      () => {
        this.#since = undefined;
        this.#run();
      },
      Math.min(quietMs, left),
    );
  }

  /** Forgets what came. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#since = undefined;
  }
}
