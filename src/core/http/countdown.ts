import type { RateLimit, LimitWait } from "../concurrency/toldLimits.ts";

const SECOND_MS = 1_000;

/** Tells every second how long a service that limits requests is waited for; the longest wait, where there is more than one. */
export class Countdown {
  readonly #tell: (wait: LimitWait) => boolean;
  #wait: LimitWait | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  /** @param tell at once, every second, and a last time when it is over; answers whether there is still something to wait for */
  constructor(tell: (wait: LimitWait) => boolean) {
    this.#tell = tell;
  }

  get isRunning(): boolean {
    return this.#wait !== undefined;
  }

  begin({ service, ms }: RateLimit): void {
    // Work may leave something behind that goes on asking, of which nothing is shown any more.
    if (this.#hasEnded) return;
    const resumesAt = Date.now() + ms;
    if (this.#wait && this.#wait.resumesAt >= resumesAt) return;
    this.#wait = { service, resumesAt };
    this.#tick();
  }

  /** Tells nothing from now on. */
  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#wait = undefined;
  }

  #tick(): void {
    clearTimeout(this.#timer);
    const wait = this.#wait;
    if (!wait) return;
    if (this.#tell(wait)) this.#timer = setTimeout(() => this.#tick(), SECOND_MS);
    else this.#wait = undefined;
  }
}
