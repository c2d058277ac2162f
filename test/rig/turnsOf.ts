import { mock } from "node:test";
import type { Pieces } from "../../src/core/concurrency/turns.ts";

/** Longer than any turn. */
const LONG_MS = 1_000;

/**
 * How often others had their turn while work was done, had each of its pieces taken longer than a turn: every look at the
 * clock finds the turn over, so that the work counts and not the machine.
 */
export async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  // The turn of what was before has another clock.
  await new Promise(setImmediate);
  let turns = 0;
  let isDone = false;
  const tick = () => {
    turns++;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  const start = performance.now();
  const slow = mock.method(performance, "now", () => start + (slow.mock.callCount() + 1) * LONG_MS);
  try {
    await work();
  } finally {
    isDone = true;
    slow.mock.restore();
    await new Promise(setImmediate);
  }
  return turns;
}

/** How many pieces work is cut into. */
export function piecesOf(work: Pieces<unknown>): number {
  let pieces = 1;
  while (!work.next().done) pieces++;
  return pieces;
}
