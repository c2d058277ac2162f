import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCancellation, ledgerLensError, LedgerLensError } from "../../core/errors.ts";
import { foreignSentence, shown } from "../../core/text/shownText.ts";
import { withAsking } from "./asking.ts";
import type { Log } from "./log.ts";
import { showMessage, type MessageButton } from "./notifications.ts";

/** Thrown when the user leaves a pick or an input: nothing is shown. */
export class UserCancelled extends LedgerLensError {
  constructor() {
    super("cancelled", t`The command was cancelled.`);
  }
}

/** How a command was called: `interactive` may ask and show, otherwise neither happens. */
interface Caller {
  readonly interactive: boolean;
  /** Whether a program waits for what a person is asked: errors go to it, and one who leaves is told to it as `cancelled`. */
  readonly isForProgram?: boolean | undefined;
  /** Does the same from its beginning, with all that it asks. */
  readonly again?: () => unknown;
  /** Aborts when the program that called it wants it no longer. */
  readonly stop?: AbortSignal | undefined;
  /** The setting of the address that it asks. */
  readonly addressSetting?: string | undefined;
}

/** What may be over the next time, by the codes of errors. */
const PASSING: ReadonlySet<string> = new Set([
  "unreachable",
  "timeout",
  "proxy_failed",
  "service_error",
  "rate_limited",
]);
/** What a wrong address comes to. */
const OF_ADDRESS: ReadonlySet<string> = new Set([
  "unreachable",
  "redirect_refused",
  "not_json",
  "wrong_shape",
  "wrong_answer",
  "invalid_url",
]);
/** A setting that a sentence of ours says to check. */
const NAMED_SETTING = /\b(?:ledgerLens|http)\.[A-Za-z]+\b/;

/** The ways out of an error: only those that it gives reason for. */
export function waysOut(
  { code, message }: Pick<LedgerLensError, "code" | "message">,
  { again, addressSetting }: Pick<Caller, "again" | "addressSetting">,
): MessageButton[] {
  const setting = NAMED_SETTING.exec(message)?.[0] ?? (OF_ADDRESS.has(code) ? addressSetting : undefined);
  const isPassing = PASSING.has(code) || /\btry again\b/i.test(message);
  return [
    ...(again && isPassing ? [{ label: shown`Try Again`, run: again }] : []),
    ...(setting === undefined
      ? []
      : [
          {
            label: shown`Open Settings`,
            run: () => vscode.commands.executeCommand("workbench.action.openSettings", setting),
          },
        ]),
  ];
}

/**
 * Runs a command's work. A person gets one sentence, with ways out where there are some, and a way to the log; a caller
 * gets the error itself, whose `code` is stable and whose `message` is that sentence.
 */
export async function runAction<T>(
  log: Pick<Log, "error" | "show">,
  title: string,
  caller: Caller,
  work: () => T | Promise<T>,
): Promise<T | undefined> {
  const { interactive, isForProgram = !interactive, stop } = caller;
  try {
    return await withAsking(interactive, work, stop);
  } catch (error) {
    const known = ledgerLensError(error);
    if (isCancellation(known)) {
      if (isForProgram) throw known;
      return undefined;
    }
    log.error(`${title}: ${known.message}${known.detail ? `\n${known.detail}` : ""}`);
    if (!(error instanceof LedgerLensError)) log.error(error);
    if (isForProgram) throw known;
    await showMessage("error", foreignSentence(known.message), ...waysOut(known, caller), {
      label: shown`Show Log`,
      run: () => log.show(true),
    });
    return undefined;
  }
}
