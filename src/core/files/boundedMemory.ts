/** The last things by name, within a measure of all together: the one that was used longest ago goes first, the newest stays. */
export class BoundedMemory<Value> {
  /** What was used last comes last. */
  readonly #known = new Map<string, Value>();
  readonly #most: number;
  readonly #sizeOf: (value: Value) => number;
  #size = 0;

  /** @param most in the unit of `sizeOf`, which counts each as one unless said */
  constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  get(name: string): Value | undefined {
    const value = this.#known.get(name);
    if (value !== undefined) {
      this.#known.delete(name);
      this.#known.set(name, value);
    }
    return value;
  }

  set(name: string, value: Value): void {
    this.delete(name);
    this.#known.set(name, value);
    this.#size += this.#sizeOf(value);
    for (const oldest of this.#known.keys()) {
      if (this.#size <= this.#most || oldest === name) break;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    const value = this.#known.get(name);
    if (value === undefined) return;
    this.#known.delete(name);
    this.#size -= this.#sizeOf(value);
  }
}
