import { t } from "@vscode/l10n";
import { grouped } from "./counted.ts";

/** An IANA time zone; the machine's own where it is absent. */
export type TimeZone = string | undefined;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Outside these no calendar counts by years of four digits, and the ends of what a `Date` holds can't be formatted. */
const FIRST_MS = Date.parse("0001-01-02T00:00:00Z");
const LAST_MS = Date.UTC(9999, 11, 31);
const DAY_MINUTES = 24 * 60;

/** "40 s", "42 min", "1 h 5 min", "3 days 2 h". Cut, never rounded up. */
export function durationWords(milliseconds: number): string {
  if (milliseconds < DAY_MS) return underADay(milliseconds);
  const { days, count, hours } = inDays(milliseconds);
  if (hours === 0) return days === 1 ? t`1 day` : t`${count} days`;
  return days === 1 ? t`1 day ${hours} h` : t`${count} days ${hours} h`;
}

/** "40 s ago", "3 days 2 h ago"; "just now" below five seconds, and where the clocks disagree. */
export function agoWords(at: number, now: number): string {
  const passed = now - at;
  if (passed < 5 * SECOND_MS) return t`just now`;
  if (passed < DAY_MS) return t`${underADay(passed)} ago`;
  // Other languages bend a day by what stands before it.
  const { days, count, hours } = inDays(passed);
  if (hours === 0) return days === 1 ? t`1 day ago` : t`${count} days ago`;
  return days === 1 ? t`1 day ${hours} h ago` : t`${count} days ${hours} h ago`;
}

/** "in 40 s", "in 3 h 5 min", "in 61 days 12 h". */
export function inWords(at: number, now: number): string {
  const left = at - now;
  if (left < DAY_MS) return t`in ${underADay(left)}`;
  const { days, count, hours } = inDays(left);
  if (hours === 0) return days === 1 ? t`in 1 day` : t`in ${count} days`;
  return days === 1 ? t`in 1 day ${hours} h` : t`in ${count} days ${hours} h`;
}

function underADay(milliseconds: number): string {
  const passed = Math.max(0, milliseconds);
  if (passed < MINUTE_MS) return `${Math.floor(passed / SECOND_MS)} s`;
  const minutes = Math.floor(passed / MINUTE_MS);
  if (passed < HOUR_MS) return t`${minutes} min`;
  const hours = Math.floor(passed / HOUR_MS);
  return minutes % 60 === 0 ? `${hours} h` : t`${hours} h ${minutes % 60} min`;
}

function inDays(milliseconds: number): {
  readonly days: number;
  readonly count: string;
  readonly hours: number;
} {
  const days = Math.floor(milliseconds / DAY_MS);
  return { days, count: grouped(days), hours: Math.floor((milliseconds % DAY_MS) / HOUR_MS) };
}

/** "2 min ago" within the hour, then the local time: words that stay as they are while nothing happens. */
export function whenWords(at: number, now: number, timeZone: TimeZone): string {
  return now - at < HOUR_MS ? agoWords(at, now) : localTime(at, now, timeZone);
}

/** When {@link whenWords} of a time change because time passes; milliseconds since the epoch. */
export function nextWhenWordsAt(at: number, now: number, timeZone: TimeZone): number {
  return nextWordsAt(now - at < HOUR_MS ? [at] : [], now, timeZone);
}

/** "in 1 day", "in 26 min": the largest unit only, since a countdown is read at a glance. */
export function countdownWords(at: number, now: number): string {
  const left = Math.max(0, at - now);
  if (left < MINUTE_MS) return t`in less than a minute`;
  if (left < HOUR_MS) return t`in ${Math.floor(left / MINUTE_MS)} min`;
  if (left < DAY_MS) return t`in ${Math.floor(left / HOUR_MS)} h`;
  const { days, count } = inDays(left);
  return days === 1 ? t`in 1 day` : t`in ${count} days`;
}

/**
 * When words that tell of these points in time change next: how long it is until or since then, or the local time, whose
 * day is another one after midnight. Never too late, maybe too early. All in milliseconds since the epoch.
 */
export function nextWordsAt(times: readonly number[], now: number, timeZone: TimeZone): number {
  const midnight =
    Math.floor(now / MINUTE_MS) * MINUTE_MS + (DAY_MINUTES - localMinutes(now, timeZone)) * MINUTE_MS;
  return times.reduce((first, at) => Math.min(first, nextDurationAt(at, now)), midnight);
}

/** When the words of the time between two points change next. */
function nextDurationAt(at: number, now: number): number {
  const between = Math.abs(now - at);
  const unit = between < MINUTE_MS ? SECOND_MS : between < DAY_MS ? MINUTE_MS : HOUR_MS;
  const whole = Math.floor(between / unit) * unit;
  return at <= now ? at + whole + unit : at - whole + 1;
}

/** "13:10" today, "tomorrow 19:00", "yesterday 19:00", "24 Nov 19:00", "24 Nov 2027 19:00". */
export function localTime(at: number, now: number, timeZone: TimeZone): string {
  const there = localParts(at, timeZone);
  const here = localParts(now, timeZone);
  const time = `${there.hour}:${there.minute}`;
  switch (dayNumber(there) - dayNumber(here)) {
    case 0:
      return time;
    case 1:
      return t`tomorrow ${time}`;
    case -1:
      return t`yesterday ${time}`;
    default: {
      const day = `${Number(there.day)} ${MONTHS[Number(there.month) - 1] ?? there.month}`;
      return `${day}${there.year === here.year ? "" : ` ${there.year}`} ${time}`;
    }
  }
}

/** "tomorrow 19:00–19:40"; the day of the end only where it is another one. */
export function localSpan(from: number, until: number, now: number, timeZone: TimeZone): string {
  const start = localTime(from, now, timeZone);
  const there = localParts(until, timeZone);
  const sameDay = dayNumber(there) === dayNumber(localParts(from, timeZone));
  return `${start}–${sameDay ? `${there.hour}:${there.minute}` : localTime(until, now, timeZone)}`;
}

/** "2026-11-24 19:00:05 GMT+01:00", for tooltips. */
export function exactTime(at: number, timeZone: TimeZone): string {
  const { year, month, day, hour, minute, second, offset } = localParts(at, timeZone);
  return `${year}-${month}-${day} ${hour}:${minute}:${second} ${offset}`;
}

/** Minutes since local midnight, from 0 to 1,439. */
function localMinutes(at: number, timeZone: TimeZone): number {
  const { hour, minute } = localParts(at, timeZone);
  return Number(hour) * 60 + Number(minute);
}

const MONTHS = [
  t`Jan`,
  t`Feb`,
  t`Mar`,
  t`Apr`,
  t`May`,
  t`Jun`,
  t`Jul`,
  t`Aug`,
  t`Sep`,
  t`Oct`,
  t`Nov`,
  t`Dec`,
];

interface LocalParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  readonly offset: string;
}

const formats = new Map<TimeZone, Intl.DateTimeFormat>();

function localParts(at: number, timeZone: TimeZone): LocalParts {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
      timeZoneName: "longOffset",
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(
    format.formatToParts(Math.min(Math.max(at, FIRST_MS), LAST_MS)).map(({ type, value }) => [type, value]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? "";
  return {
    year: part("year"),
    month: part("month"),
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
    second: part("second"),
    offset: part("timeZoneName"),
  };
}

/** A number that grows by one each local day, whatever the length of that day. */
function dayNumber({ year, month, day }: LocalParts): number {
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS;
}
