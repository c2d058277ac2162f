/** So long a list is on the screen before an Enter is an answer to it: longer than between the presses of a double click. */
const MIN_SEEN_MS = 500;
/**
 * A key that bounces or is held down presses again sooner than this, also in a window that is slow with each press; a person
 * who has read the line presses later.
 */
const MIN_PAUSE_MS = 500;
/** So long no other press may follow before an Enter counts. */
const MIN_REST_MS = 150;
const BEAT_MS = 25;

/**
 * Until when it is certain that this thread was told of every press, while a question is open. Of those of a time in which
 * it stood still it is told afterwards, behind its timers, so that a press may be as old as that time is long when it is told
 * of, and no older. All questions share it, since a key that is held down goes on from one into the next.
 */
class ToldPresses {
  #until = -Infinity;
  #beats: NodeJS.Timeout | undefined;
  readonly #questions = new Set<object>();

  /** It is found out from here on, as long as any question is open. */
  begin(question: object): void {
    this.#questions.add(question);
    this.#beats ??= setInterval(() => this.#beat(), BEAT_MS);
  }

  end(question: object): void {
    this.#questions.delete(question);
    if (this.#questions.size > 0) return;
    clearInterval(this.#beats);
    this.#beats = undefined;
  }

  /** By `performance.now()`; whatever else this thread does, it goes on while a question is open. */
  get until(): number {
    return this.#until;
  }

  #beat(): void {
    const at = performance.now();
    // A thread is told between its timers and what is immediate; one to which its editor speaks by tasks, once more later.
    setImmediate(() => setImmediate(() => (this.#until = at)));
  }
}

const told = new ToldPresses();

/** When this thread was told of the last press of Enter, by `performance.now()`, in whatever question. */
let lastPressedAt = -Infinity;

/** A list of lines. */
interface Lines<Item> {
  /** Makes a line the active one. */
  activate(line: Item): void;
}

/**
 * Tells an Enter that a person means from one that was pressed for what was on the screen before: in the input of the
 * step before, in a list that this one replaced, while this thread stood still, or once too often.
 *
 * One of which that is not certain makes the line the active one, and the next Enter on it is an answer: nothing is sent by
 * the first, and no list can be locked for ever by an editor that tells less than expected.
 */
export class DeliberateEnter<Item extends { readonly value?: unknown }> {
  readonly #list: Lines<Item> | undefined;
  #seenSince = 0;
  #isDrawn = false;
  /** The line that another Enter is asked for, and since when. */
  #doubted: { readonly value: unknown; readonly since: number } | undefined;
  #answer: NodeJS.Timeout | undefined;
  /** Whether the question is answered or left, although it may still be on the screen. */
  #isOver = false;

  /** @param list nothing for a question of which no line is told as active, which is drawn once it is shown */
  constructor(list?: Lines<Item>) {
    this.#list = list;
    told.begin(this);
  }

  /**
   * The editor told of the active line of the list.
   *
   * @param isMove whether a person may have gone there; else it was made the active one just now
   */
  told(isMove: boolean): void {
    if (!this.#isDrawn || !isMove) this.#seenSince = performance.now();
    this.#isDrawn = true;
  }

  /** The list is shown, or replaced by one with other lines or in another order. */
  beginAgain(): void {
    this.#isDrawn = this.#list === undefined;
    this.#doubted = undefined;
    this.#seenSince = performance.now();
    clearTimeout(this.#answer);
  }

  /** An Enter on a line that sends nothing. */
  pressed(): void {
    lastPressedAt = performance.now();
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
    this.pressed();
    if (this.#isOver || pause < MIN_PAUSE_MS) return;
    const doubted = this.#doubted && this.#doubted.value === line.value ? this.#doubted.since : Infinity;
    const isSeen = this.#isDrawn && isTold && pressedAt - this.#seenSince >= MIN_SEEN_MS;
    if (isSeen || pressedAt - doubted >= MIN_SEEN_MS) {
      this.#takeAfterRest(take, lastPressedAt);
      return;
    }
    this.#doubted = { value: line.value, since: Math.min(lastPressedAt, doubted) };
    this.#list?.activate(line);
  }

  #takeAfterRest(take: () => void, pressedAt: number): void {
    const rest = pressedAt + MIN_REST_MS - told.until;
    if (rest <= 0) take();
    else this.#answer = setTimeout(() => this.#takeAfterRest(take, pressedAt), Math.max(rest, BEAT_MS));
  }

  dispose(): void {
    this.#isOver = true;
    told.end(this);
    clearTimeout(this.#answer);
  }
}
