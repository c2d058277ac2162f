import type { BoundedMemory } from "./boundedMemory.ts";

/** Makes the memory for things of one kind; the function itself stands for the kind. */
type MemoryKind<Value> = () => BoundedMemory<Value>;

/**
 * What is remembered of files from one command to the next. It belongs to who reads: a reader without one remembers
 * nothing, and what one window remembers no other one is told.
 */
export class FileMemory {
  readonly #memories = new Map<unknown, unknown>();

  of<Value>(kind: MemoryKind<Value>): BoundedMemory<Value> {
    // What stands under a kind was made by it.
    const known = this.#memories.get(kind) as BoundedMemory<Value> | undefined;
    if (known) return known;
    const made = kind();
    this.#memories.set(kind, made);
    return made;
  }
}
