/** Lets no more than so many pieces of work go on at once; later ones wait in their order. */
export class Limit {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(most: number) {
    this.#free = most;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place goes straight to the next one.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
