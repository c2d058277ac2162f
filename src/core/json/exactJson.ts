import { withoutTrailingZeros } from "../text/exactDecimal.ts";

/** How many digits an exponent may expand to; a longer number stays as it was written. */
const MAX_DIGITS = 1000;

/**
 * Finds a number literal that a double may not hold: one with 16 characters or more, or with an exponent,
 * behind `:`, `,` or `[`. A string that merely looks so costs time, not correctness.
 */
const SUSPICIOUS_NUMBER = /[:,[]\s*-?(?:\d[\d.]{15}|[\d.]+[eE])[\d.eE+-]*/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Parses JSON without losing a digit: an integer outside ±(2^53 − 1) becomes a string of its decimal digits,
 * also when it was written with an exponent (`1.5e18`), and a fraction that no double gives back, such as seconds with
 * nanoseconds (`1684759236.926863003`), a string as it was written; every other number is a number.
 *
 * Such literals are put between quotes before parsing: a reviver, which would see their source text, makes parsing six
 * times slower and needs stack for nesting.
 *
 * A byte order mark before it is left out, which some servers send.
 *
 * @throws SyntaxError for what is no JSON
 */
export function parseExactJson(written: string): unknown {
  const text = written.startsWith("\ufeff") ? written.slice(1) : written;
  if (/^\s*-?\d/.test(text)) {
    const value = JSON.parse(text) as unknown;
    return exactLiteral(text.trim()) ?? value;
  }
  let quoted = "";
  let copied = 0;
  const strings = new StringScan(text);
  for (const match of text.matchAll(SUSPICIOUS_NUMBER)) {
    const [found] = match;
    const exact = exactLiteral(found.slice(1).trimStart());
    if (exact === undefined || strings.isInside(match.index)) continue;
    const end = match.index + found.length;
    // A number in the place of a name is a mistake, and has to stay one.
    if (/^\s*:/.test(text.slice(end, end + 100))) continue;
    quoted += `${text.slice(copied, match.index + 1)}"${exact}"`;
    copied = end;
  }
  return JSON.parse(copied === 0 ? text : quoted + text.slice(copied)) as unknown;
}

/** Tells whether a place is inside a string; asked for places in rising order. */
class StringScan {
  readonly #text: string;
  #at = 0;
  #isInside = false;
  /** The next quote that opens or closes a string; remembered, since a text without more quotes has no end to look to. */
  #next: number;

  constructor(text: string) {
    this.#text = text;
    this.#next = this.#find();
  }

  isInside(place: number): boolean {
    while (this.#next !== -1 && this.#next < place) {
      this.#at = this.#next + 1;
      this.#isInside = !this.#isInside;
      this.#next = this.#find();
    }
    return this.#isInside;
  }

  #find(): number {
    let quote = this.#text.indexOf('"', this.#at);
    while (quote !== -1 && this.#isInside && this.#isEscaped(quote))
      quote = this.#text.indexOf('"', quote + 1);
    return quote;
  }

  #isEscaped(quote: number): boolean {
    let slashes = 0;
    while (this.#text.charCodeAt(quote - slashes - 1) === 0x5c) slashes++;
    return slashes % 2 === 1;
  }
}

/** The digits of a number that no double holds for certain. */
function exactLiteral(literal: string): string | undefined {
  if (!NUMBER.test(literal)) return undefined;
  const value = Number(literal);
  const integer = exactInteger(literal);
  if (integer !== undefined) return Number.isSafeInteger(value) ? undefined : integer;
  return significantDigits(literal) === significantDigits(String(value)) ? undefined : literal;
}

/** All that a number says, in one form for all ways to write it: its digits without the zeros around them, and their place. */
function significantDigits(literal: string): string | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal);
  if (!parts) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts;
  const digits = trimZeros(whole + fraction);
  const kept = withoutTrailingZeros(digits);
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

/** The digits of an integer-valued literal, or `undefined` when it is a fraction that a number may hold. */
function exactInteger(source: string): string | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source);
  if (!parts) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts;
  const scale = Number(exponent) - fraction.length;
  const digits = whole + fraction;
  if (scale > MAX_DIGITS) return source;
  if (scale >= 0) return sign + trimZeros(digits + "0".repeat(scale));
  // A fraction unless everything behind the point is zero.
  if (/[^0]/.test(digits.slice(scale))) return undefined;
  return sign + trimZeros(digits.slice(0, scale));
}

function trimZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, "");
}
