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
