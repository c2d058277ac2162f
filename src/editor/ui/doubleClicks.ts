import { firstPress } from "./asking.ts";
import { told, type AskWindow, type PressTimes } from "./toldPresses.ts";

/** No system takes two clicks further apart for one (Windows can be set to 900 ms). */
const MAX_DOUBLE_CLICK_MS = 900;
/** No more presses come in that time. */
const MAX_PRESSES = 8;

/** What was pressed, when, and what came of it. */
interface DonePress {
  readonly what: string;
  readonly press: PressTimes;
  readonly outcome: unknown;
}

/**
 * Tells the second press of a double click from one that a person means: an answer of a service may come between the two, and
 * what the first one sent would be sent again. The presses are as far apart as is certain by the window's clock, since this
 * thread may be told of the first one late or the window be far away. What comes before the sending may take its time, and
 * longer for the first press than for the second one.
 */
export class DoubleClicks {
  readonly #askWindow: AskWindow;
  #done: readonly DonePress[] = [];

  constructor(askWindow: AskWindow) {
    this.#askWindow = askWindow;
  }

  /**
   * What is called at once when something was pressed that has to do more before it sends: how much later the next press comes
   * is known from here on.
   */
  pressed(): void {
    told.follow(this.#askWindow);
  }

  /**
   * Does what was pressed, unless this is the second press of a double click on the same.
   *
   * @returns what came of it, or comes of it since the first press
   */
  once<T>(what: string, work: () => T): T {
    const press = firstPress();
    const first = this.#done.find((one) => one.what === what && areOneDoubleClick(one.press, press));
    const outcome = first ? (first.outcome as T) : work();
    // What was none counts as well: a third press goes by the second one.
    this.#done = [{ what, press, outcome }, ...this.#done].slice(0, MAX_PRESSES);
    this.pressed();
    return outcome;
  }
}

/** Whichever of the two came first: they may send in the other order. */
function areOneDoubleClick(one: PressTimes, other: PressTimes): boolean {
  return Math.max(one.after - other.before, other.after - one.before) < MAX_DOUBLE_CLICK_MS;
}
