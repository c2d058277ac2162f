import type { Clock } from "../../../src/core/concurrency/clock.ts";

const SECOND = 1000;

/** Time in steps of a second, for many thousands of sleepers. */
export class SteppedClock implements Clock {
  #now = 0;
  readonly #bySecond = new Map<number, (() => void)[]>();

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      // A caller that is no longer waited for is woken and looks at its signal.
      this.at(this.#now + milliseconds, () => {
        if (!signal?.aborted) resolve();
      });
    });
  }

  /** Wakes in the second at or after that time, and not in the one that is now. */
  at(time: number, wake: () => void): void {
    const second = Math.max(Math.ceil(time / SECOND), Math.floor(this.#now / SECOND) + 1);
    const due = this.#bySecond.get(second);
    if (due) due.push(wake);
    else this.#bySecond.set(second, [wake]);
  }

  /** Goes on until that time; what wakes in a second is done, as `isDone` says, before the next one. */
  async run(until: number, isDone: () => boolean): Promise<void> {
    for (let second = 0; second * SECOND <= until; second++) {
      this.#now = second * SECOND;
      const due = this.#bySecond.get(second);
      if (!due) continue;
      this.#bySecond.delete(second);
      for (const wake of due) wake();
      do await new Promise((resolve) => setImmediate(resolve));
      while (!isDone());
    }
  }
}
