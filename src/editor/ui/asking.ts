import { t } from "@vscode/l10n";
import { AsyncLocalStorage } from "node:async_hooks";
import { LedgerLensError } from "../../core/errors.ts";
import { told, type PressTimes } from "./toldPresses.ts";

/** How the command was called whose work goes on; everything that asks looks here, however deep it is called. */
const calls = new AsyncLocalStorage<{
  readonly mayAsk: boolean;
  readonly stop: AbortSignal | undefined;
  /** Missing for a program. */
  readonly askedAt: number | undefined;
  readonly press: PressTimes;
}>();

/**
 * Runs a command's work for a person who can answer, or for a program that gave an argument object.
 *
 * @param stop aborts when the program that called it wants it no longer
 * @param isForProgram whether a program called it, although a person may answer
 */
export function withAsking<T>(
  mayAskThem: boolean,
  work: () => T,
  stop?: AbortSignal,
  isForProgram = !mayAskThem,
): T {
  const askedAt = isForProgram ? undefined : Date.now();
  return calls.run({ mayAsk: mayAskThem, stop, askedAt, press: told.press() }, work);
}

/** Stands for the call of a command whose work goes on, and is nothing but the same for all of it. */
export function currentCall(): object | undefined {
  return calls.getStore();
}

/** When a person asked for the work that goes on; `undefined` for what a program wants or begins by itself. */
export function askedAt(): number | undefined {
  return calls.getStore()?.askedAt;
}

/** The press that began the work that goes on. */
export function firstPress(): PressTimes {
  return calls.getStore()?.press ?? told.press();
}

/** False while a command works for a program. */
export function mayAsk(): boolean {
  return calls.getStore()?.mayAsk ?? true;
}

/** Aborts when the program for which the command works wants it no longer. */
export function stopSignal(): AbortSignal | undefined {
  return calls.getStore()?.stop;
}

/**
 * What comes before anything that a person sees or a service gets.
 *
 * @throws LedgerLensError `cancelled` where the program that called the command wants it no longer
 */
export function checkNotStopped(): void {
  if (stopSignal()?.aborted) throw new LedgerLensError("cancelled", t`The command was cancelled.`);
}

/**
 * What every pick and input calls first: with an argument object nothing is asked.
 *
 * @param title of the command
 * @param missing the arguments that would answer, where they are known
 * @throws LedgerLensError `missing_argument`, and those of {@link checkNotStopped}
 */
export function checkMayAsk(title: string, missing: readonly string[] = []): void {
  checkNotStopped();
  if (mayAsk()) return;
  const names = missing.length === 0 ? t`what is missing` : missing.join(", ");
  throw new LedgerLensError(
    "missing_argument",
    t`${title} asks for nothing when it is called with an argument object. Give ${names} in it, or call the command without one.`,
  );
}
