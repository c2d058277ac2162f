/**
 * A key that is held down presses again for the first time by then: no system waits longer (macOS at most 1.8 s, X11 0.66 s
 * unless it is told otherwise, Windows at most 1 s).
 */
export const MAX_REPEAT_DELAY_MS = 2_000;
/** The window is asked so often. */
export const BEAT_MS = 25;
/** A window that has not answered by then, nor ever before, is not waited for. */
const MAX_SILENCE_MS = 3_000;

/** Resolves once the window has told what it had to tell before it was asked. */
export type AskWindow = () => Thenable<unknown>;

/** When something was pressed, as far as this thread knows: between these two, by `performance.now()`. */
export interface PressTimes {
  readonly after: number;
  readonly before: number;
}

/**
 * Until when it is certain that this thread was told of every press. The window is asked again and again, as long as it
 * matters: what it tells behind an answer was pressed after it was asked, however long the press or the answer was on its way
 * and whichever of the two threads stood still. All that is pressed shares it, since a key that is held down goes on from one
 * question into the next.
 */
class ToldPresses {
  #until = -Infinity;
  #wantedUntil = -Infinity;
  #beats: NodeJS.Timeout | undefined;
  #askWindow: AskWindow = () => Promise.reject(new Error("No question is open."));
  /** When the window was asked what it has not answered yet. */
  #askedAt: number | undefined;
  #hasAnswered = false;

  /** By `performance.now()`. */
  get until(): number {
    return this.#until;
  }

  /** The press that this thread is told of now. */
  press(): PressTimes {
    return { after: this.#until, before: performance.now() };
  }

  /** It is found out from here on, for as long as a time that began now may matter. */
  follow(askWindow: AskWindow): void {
    this.#askWindow = askWindow;
    this.#wantedUntil = performance.now() + MAX_REPEAT_DELAY_MS;
    this.#beats ??= setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  #beat(): void {
    const now = performance.now();
    if (this.#until >= this.#wantedUntil) {
      clearInterval(this.#beats);
      this.#beats = undefined;
    } else if (this.#askedAt === undefined) {
      this.#askedAt = now;
      this.#askWindow().then(
        () => {
          this.#hasAnswered = true;
          this.#knows(now);
        },
        // A thread is told between its timers and what is immediate; one to which its editor speaks by tasks, once more later.
        () => setImmediate(() => setImmediate(() => this.#knows(now))),
      );
    } else if (!this.#hasAnswered && now - this.#askedAt >= MAX_SILENCE_MS) {
      this.#knows(this.#askedAt);
    }
  }

  #knows(until: number): void {
    this.#until = Math.max(this.#until, until);
    if (this.#askedAt === until) this.#askedAt = undefined;
  }
}

export const told = new ToldPresses();
