import type { QuickPick, QuickPickItem } from "vscode";

/** So long a list is on the screen before an Enter is an answer to it: longer than between the presses of a double click. */
const MIN_SEEN_MS = 500;
/**
 * A key that bounces or is held down presses again sooner than this, also in a window that is slow with each press; a person
 * who has read the line presses later.
 */
const MIN_PAUSE_MS = 500;
/** So long no other press may follow before an Enter counts. */
const MIN_REST_MS = 150;
const BEAT_MS = 50;
/** As much as one beat counts for: while this thread stood still, keys were pressed of which it hears later. */
const LONGEST_BEAT_MS = 100;

/**
 * How long this thread was ready for keys while a question was open. All questions share it, since a key that is held down
 * goes on from one into the next.
 */
class AwakeTime {
  #awake = 0;
  #beatAt = 0;
  #beats: NodeJS.Timeout | undefined;
  readonly #questions = new Set<object>();

  /** It is counted from here on, as long as any question is open. */
  begin(question: object): void {
    this.#questions.add(question);
    if (this.#beats) return;
    this.#beatAt = performance.now();
    this.#beats = setInterval(() => this.now(), BEAT_MS);
  }

  end(question: object): void {
    this.#questions.delete(question);
    if (this.#questions.size > 0 || !this.#beats) return;
    this.now();
    clearInterval(this.#beats);
    this.#beats = undefined;
  }

  /** In milliseconds; it never stands still for good while a question is open. */
  now(): number {
    if (!this.#beats) return this.#awake;
    const now = performance.now();
    this.#awake += Math.min(now - this.#beatAt, LONGEST_BEAT_MS);
    this.#beatAt = now;
    return this.#awake;
  }
}

const awake = new AwakeTime();

/** When Enter was pressed last by {@link awake}, in whatever question. */
let lastPressedAt = -Infinity;

/**
 * Tells an Enter that a person means from one that was pressed for what was on the screen before: in the input of the
 * step before, in a list that this one replaced, while this thread stood still, or once too often.
 *
 * One of which that is not certain makes the line the active one, and the next Enter on it is an answer: nothing is sent by
 * the first, and no list can be locked for ever by an editor that tells less than expected.
 */
export class DeliberateEnter<Item extends QuickPickItem & { readonly value?: unknown }> {
  readonly #input: QuickPick<Item> | undefined;
  #seenSince = 0;
  #isDrawn = false;
  /** The line that another Enter is asked for, and since when. */
  #doubted: { readonly value: unknown; readonly since: number } | undefined;
  #answer: NodeJS.Timeout | undefined;

  /**
   * @param input the list; nothing for a question of which no line is told as active, which is drawn once it is shown
   * @param isBeingDrawn whether the editor has yet to tell of the line that a list was given as the active one
   */
  constructor(input?: QuickPick<Item>, isBeingDrawn: () => boolean = () => false) {
    this.#input = input;
    awake.begin(this);
    input?.onDidChangeActive(() => {
      // The editor tells the active line when it has drawn a list: first its first one; later it is a person who moves.
      if (!this.#isDrawn || isBeingDrawn()) this.#seenSince = awake.now();
      this.#isDrawn = true;
    });
  }

  /** The list is shown, or replaced by one with other lines or in another order. */
  beginAgain(): void {
    this.#isDrawn = this.#input === undefined;
    this.#doubted = undefined;
    this.#seenSince = awake.now();
    clearTimeout(this.#answer);
  }

  /** An Enter on a line that sends nothing. */
  pressed(): void {
    lastPressedAt = awake.now();
    clearTimeout(this.#answer);
  }

  /**
   * An Enter, or a click, on a line that sends something.
   *
   * @param isTold whether it is the line that the editor told of as active in the list as it is now
   * @param take is called where it is meant, once it is certain that the key is not held down
   */
  pressedOn(line: Item, isTold: boolean, take: () => void): void {
    const now = awake.now();
    const pause = now - lastPressedAt;
    this.pressed();
    if (pause < MIN_PAUSE_MS) return;
    const doubted = this.#doubted && this.#doubted.value === line.value ? this.#doubted.since : Infinity;
    const isSeen = this.#isDrawn && isTold && now - this.#seenSince >= MIN_SEEN_MS;
    if (isSeen || now - doubted >= MIN_SEEN_MS) {
      this.#takeAfterRest(take);
      return;
    }
    this.#doubted = { value: line.value, since: Math.min(now, doubted) };
    if (this.#input) this.#input.activeItems = [line];
  }

  /** Presses of a time in which this thread stood still come after its timers, so that it rests once more then. */
  #takeAfterRest(take: () => void, isLast = false): void {
    const since = performance.now();
    this.#answer = setTimeout(() => {
      const stoodStill = performance.now() - since > MIN_REST_MS + BEAT_MS;
      if (stoodStill && !isLast) this.#takeAfterRest(take, true);
      else take();
    }, MIN_REST_MS);
  }

  dispose(): void {
    awake.end(this);
    clearTimeout(this.#answer);
  }
}
