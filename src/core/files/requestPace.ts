/** A request that takes longer was not answered from the system's cache; a collection of garbage may fall into it. */
const QUICK_MS = 4;
/** The same for a request on another thread, which waits for a busy process too. */
const QUICK_ELSEWHERE_MS = 20;
/** A disk, or a network behind it, that was slow once is spared for so long. */
const SLOW_FOR_MS = 250;
/** Other work of the process waits no longer than that for a row of requests. */
const TURN_MS = 8;

/**
 * Decides whether a request to the file system is made on the spot or handed to another thread. What the system has in
 * its cache is there in a few microseconds, while handing the request over and back costs several times as much. So
 * the first request goes to another thread; as long as the answers come at once, those that follow are made on the
 * spot, a few milliseconds in a row; and after a slow one all go to another thread again.
 */
export class RequestPace {
  readonly #now: () => number;
  #turnEndsAt = 0;
  #slowUntil = 0;
  #elsewhereNow = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Makes a request in one way or the other; both have to answer the same. */
  async request<T>(onTheSpot: () => T, elsewhere: () => Promise<T>): Promise<T> {
    const begun = this.#now();
    if (begun >= this.#turnEndsAt || begun < this.#slowUntil) return this.#elsewhere(elsewhere, begun);
    try {
      return onTheSpot();
    } finally {
      this.#took(begun, QUICK_MS);
    }
  }

  async #elsewhere<T>(make: () => Promise<T>, begun: number): Promise<T> {
    // Requests in a row wait for each other there, which says nothing of the disk.
    const isAlone = this.#elsewhereNow++ === 0;
    try {
      return await make();
    } finally {
      this.#elsewhereNow--;
      if (isAlone && this.#elsewhereNow === 0) this.#took(begun, QUICK_ELSEWHERE_MS);
      this.#turnEndsAt = this.#now() + TURN_MS;
    }
  }

  #took(begun: number, quickMs: number): void {
    const now = this.#now();
    if (now - begun > quickMs) this.#slowUntil = now + SLOW_FOR_MS;
  }
}
