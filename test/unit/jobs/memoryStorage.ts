import type { JobStorage } from "../../../src/core/jobs/jobStorage.ts";

/** Files in memory, as a disk would keep them over a restart; with their texts at hand. */
export class MemoryStorage implements JobStorage {
  readonly session: string = crypto.randomUUID();
  readonly files: Map<string, Uint8Array>;
  /** Other sessions that are at work on the same files. */
  readonly running = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  readonly #stamps = new WeakMap<Uint8Array, string>();

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

  isRunning(session: string): boolean {
    return session === this.session || this.running.has(session);
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  list() {
    return Promise.resolve(
      [...this.files].map(([name, content]) => ({
        name,
        bytes: content.length,
        stamp: this.#stampOf(content),
      })),
    );
  }

  /** Tests put files there as another session would. */
  isUntouched() {
    return Promise.resolve(false);
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

  #stampOf(content: Uint8Array): string {
    const stamp = this.#stamps.get(content) ?? crypto.randomUUID();
    this.#stamps.set(content, stamp);
    return stamp;
  }
}
