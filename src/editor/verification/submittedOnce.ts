import { askWindow } from "../ui/askWindow.ts";
import { DoubleClicks } from "../ui/doubleClicks.ts";

/** The presses of rows, lenses, pages and messages that submit what was agreed to before, without a question. */
export const submittedOnce = new DoubleClicks(askWindow);
