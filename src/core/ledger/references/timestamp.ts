import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../errors.ts";
import { integerText } from "../../text/exactDecimal.ts";

const NANOS_PER_SECOND = 1_000_000_000n;
/** The last millisecond that a Date can hold. */
const MAX_DATE_MS = 8_640_000_000_000_000n;

/**
 * Nanoseconds since the epoch of a ledger timestamp `seconds.fraction`, by the one pattern that there is for them: 1 to 10 digits
 * of seconds, as many as 64 bits of nanoseconds have, and up to 9 behind the point (hiero-mirror-node, rest/api/v1/openapi.yml,
 * Timestamp). The fraction is a decimal fraction, so it is padded on the right: `1.5` is 1,500,000,000 ns.
 *
 * @returns `undefined` for anything else
 */
export function timestampNanos(timestamp: unknown): bigint | undefined {
  const [, seconds, fraction = ""] =
    typeof timestamp === "string" ? (/^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(timestamp) ?? []) : [];
  return seconds === undefined
    ? undefined
    : BigInt(seconds) * NANOS_PER_SECOND + BigInt(fraction.padEnd(9, "0"));
}

/** Nanoseconds as `seconds.nnnnnnnnn`. */
export function timestampOfNanos(nanos: bigint): string {
  return `${nanos / NANOS_PER_SECOND}.${String(nanos % NANOS_PER_SECOND).padStart(9, "0")}`;
}

/** Nanoseconds since the epoch as `2023-05-22 12:27:16.926863003 UTC`, exact. */
export function dateOfNanos(nanos: bigint): string {
  const milliseconds = nanos / 1_000_000n;
  if (milliseconds > MAX_DATE_MS || nanos < 0n) return t`${String(nanos)} ns since 1970`;
  const [date = "", time = ""] = new Date(Number(milliseconds)).toISOString().split("T");
  const fraction = String(nanos % NANOS_PER_SECOND)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return `${date} ${time.slice(0, 8)}${fraction === "" ? "" : `.${fraction}`} UTC`;
}

/** A ledger timestamp as a date; what is no timestamp comes back as it is. */
export function dateText(timestamp: string): string {
  const nanos = timestampNanos(timestamp);
  return nanos === undefined ? timestamp : dateOfNanos(nanos);
}

/**
 * A token's `expiry_timestamp` in nanoseconds. Servers send it as an integer of nanoseconds (a literal that no
 * double can hold, also with an exponent), as a string of one, or as `seconds.nanoseconds`
 * (hiero-ledger/hiero-mirror-node issues 2458, 5779, 11721).
 */
export function expiryNanos(value: unknown): bigint | undefined {
  const nanos = typeof value === "string" && value.includes(".") ? timestampNanos(value) : undefined;
  if (nanos !== undefined) return nanos;
  const digits = integerText(value);
  return digits === undefined ? undefined : BigInt(digits);
}

/**
 * Checks a `timestamp` query: `seconds.nanoseconds`, with `eq:`, `lt:` or `lte:` before it.
 *
 * @throws LedgerLensError `invalid_parameter`
 */
export function checkTimestampQuery(query: string): string {
  const text = query.trim();
  if (timestampNanos(text.replace(/^(?:eq|lte?):/, "")) !== undefined) return text;
  const operator = /^(gte?|ne):/.exec(text)?.[1];
  throw new LedgerLensError(
    "invalid_parameter",
    operator === undefined
      ? t`The timestamp can't be used: write seconds and nanoseconds such as 1684759236.926863003, with eq:, lt: or lte: before it if wanted.`
      : t`A token can't be asked for with the operator "${operator}": use eq, lt or lte.`,
  );
}

/**
 * A `timestamp` query from what a person types: one as the ledger takes it, or a date with or without a time, which is
 * UTC unless it says otherwise.
 *
 * @throws LedgerLensError `invalid_parameter`
 */
export function timestampQueryOf(typed: string): string {
  const [, operator = "", text = ""] = /^((?:eq|lte?):)?\s*(.*)$/.exec(typed.trim()) ?? [];
  if (!/^\d{4}-\d{2}-\d{2}(?:[ T]\d{1,2}:\d{2}.*)?$/.test(text)) return checkTimestampQuery(typed);
  const [, date = "", time = "00:00", zone = "Z"] =
    /^(\S{10})(?:[ T](\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/.exec(text) ??
    [];
  const [clock = "", fraction = ""] = time.split(".");
  const milliseconds = Date.parse(
    `${date}T${clock.padStart(clock.length > 5 ? 8 : 5, "0")}${zone.replace("UTC", "Z")}`,
  );
  // A day that a month lacks is taken for one of the next month.
  const day = new Date(Date.parse(`${date}T00:00Z`));
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
  if (!isDay || Number.isNaN(milliseconds) || milliseconds < 0) {
    throw new LedgerLensError(
      "invalid_parameter",
      t`This date does not exist or lies before 1970: write it as 2024-05-01 12:00.`,
    );
  }
  return `${operator}${milliseconds / 1000}${fraction === "" ? "" : `.${fraction}`}`;
}
