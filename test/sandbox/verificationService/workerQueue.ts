/** Does so many things at once, and the others in the order in which they came. */
export class WorkerQueue {
  readonly #workers: () => number;
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  /** @param workers How many things are done at once, asked for each time. */
  constructor(workers: () => number) {
    this.#workers = workers;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#busy >= this.#workers()) await new Promise<void>((begin) => this.#waiting.push(begin));
    else this.#busy++;
    try {
      return await task();
    } finally {
      // The place is handed on, so that a newcomer does not take it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#busy--;
    }
  }
}
