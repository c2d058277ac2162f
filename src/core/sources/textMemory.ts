import { BoundedMemory } from "../files/boundedMemory.ts";

/** Of all texts together, in UTF-16 units: those of a large project with its libraries have some 10 million. */
const MAX_UNITS = 16 * 1024 * 1024;

/** What stands for a text among the last ones. */
class Holder {
  readonly units: number;

  constructor(units: number) {
    this.units = units;
  }
}

/** By text, of all readers: what a text says is the same wherever it comes from, and can't go stale. */
const holders = new BoundedMemory<Holder>(MAX_UNITS, ({ units }) => units);

function holderOf(text: string): Holder {
  const before = holders.get(text);
  if (before) return before;
  const holder = new Holder(text.length);
  holders.set(text, holder);
  return holder;
}

/** What is known of the last texts that were looked at: the same sources are, for one contract after the other. */
export class TextMemory<T> {
  readonly #known = new WeakMap<Holder, T>();

  get(text: string): T | undefined {
    return this.#known.get(holderOf(text));
  }

  set(text: string, value: T): T {
    this.#known.set(holderOf(text), value);
    return value;
  }
}
