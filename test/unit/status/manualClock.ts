import type { Clock } from "../../../src/core/concurrency/clock.ts";

/** Time that a test moves. Sleepers wake in order, each in its own moment. */
export interface ManualClock extends Clock {
  /** Moves to a later time; after each one that wakes, `settled` is awaited. */
  advance(milliseconds: number): Promise<void>;
  /** How many sleep now. */
  readonly sleeping: number;
}

/**
 * Makes a clock.
 *
 * @param start milliseconds since the epoch
 * @param settled waits until what a waking sleeper has begun is done
 */
export function manualClock(start: number, settled: () => Promise<void> = turnOver): ManualClock {
  let now = start;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => now,
    get sleeping() {
      return sleepers.size;
    },
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason as Error);
        };
        const sleeper = {
          at: now + Math.max(0, milliseconds),
          wake: () => {
            signal?.removeEventListener("abort", stop);
            resolve();
          },
        };
        if (signal?.aborted) {
          stop();
          return;
        }
        signal?.addEventListener("abort", stop, { once: true });
        sleepers.add(sleeper);
      }),
    async advance(milliseconds) {
      const until = now + milliseconds;
      await settled();
      for (;;) {
        const next = [...sleepers]
          .filter(({ at }) => at <= until)
          .toSorted((one, other) => one.at - other.at)[0];
        if (!next) break;
        sleepers.delete(next);
        now = Math.max(now, next.at);
        next.wake();
        await settled();
      }
      now = until;
    },
  };
}

/** Lets everything happen that needs no time. */
export async function turnOver(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
