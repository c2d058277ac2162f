import type { JobStorage } from "../../../src/core/verification/jobStorage.ts";

/** Files in memory, as a disk would keep them over a restart; with their texts at hand. */
export class MemoryStorage implements JobStorage {
  readonly files: Map<string, Uint8Array>;

  constructor(files: ReadonlyMap<string, Uint8Array> = new Map()) {
    this.files = new Map(files);
  }

  text(name: string): string {
    return new TextDecoder().decode(this.files.get(name));
  }

  put(name: string, text: string): void {
    this.files.set(name, new TextEncoder().encode(text));
  }

  get bytes(): number {
    return [...this.files.values()].reduce((sum, { length }) => sum + length, 0);
  }

  list() {
    return Promise.resolve([...this.files].map(([name, { length }]) => ({ name, bytes: length })));
  }

  read(name: string) {
    return Promise.resolve(this.files.get(name));
  }

  write(name: string, content: Uint8Array) {
    this.files.set(name, content);
    return Promise.resolve();
  }

  remove(name: string) {
    this.files.delete(name);
    return Promise.resolve();
  }
}
