import { t } from "@vscode/l10n";
import type { LimitWait } from "../concurrency/toldLimits.ts";
import { durationWords, localTime } from "../text/timeWords.ts";
import { shown, type ShownText } from "../text/shownText.ts";

/** What is waited for, with the seconds that are left; `undefined` when it is over. */
export function limitWords(wait: LimitWait | undefined, now: number): ShownText | undefined {
  if (!wait || wait.resumesAt <= now) return undefined;
  const { service, resumesAt } = wait;
  return shown`${service}: too many requests, going on in ${Math.ceil((resumesAt - now) / 1_000)} s`;
}

const MINUTE_MS = 60_000;

/**
 * What to do about a service that takes no more requests for now, as sentences. Nothing in them is too early: times are
 * rounded up.
 *
 * @param retryAfterMs how long it asks to wait; `undefined` where it does not say
 */
export function askAgainAdvice(retryAfterMs: number | undefined, now = Date.now()): string {
  if (!retryAfterMs) return t`Wait a minute and try again.`;
  const time =
    retryAfterMs < 2 * MINUTE_MS
      ? `${Math.ceil(retryAfterMs / 1_000)} s`
      : durationWords(wholeMinutes(retryAfterMs));
  if (retryAfterMs <= MINUTE_MS) return t`Wait ${time} and try again.`;
  const at = localTime(wholeMinutes(now + retryAfterMs), now, undefined);
  return t`Requests are accepted again from ${at}. Wait ${time} and try again.`;
}

function wholeMinutes(milliseconds: number): number {
  return Math.ceil(milliseconds / MINUTE_MS) * MINUTE_MS;
}
