/** How many digits a figure may have; a longer number is not a real figure, and reckoning with it takes long. */
const MAX_DIGITS = 1000;

/**
 * The decimal digits of an integer that came as a number, a bigint, or a string (with an exponent too, as in
 * `"1.5e18"`); `undefined` for anything else, a number that has already lost digits included.
 */
export function integerText(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "string") return undefined;
  const parts = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]\+?(\d{1,4}))?$/.exec(value);
  if (!parts) return undefined;
  const [, sign, whole = "", fraction = "", exponent] = parts;
  const significant = withoutTrailingZeros(fraction);
  const power = Number(exponent ?? 0);
  if (significant.length > power || whole.length + power > MAX_DIGITS) return undefined;
  const digits = (whole + significant.padEnd(power, "0")).replace(/^0+(?=\d)/, "");
  return sign === "-" && digits !== "0" ? `-${digits}` : digits;
}

/** Puts commas between the thousands of a decimal number; the fraction is left alone. */
export function groupDigits(decimal: string): string {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(\..*)?$/.exec(decimal) ?? [];
  if (whole === "") return decimal;
  const groups: string[] = [];
  // From the end: a pattern for what is left would look through all of it at every digit.
  for (let end = whole.length; end > 0; end -= 3) groups.push(whole.slice(Math.max(0, end - 3), end));
  return sign + groups.reverse().join(",") + fraction;
}

/**
 * An amount in smallest units as a decimal number: `scaleDown("5432109876543", 6)` is `"5432109.876543"`. By
 * moving the point in the text, so any number of digits and decimals is exact. Trailing zeros are dropped.
 */
export function scaleDown(amount: string, decimals: number): string {
  const negative = amount.startsWith("-");
  const digits = (negative ? amount.slice(1) : amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = withoutTrailingZeros(digits.slice(digits.length - decimals));
  return `${negative ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** In one pass: a pattern for zeros at the end would start again at every zero before it. */
export function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charAt(end - 1) === "0") end--;
  return digits.slice(0, end);
}

/** Decimals as a token record states them (a string, in lists a number), if they can be applied. */
export function readDecimals(value: unknown): number | undefined {
  const digits = integerText(value);
  if (digits === undefined || digits.startsWith("-") || digits.length > 4) return undefined;
  return Number(digits);
}

/** Tinybars as HBAR, exact: `"50000000"` is `"0.5 ℏ"`. */
export function hbarText(tinybars: string): string {
  return `${groupDigits(scaleDown(tinybars, 8))} ℏ`;
}

/**
 * A fraction in per cent: exact where that takes at most six decimals (`"1"`), otherwise four significant
 * digits behind "≈". `undefined` when the denominator is zero.
 */
export function percentText(numerator: string, denominator: string): string | undefined {
  let over = BigInt(numerator) * 100n;
  let under = BigInt(denominator);
  if (under === 0n) return undefined;
  if (under < 0n) [over, under] = [-over, -under];
  const sign = over < 0n ? "-" : "";
  if (over < 0n) over = -over;
  if ((over * 1_000_000n) % under === 0n) {
    return sign + groupDigits(scaleDown(String((over * 1_000_000n) / under), 6));
  }
  let places = 4;
  while ((over * 10n ** BigInt(places)) / under < 1000n) places++;
  const scaled = (over * 10n ** BigInt(places) * 2n + under) / (under * 2n);
  return `≈ ${sign}${groupDigits(scaleDown(String(scaled), places))}`;
}
