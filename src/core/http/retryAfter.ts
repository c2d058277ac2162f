/** Nobody waits for longer than a year. */
const MAX_TOLD_MS = 365 * 86_400_000;

/**
 * Milliseconds that a `Retry-After` asks to wait (RFC 9110, section 10.2.3); `undefined` for what is none.
 *
 * @param now milliseconds since the epoch
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? "";
  // One that a proxy says again stands beside the first; of anything but a date, `Date.parse` makes one of long ago.
  const seconds = /^\d+(?:\s*,\s*\d+)*$/.test(value) ? value.split(",").map(Number) : undefined;
  const date = /^[a-z]{3,9},? /i.test(value) ? Date.parse(value) : NaN;
  const wait = seconds ? seconds.reduce((most, one) => Math.max(most, one), 0) * 1000 : date - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), MAX_TOLD_MS);
}
