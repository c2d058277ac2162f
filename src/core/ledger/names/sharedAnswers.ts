import type { Clock } from "../../concurrency/clock.ts";
import { SharedAnswer } from "../../concurrency/toldLimits.ts";

/** What answers are kept for, and how many. */
interface SharedAnswersOptions {
  readonly clock: Clock;
  /** Oldest answers go first. */
  readonly maxAnswers: number;
}

/** Milliseconds without questions after one failed. */
const PAUSE_MS = 60_000;

/**
 * Answers of a service that many ask for: one question for all callers that ask the same, and a pause after a failure, so
 * that a service that is down does not hold up every row of a list. Who stops waiting stops only for himself.
 */
export class SharedAnswers<Answer> {
  readonly #options: SharedAnswersOptions;
  readonly #answers = new Map<string, SharedAnswer<Answer>>();
  readonly #pausedUntil = new Map<string, number>();

  constructor(options: SharedAnswersOptions) {
    this.#options = options;
  }

  /**
   * The answer to a question; `undefined` when the service could not be asked.
   *
   * @param service who is paused when the question fails: an address
   * @throws the reason of the signal when it aborts
   */
  async get(
    service: string,
    question: string,
    signal: AbortSignal | undefined,
    ask: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    signal?.throwIfAborted();
    const key = `${service} ${question}`;
    let answer = this.#answers.get(key);
    if (!answer) {
      if (this.#isPaused(service)) return undefined;
      answer = new SharedAnswer(ask);
      this.#keep(key, answer);
      answer.value.catch(() => {
        this.#answers.delete(key);
        this.#pausedUntil.set(service, this.#options.clock.now() + PAUSE_MS);
      });
    }
    const quiet = answer.value.catch(() => undefined);
    return answer.toldTo(signal ? untilAborted(quiet, signal) : quiet);
  }

  #isPaused(service: string): boolean {
    return this.#options.clock.now() < (this.#pausedUntil.get(service) ?? -Infinity);
  }

  #keep(key: string, answer: SharedAnswer<Answer>): void {
    this.#answers.set(key, answer);
    if (this.#answers.size <= this.#options.maxAnswers) return;
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined) this.#answers.delete(oldest);
  }
}

/** The value of a promise, unless the signal aborts first. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", stop, { once: true });
    void promise.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", stop);
    });
  });
}
