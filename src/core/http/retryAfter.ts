/** A service that names a longer time, by mistake or for good, is asked again after this one. */
export const LONGEST_HELD_MS = 24 * 60 * 60_000;
/** A longer wait than a year is a mistake of the server's. */
const MAX_TOLD_MS = 365 * 86_400_000;

/**
 * Milliseconds that the `Retry-After` of an answer asks to wait (RFC 9110, section 10.2.3); `undefined` where it has none.
 * A date is one of the service's clock, which its `Date` tells: that of this machine may be another.
 *
 * @param headers names in lower case
 * @param now milliseconds since the epoch
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const value = headers["retry-after"]?.trim() ?? "";
  // One that a proxy says again stands beside the first; of anything but a date, `Date.parse` makes one of long ago.
  const seconds = /^\d+(?:\s*,\s*\d+)*$/.test(value) ? value.split(",").map(Number) : undefined;
  const said = dateIn(headers["date"]);
  const wait = seconds
    ? seconds.reduce((most, one) => Math.max(most, one), 0) * 1000
    : dateIn(value) - (Number.isNaN(said) ? now : said);
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), MAX_TOLD_MS);
}

function dateIn(value = ""): number {
  return /^[a-z]{3,9},? /i.test(value) ? Date.parse(value) : NaN;
}
