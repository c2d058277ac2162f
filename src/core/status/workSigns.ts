/** So long a person counts as working after a sign of it. */
const LASTS_MS = 30 * 60_000;

/**
 * Whether a person works with Ledger Lens in this window: a view or a page of it is visible, or a command ran or a request
 * failed in the last half hour.
 */
export class WorkSigns {
  readonly #now: () => number;
  readonly #visible = new Set<object>();
  readonly #listeners = new Set<() => void>();
  #lastAt = -Infinity;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A command ran, or a request failed. */
  sign(): void {
    this.#lastAt = this.#now();
    this.#tell();
  }

  /** A view or a page is visible from now on, or no longer. */
  shows(part: object, isVisible: boolean): void {
    if (this.#visible.has(part) === isVisible) return;
    if (isVisible) this.#visible.add(part);
    else this.#visible.delete(part);
    this.#tell();
  }

  /** When it ends that a person works, if no other sign comes: milliseconds since the epoch; `Infinity` while something is visible. */
  get until(): number {
    if (this.#visible.size > 0) return Infinity;
    // A sign from the future is one before the clock was set back.
    return Math.min(this.#lastAt, this.#now()) + LASTS_MS;
  }

  /** Calls the listener at every sign; the answer ends that. */
  onSign(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
