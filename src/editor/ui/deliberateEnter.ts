import { BEAT_MS, MAX_REPEAT_DELAY_MS, told, type AskWindow } from "./toldPresses.ts";

/** So long a list is on the screen before an Enter is an answer to it: longer than between the presses of a double click. */
const MIN_SEEN_MS = 500;
/**
 * A key that bounces or is held down presses again sooner than this, also in a window that is slow with each press; a person
 * who has read the line presses later.
 */
const MIN_PAUSE_MS = 500;
/** So long no other press may follow before an Enter counts. */
const MIN_REST_MS = 150;

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
