import type { LedgerLensError } from "../../core/errors.ts";

/** What is read of an error. */
export type MendableError = Pick<LedgerLensError, "code" | "message"> &
  Partial<Pick<LedgerLensError, "setting" | "key">>;

/** What may be over the next time, by the codes of errors. */
const PASSING: ReadonlySet<string> = new Set([
  "unreachable",
  "timeout",
  "proxy_failed",
  "service_error",
  "rate_limited",
  "unavailable",
  "server_error",
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
/** A sentence of ours says so, in each of its languages. */
const SAYS_TRY_AGAIN = /\btry again\b|\bversuchen Sie es\b|\berneut versuchen?\b/i;
/** A setting that a sentence of ours says to check. */
const NAMED_SETTING = /\b(?:ledgerLens|http)\.[A-Za-z]+\b/;

/**
 * The setting that can mend an error.
 *
 * @param addressSetting the one of the address that is asked, unless the error says that it is of another
 */
export function mendingSetting(
  { code, message, setting, key }: MendableError,
  addressSetting: string | undefined,
): string | undefined {
  // It stands in no setting.
  if (key !== undefined) return undefined;
  return NAMED_SETTING.exec(message)?.[0] ?? (OF_ADDRESS.has(code) ? (setting ?? addressSetting) : undefined);
}

/** Whether the same may succeed the next time. */
export function mayPass({ code, message }: MendableError): boolean {
  return PASSING.has(code) || SAYS_TRY_AGAIN.test(message);
}
