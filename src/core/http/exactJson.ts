/** How many digits an exponent may expand to; a longer number stays as it was written. */
const MAX_DIGITS = 1000;

/**
 * Finds a number literal that a double may not hold: one with 16 characters or more, or with an exponent,
 * behind `:`, `,` or `[`. A string that merely looks so costs time, not correctness.
 */
const SUSPICIOUS_NUMBER = /[:,[]\s*-?(?:\d[\d.]{15}|[\d.]+[eE])|^\s*-?\d/;

/**
 * Parses JSON without losing a digit: an integer outside ±(2^53 − 1) becomes a string of its decimal digits,
 * also when it was written with an exponent (`1.5e18`); every other number is a number.
 *
 * @throws SyntaxError for what is no JSON, RangeError for nesting deeper than the engine can follow.
 */
export function parseExactJson(text: string): unknown {
  if (!SUSPICIOUS_NUMBER.test(text)) return JSON.parse(text) as unknown;
  return (JSON.parse as ParseWithSource)(text, (_key, value, context) =>
    typeof value === "number" && !Number.isSafeInteger(value)
      ? (exactInteger(context.source) ?? value)
      : value,
  );
}

/** `JSON.parse` whose reviver sees the source text (ECMAScript proposal "JSON.parse source text access"). */
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source: string }) => unknown,
) => unknown;

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
