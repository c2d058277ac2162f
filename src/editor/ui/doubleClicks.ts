import { firstPress } from "./asking.ts";
import { told, type AskWindow, type PressTimes } from "./toldPresses.ts";

/** No system takes two clicks further apart for one (Windows can be set to 900 ms). */
const MAX_DOUBLE_CLICK_MS = 900;

/**
 * Tells the second press of a double click from one that a person means: an answer of a service may come between the two, and
 * what the first one sent would be sent again. The presses are as far apart as is certain by the window's clock, since this
 * thread may be told of the first one late or the window be far away, and what comes before the sending take its time.
 */
export class DoubleClicks {
  readonly #askWindow: AskWindow;
  #last: { readonly what: string; readonly press: PressTimes; readonly outcome: unknown } | undefined;

  constructor(askWindow: AskWindow) {
    this.#askWindow = askWindow;
  }

  /**
   * Does what was pressed, unless this is the second press of a double click on the same.
   *
   * @returns what came of it, or comes of it since the first press
   */
  once<T>(what: string, work: () => T): T {
    const last = this.#last;
    const press = firstPress();
    const isSecond = last?.what === what && press.after - last.press.before < MAX_DOUBLE_CLICK_MS;
    // A third press goes by the second one.
    const outcome = isSecond ? (last.outcome as T) : work();
    this.#last = { what, press, outcome };
    told.follow(this.#askWindow);
    return outcome;
  }
}
