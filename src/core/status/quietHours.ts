import { localMinutes, type TimeZone } from "../text/timeWords.ts";

/** A part of every local day, in minutes since midnight; `until` is no longer part of it. */
export interface QuietHours {
  readonly from: number;
  readonly until: number;
}

/** Reads "22:00-07:00" (a dash of any kind, "22-7" too); `undefined` for anything else, and for an empty span. */
export function parseQuietHours(text: string): QuietHours | undefined {
  const match = /^\s*(\d{1,2})(?::(\d{2}))?\s*[-–—]\s*(\d{1,2})(?::(\d{2}))?\s*$/.exec(text);
  if (!match) return undefined;
  const from = minutesOf(match[1], match[2]);
  const until = minutesOf(match[3], match[4]);
  return from === undefined || until === undefined || from === until ? undefined : { from, until };
}

/** Whether a moment falls into the quiet hours, which may begin before midnight and end after it. */
export function isQuiet(hours: QuietHours | undefined, at: number, timeZone: TimeZone): boolean {
  if (!hours) return false;
  const { from, until } = hours;
  const minutes = localMinutes(at, timeZone);
  return from < until ? minutes >= from && minutes < until : minutes >= from || minutes < until;
}

function minutesOf(hour: string | undefined, minute = "0"): number | undefined {
  const minutes = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && minutes <= 24 * 60 ? minutes : undefined;
}
