import { t } from "@vscode/l10n";
import { AsyncLocalStorage } from "node:async_hooks";
import { LedgerLensError } from "../../core/errors.ts";

/** Whether the work that goes on may ask a person; everything that asks looks here, however deep it is called. */
const asks = new AsyncLocalStorage<boolean>();

/** Runs a command's work for a person who can answer, or for a program that gave an argument object. */
export function withAsking<T>(mayAskThem: boolean, work: () => T): T {
  return asks.run(mayAskThem, work);
}

/** False while a command works for a program. */
export function mayAsk(): boolean {
  return asks.getStore() ?? true;
}

/**
 * What every pick and input calls first: with an argument object nothing is asked.
 *
 * @param title of the command
 * @param missing the arguments that would answer, where they are known
 * @throws LedgerLensError `missing_argument`
 */
export function checkMayAsk(title: string, missing: readonly string[] = []): void {
  if (mayAsk()) return;
  const names = missing.length === 0 ? t`what is missing` : missing.join(", ");
  throw new LedgerLensError(
    "missing_argument",
    t`${title} asks for nothing when it is called with an argument object. Give ${names} in it, or call the command without one.`,
  );
}
