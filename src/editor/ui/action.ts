import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCancellation, ledgerLensError, LedgerLensError, type HeaderKey } from "../../core/errors.ts";
import { foreignSentence, shown } from "../../core/text/shownText.ts";
import { withAsking } from "./asking.ts";
import type { Log } from "./log.ts";
import { mayPass, mendingSetting, type MendableError } from "./mendingSetting.ts";
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

/** The ways out that only what threw an error, or met it on its way, knows of. */
const ownWaysOut = new WeakMap<LedgerLensError, readonly MessageButton[]>();

/** The same error, which a person is told with these ways out before all others. */
export function withWaysOut(error: LedgerLensError, buttons: readonly MessageButton[]): LedgerLensError {
  ownWaysOut.set(error, buttons);
  return error;
}

/** The ways out of an error: only those that it gives reason for. */
export function waysOut(
  error: MendableError,
  { again, addressSetting }: Pick<Caller, "again" | "addressSetting">,
): MessageButton[] {
  const setting = mendingSetting(error, addressSetting);
  const { key } = error;
  return [
    ...(key === undefined ? [] : [{ label: shown`Enter Key…`, run: () => enterKey(key, again) }]),
    ...(again && mayPass(error) ? [{ label: shown`Try Again`, run: again }] : []),
    ...(setting === undefined
      ? []
      : [
          {
            label: shown`Open Settings`,
            run: () => openSetting(setting),
          },
        ]),
  ];
}

/** Asks for a key that a server wants, and does what failed for want of it again. */
export async function enterKey(key: HeaderKey, again?: () => unknown): Promise<void> {
  const isKept = await vscode.commands.executeCommand("ledgerLens.enterKey", key);
  if (isKept === true) await again?.();
}

/** Shows a setting in the editor's settings. */
export async function openSetting(setting: string): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettings", setting);
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
    return await withAsking(interactive, work, stop, isForProgram);
  } catch (error) {
    const known = ledgerLensError(error);
    if (isCancellation(known)) {
      if (isForProgram) throw known;
      return undefined;
    }
    log.error(`${title}: ${known.message}${known.detail ? `\n${known.detail}` : ""}`);
    if (!(error instanceof LedgerLensError)) log.error(error);
    if (isForProgram) throw known;
    await showMessage(
      "error",
      foreignSentence(known.message),
      ...(ownWaysOut.get(known) ?? []),
      ...waysOut(known, caller),
      { label: shown`Show Log`, run: () => log.show(true) },
    );
    return undefined;
  }
}
