import type { Pieces } from "../../src/core/concurrency/turns.ts";

/** How often others had their turn while work was done. */
export async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const tick = () => {
    turns++;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  try {
    await work();
  } finally {
    isDone = true;
  }
  return turns;
}

/** How many pieces work is cut into. */
export function piecesOf(work: Pieces<unknown>): number {
  let pieces = 1;
  while (!work.next().done) pieces++;
  return pieces;
}
