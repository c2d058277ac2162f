import { AsyncLocalStorage } from "node:async_hooks";

/** A service limits requests: who, as a sentence begins, and for how long the next attempt waits. */
export interface RateLimit {
  readonly service: string;
  readonly ms: number;
}

/** What work waits for: who limits requests, and when that is asked again, in milliseconds since the epoch. */
export interface LimitWait {
  readonly service: string;
  readonly resumesAt: number;
}

type LimitListener = (limit: RateLimit) => void;

const listeners = new AsyncLocalStorage<LimitListener>();

/**
 * Does work, and tells of every limit that one of its requests meets: of whatever service, without its callers knowing. Who
 * listens around it is told as well.
 */
export function tellingOfLimits<T>(listener: LimitListener, work: () => T): T {
  const around = listeners.getStore();
  return listeners.run((limit) => {
    listener(limit);
    around?.(limit);
  }, work);
}

/** Tells those who do the work that a request belongs to. */
export function tellOfLimit(limit: RateLimit): void {
  listeners.getStore()?.(limit);
}

/**
 * The answer to a question that is asked once for several callers: each of them is told of a limit that it meets, also who
 * comes when the wait has begun.
 */
export class SharedAnswer<T> {
  readonly value: Promise<T>;
  readonly #callers = new Set<LimitListener>();
  #wait: LimitWait | undefined;

  constructor(ask: () => Promise<T>) {
    this.value = listeners.run((limit) => {
      const resumesAt = Date.now() + limit.ms;
      if ((this.#wait?.resumesAt ?? 0) < resumesAt) this.#wait = { service: limit.service, resumesAt };
      for (const tell of this.#callers) tell(limit);
    }, ask);
  }

  /**
   * Tells one caller of limits, who is not told any more when `answer` has settled.
   *
   * @param answer what the caller makes of the value, as one who may leave before it is there
   */
  async toldTo<R = T>(answer: Promise<R>): Promise<R> {
    const own = listeners.getStore();
    if (!own) return answer;
    // Two calls of one listener are two callers, of which one may leave before.
    const caller: LimitListener = (limit) => {
      own(limit);
    };
    this.#callers.add(caller);
    try {
      const ms = this.#wait === undefined ? 0 : this.#wait.resumesAt - Date.now();
      if (this.#wait && ms > 0) caller({ service: this.#wait.service, ms });
      return await answer;
    } finally {
      this.#callers.delete(caller);
    }
  }
}
