/** So long a list is on the screen before an Enter is an answer to it: longer than between the presses of a double click. */
const MIN_SEEN_MS = 500;
/**
 * A key that bounces or is held down presses again sooner than this, also in a window that is slow with each press; a person
 * who has read the line presses later.
 */
const MIN_PAUSE_MS = 500;
/**
 * A key that is held down presses again for the first time by then: no system waits longer (macOS at most 1.8 s, X11 0.66 s
 * unless it is told otherwise, Windows at most 1 s).
 */
const MAX_REPEAT_DELAY_MS = 2_000;
/** So long no other press may follow before an Enter counts. */
const MIN_REST_MS = 150;
const BEAT_MS = 25;
/** A window that has not answered by then, nor ever before, is not waited for. */
const MAX_SILENCE_MS = 3_000;

/** Resolves once the window has told what it had to tell before it was asked. */
type AskWindow = () => Thenable<unknown>;

/**
 * Until when it is certain that this thread was told of every press. The window is asked again and again, as long as it
 * matters: what it tells behind an answer was pressed after it was asked, however long the press or the answer was on its way
 * and whichever of the two threads stood still. All questions share it, since a key that is held down goes on from one into
 * the next.
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

const told = new ToldPresses();

/**
 * When this thread was told of the last press of Enter, in whatever question, and of the last other key, by
 * `performance.now()`.
 */
let [lastPressedAt, lastTypedAt] = [-Infinity, -Infinity];

/** What an Enter is judged by. */
interface EnterOptions<Item> {
  readonly askWindow: AskWindow;
  /** Makes a line the active one; nothing for a question of which no line is told as active. */
  readonly activate?: (line: Item) => void;
  /** Says that the Enter was noticed, and that it takes another one. */
  readonly askAgain: () => void;
}

/**
 * Tells an Enter that a person means from one that was pressed for what was on the screen before: in the input of the
 * step before, in a list that this one replaced, while this thread or the window stood still, or once too often.
 *
 * One of which that is not certain makes the line the active one, and the next Enter on it is an answer: nothing is sent by
 * the first, and no list can be locked for ever by an editor that tells less than expected.
 */
export class DeliberateEnter<Item extends { readonly value?: unknown }> {
  readonly #options: EnterOptions<Item>;
  #seenSince = 0;
  #isDrawn = false;
  /** The line that another Enter is asked for, and since when. */
  #doubted: { readonly value: unknown; readonly since: number } | undefined;
  #answer: NodeJS.Timeout | undefined;
  /** Whether the question is answered or left, although it may still be on the screen. */
  #isOver = false;

  constructor(options: EnterOptions<Item>) {
    this.#options = options;
  }

  /**
   * The question was given to the window.
   *
   * @param isFirst whether none is on the screen that it follows: what called it may be a key that is still held down
   */
  shown(isFirst: boolean): void {
    if (isFirst) this.pressed();
    if (this.#options.activate) return;
    // Nothing is told of it by itself.
    const isThere = () => this.told(false);
    this.#options.askWindow().then(isThere, isThere);
  }

  /**
   * The editor told of the active line of the list.
   *
   * @param isMove whether a person may have gone there; else it was made the active one just now
   */
  told(isMove: boolean): void {
    if (!this.#isDrawn || !isMove) this.#seenSince = performance.now();
    this.#isDrawn = true;
    told.follow(this.#options.askWindow);
  }

  /** The list is shown, or replaced by one with other lines or in another order. */
  beginAgain(): void {
    this.#isDrawn = false;
    this.#doubted = undefined;
    this.#seenSince = performance.now();
    clearTimeout(this.#answer);
  }

  /** An Enter on a line that sends nothing. */
  pressed(): void {
    lastPressedAt = performance.now();
    clearTimeout(this.#answer);
    told.follow(this.#options.askWindow);
  }

  /** Another key, behind which no key goes on pressing that was held down before. */
  typed(): void {
    lastTypedAt = performance.now();
    clearTimeout(this.#answer);
  }

  /**
   * An Enter, or a click, on a line that sends something.
   *
   * @param isTold whether the editor told of it as active in the list as it is now
   * @param take is called where it is meant, once it is certain that the key is not held down
   */
  pressedOn(line: Item, isTold: boolean, take: () => void): void {
    // It was not pressed before that.
    const pressedAt = told.until;
    const pause = pressedAt - lastPressedAt;
    const mayBeHeld = pause < MAX_REPEAT_DELAY_MS && lastTypedAt <= lastPressedAt;
    this.pressed();
    if (this.#isOver || pause < MIN_PAUSE_MS) return;
    const doubted = this.#doubted && this.#doubted.value === line.value ? this.#doubted.since : Infinity;
    const isSeen = this.#isDrawn && isTold && pressedAt - this.#seenSince >= MIN_SEEN_MS;
    if ((isSeen && !mayBeHeld) || pressedAt - doubted >= MIN_SEEN_MS) {
      this.#takeAfterRest(take, lastPressedAt);
      return;
    }
    this.#doubted = { value: line.value, since: Math.min(lastPressedAt, doubted) };
    this.#options.activate?.(line);
    this.#options.askAgain();
  }

  #takeAfterRest(take: () => void, pressedAt: number): void {
    const rest = pressedAt + MIN_REST_MS - told.until;
    if (rest <= 0) take();
    else this.#answer = setTimeout(() => this.#takeAfterRest(take, pressedAt), Math.max(rest, BEAT_MS));
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#answer);
  }
}
