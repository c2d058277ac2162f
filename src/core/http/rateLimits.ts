import { t } from "@vscode/l10n";
import { AsyncLocalStorage } from "node:async_hooks";
import { durationWords, localTime } from "../text/timeWords.ts";
import { shown, type ShownText } from "../text/shownText.ts";

/** A service limits requests: who, as a sentence begins, and for how long the next attempt waits. */
export interface RateLimit {
  readonly service: string;
  readonly ms: number;
}

/** What work waits for: who limits requests, and when that is asked again, in milliseconds since the epoch. */
export interface LimitWait {
  readonly service: string;
  readonly resumesAt: number;
}

type LimitListener = (limit: RateLimit) => void;

const listeners = new AsyncLocalStorage<LimitListener>();

/**
 * Does work, and tells of every limit that one of its requests meets: of whatever service, without its callers knowing. Who
 * listens around it is told as well.
 */
export function tellingOfLimits<T>(listener: LimitListener, work: () => T): T {
  const around = listeners.getStore();
  return listeners.run((limit) => {
    listener(limit);
    around?.(limit);
  }, work);
}

/** Tells those who do the work that a request belongs to. */
export function tellOfLimit(limit: RateLimit): void {
  listeners.getStore()?.(limit);
}

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
