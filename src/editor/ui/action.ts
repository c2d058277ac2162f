import { isCancellation, ledgerLensError, LedgerLensError } from "../../core/errors.ts";
import { foreignSentence, shown } from "../../core/text/shownText.ts";
import { withAsking } from "./asking.ts";
import type { Log } from "./log.ts";
import { showMessage } from "./notifications.ts";

/** Thrown when the user leaves a pick or an input: nothing is shown. */
export class UserCancelled extends LedgerLensError {
  constructor() {
    super("cancelled", "The command was cancelled.");
  }
}

/** How a command was called: `interactive` may ask and show, otherwise neither happens. */
interface Caller {
  readonly interactive: boolean;
  /** Whether a program waits for what a person is asked: errors go to it, and one who leaves is told to it as `cancelled`. */
  readonly isForProgram?: boolean | undefined;
}

/**
 * Runs a command's work. A person gets one sentence and a way to the log; a caller gets the error itself,
 * whose `code` is stable and whose `message` is that sentence.
 */
export async function runAction<T>(
  log: Pick<Log, "error" | "show">,
  title: string,
  { interactive, isForProgram = !interactive }: Caller,
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await withAsking(interactive, work);
  } catch (error) {
    const known = ledgerLensError(error);
    if (isCancellation(known)) {
      if (isForProgram) throw known;
      return undefined;
    }
    log.error(`${title}: ${known.message}${known.detail ? `\n${known.detail}` : ""}`);
    if (!(error instanceof LedgerLensError)) log.error(error);
    if (isForProgram) throw known;
    await showMessage("error", foreignSentence(known.message), {
      label: shown`Show Log`,
      run: () => log.show(true),
    });
    return undefined;
  }
}
