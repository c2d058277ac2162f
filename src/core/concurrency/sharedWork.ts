import { SharedAnswer } from "./toldLimits.ts";
import { whileWanted } from "./whileWanted.ts";

/** Work that several may want and that is done once for all of them, by name. Without one who waits for it, it is ended. */
export class SharedWork<Value> {
  readonly #running = new Map<string, Running<Value>>();

  /**
   * Waits for the work of that name, which begins where it is not under way.
   *
   * @param begin its signal aborts when all who wait have left; `before` is work that was left so and may still be ending
   * @throws what the work throws, and the reason of the signal
   */
  async join(
    name: string,
    begin: (signal: AbortSignal, before: Promise<unknown> | undefined) => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<Value> {
    signal?.throwIfAborted();
    const known = this.#running.get(name);
    const running = known && !known.abort.signal.aborted ? known : this.#begun(name, begin, known);
    running.waiting++;
    try {
      return await running.answer.toldTo(whileWanted(running.answer.value, signal));
    } finally {
      if (--running.waiting === 0) running.abort.abort();
    }
  }

  #begun(
    name: string,
    begin: (signal: AbortSignal, before: Promise<unknown> | undefined) => Promise<Value>,
    before: Running<Value> | undefined,
  ): Running<Value> {
    const abort = new AbortController();
    const answer = new SharedAnswer(() =>
      begin(abort.signal, before?.answer.value).finally(() => {
        if (this.#running.get(name) === running) this.#running.delete(name);
      }),
    );
    const running: Running<Value> = { abort, answer, waiting: 0 };
    answer.value.catch(() => undefined);
    this.#running.set(name, running);
    return running;
  }
}

/** Work that is under way. */
interface Running<Value> {
  readonly answer: SharedAnswer<Value>;
  readonly abort: AbortController;
  waiting: number;
}
