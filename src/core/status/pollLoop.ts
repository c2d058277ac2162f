import type { Clock } from "../concurrency/clock.ts";

/** What a loop is made of. */
interface PollLoopOptions {
  readonly clock: Clock;
  /** One poll of everything, because it was due or because it was asked for; never rejects. */
  readonly poll: (signal: AbortSignal, isByHand: boolean) => Promise<void>;
  /** Milliseconds until the next poll is due; 0 when it is overdue. */
  readonly dueIn: () => number;
}

/**
 * Decides when to poll: while the result is shown and the window is in focus, each time that it is due, one
 * poll at a time. What fell due in the meantime is made up for at once when both are true again.
 */
export class PollLoop {
  readonly #options: PollLoopOptions;
  readonly #disposal = new AbortController();
  #timer = new AbortController();
  #running: Promise<void> | undefined;
  #users = 0;
  #focused: boolean;

  constructor(options: PollLoopOptions & { readonly focused: boolean }) {
    this.#options = options;
    this.#focused = options.focused;
  }

  /** The result is shown from now on; the answer ends that, once. */
  use(): () => void {
    this.#users++;
    this.wake();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#users--;
      this.wake();
    };
  }

  /** Whether the window is in focus. */
  set focused(focused: boolean) {
    this.#focused = focused;
    this.wake();
  }

  get focused(): boolean {
    return this.#focused;
  }

  /** Looks again at when the next poll is due. */
  wake(): void {
    this.#timer.abort();
    if (this.isDisposed || this.#users === 0 || !this.#focused || this.#running) return;
    const timer = (this.#timer = new AbortController());
    this.#options.clock.sleep(this.#options.dueIn(), timer.signal).then(
      () => {
        if (!timer.signal.aborted) void this.#poll(false);
      },
      () => undefined,
    );
  }

  /** Polls whether it is due or not; joins a poll that is under way. */
  pollNow(): Promise<void> {
    return this.#poll(true);
  }

  #poll(isByHand: boolean): Promise<void> {
    if (this.isDisposed) return Promise.resolve();
    this.#running ??= this.#options.poll(this.#disposal.signal, isByHand).finally(() => {
      this.#running = undefined;
      this.wake();
    });
    this.#timer.abort();
    return this.#running;
  }

  /** Nothing is polled any more. */
  get isDisposed(): boolean {
    return this.#disposal.signal.aborted;
  }

  /** Ends the timer and the poll under way. */
  dispose(): void {
    this.#disposal.abort();
    this.#timer.abort();
  }
}
