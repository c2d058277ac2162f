import type { RecordChange } from "./newDeployments.ts";

/** No run writes so many files of records; the oldest go first. */
const MAX_CHANGES = 1_000;
/** A run that says nothing for so long was stopped before its end. */
const STOPPED_MS = 60_000;
/** So long is a run waited for while something beside it is written all the time. */
const LONGEST_MS = 10 * 60_000;

/** What changed of records and is still to be looked at, each path once. */
export class PendingChanges {
  #changes = new Map<string, RecordChange>();
  #toldAt = 0;
  #awaitedSince: number | undefined;

  /** @param now milliseconds since the epoch */
  add(change: RecordChange, now: number): void {
    this.#toldAt = now;
    this.#add(change);
  }

  get all(): readonly RecordChange[] {
    return [...this.#changes.values()];
  }

  /** Hands over what is to be looked at. */
  take(): readonly RecordChange[] {
    const taken = this.all;
    this.#changes = new Map();
    return taken;
  }

  /** How long a run is waited for that has not come to its end. */
  patienceMs(now: number): number {
    const longest = this.#awaitedSince === undefined ? Infinity : this.#awaitedSince + LONGEST_MS - now;
    return Math.min(this.#toldAt + STOPPED_MS - now, longest);
  }

  /** Keeps what was taken, since a run of it is waited for; it is the older part. */
  putBack(taken: readonly RecordChange[], now: number): void {
    this.#awaitedSince ??= now;
    const since = this.take();
    for (const change of [...taken, ...since]) this.#add(change);
  }

  /** No run is waited for any more. */
  settled(): void {
    this.#awaitedSince = undefined;
  }

  #add({ path, isNew }: RecordChange): void {
    const before = this.#changes.get(path);
    this.#changes.delete(path);
    this.#changes.set(path, { path, isNew: isNew || before?.isNew === true });
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > MAX_CHANGES && oldest !== undefined) this.#changes.delete(oldest);
  }
}
