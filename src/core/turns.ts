import { setImmediate } from "node:timers/promises";

/** So long work holds the event loop before others have their turn. */
const TURN_MS = 8;

/** Long work on the editor's thread, cut into turns, so that typing goes on in between. */
export class Turns {
  #began = performance.now();

  /** Whether others should have their turn now. */
  get isOver(): boolean {
    return performance.now() - this.#began > TURN_MS;
  }

  /** Lets others have theirs. */
  async next(): Promise<void> {
    await setImmediate();
    this.#began = performance.now();
  }
}

/** Long work that stops after every piece of a millisecond or so, and answers in the end. */
export type Pieces<T> = Generator<undefined, T, undefined>;

/** Does work piece by piece; others have their turn every few milliseconds. */
export async function inTurns<T>(work: Pieces<T>, signal?: AbortSignal): Promise<T> {
  const turns = new Turns();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (!turns.isOver) continue;
    await turns.next();
    signal?.throwIfAborted();
  }
}

/** Does work at once, for little of it. */
export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
