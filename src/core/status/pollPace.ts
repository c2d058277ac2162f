/** What the time to the next poll depends on. */
interface PollPace {
  /** `ledgerLens.statusPollSeconds`. */
  readonly settingSeconds: number;
  /** The server's `max-age`. */
  readonly maxAgeMs: number;
  /** Polls in a row that failed. */
  readonly misses: number;
  /** What the server asks for with `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
}

const MIN_MS = 60_000;
const DEFAULT_SECONDS = 180;
const MAX_BACK_OFF_MS = 30 * 60_000;
/** So often a page is asked while what depends on it is not in use. */
const IDLE_SECONDS = 30 * 60;
/** The setting as it counts for a look that a person waits for whose request failed. */
export const AWAITED_SECONDS = 60;
/** Upwards only: no poll comes earlier than promised. */
const JITTER = 0.2;
/** Wider after a fault, which all editors meet at the same moment. */
const JITTER_AFTER_FAULT = 0.5;
/** A longer timer of Node's fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The least time between two polls: never below the server's `max-age`, a minute, or the setting. */
export function pollIntervalMs({
  settingSeconds,
  maxAgeMs,
}: Pick<PollPace, "settingSeconds" | "maxAgeMs">): number {
  return Math.min(Math.max(MIN_MS, intervalSeconds(settingSeconds) * 1000, maxAgeMs), LONGEST_TIMER_MS);
}

/** The setting as it counts while Ledger Lens is not in use. */
export function idleSeconds(settingSeconds: number): number {
  return Math.max(IDLE_SECONDS, intervalSeconds(settingSeconds));
}

function intervalSeconds(settingSeconds: number): number {
  return Number.isFinite(settingSeconds) && settingSeconds > 0 ? settingSeconds : DEFAULT_SECONDS;
}

/**
 * The time from one poll to the next: the interval; from the second fault in a row on doubled with every further
 * one up to half an hour; never less than `Retry-After`; and always some more by chance, so that editors drift
 * apart.
 *
 * @param random from 0 to 1
 */
export function nextPollMs(pace: PollPace, random: number): number {
  const interval = pollIntervalMs(pace);
  if (pace.misses === 0) return Math.min(interval * (1 + JITTER * random), LONGEST_TIMER_MS);
  const backedOff = Math.max(interval, Math.min(interval * 2 ** (pace.misses - 1), MAX_BACK_OFF_MS));
  const least = Math.max(backedOff, pace.retryAfterMs ?? 0);
  return Math.min(least * (1 + JITTER_AFTER_FAULT * random), LONGEST_TIMER_MS);
}
