import { asRecord } from "../../json/looseData.ts";
import { isComputed } from "./computed.ts";

/** What an operator or a function gives that can't be known; no script has it as a value. */
export const UNKNOWN = Symbol("unknown");

/** Longer texts are not made of others: no setting is one. */
export const MAX_MADE_TEXT = 4_096;

/** True for a value that is compared by what it is, not by which one it is. */
function isPrimitive(value: unknown): value is string | number | boolean | null | undefined {
  return (
    value === null || (typeof value !== "object" && typeof value !== "function" && typeof value !== "symbol")
  );
}

/** Whether a condition holds; {@link UNKNOWN} where that is computed. */
export function truthOf(value: unknown): boolean | typeof UNKNOWN {
  if (!isComputed(value)) return Boolean(value);
  const [first, ...others] = (value.alternatives ?? [value]).map((one) =>
    isComputed(one) ? UNKNOWN : Boolean(one),
  );
  return first !== undefined && others.every((one) => one === first) ? first : UNKNOWN;
}

/** What an operator of two values gives, as JavaScript has it. */
export function operate(sign: string, left: unknown, right: unknown): unknown {
  switch (sign) {
    case "===":
    case "!==":
    case "==":
    case "!=":
      return equality(sign, left, right);
    case "<":
    case ">":
    case "<=":
    case ">=":
      return comparison(sign, left, right);
    case "+":
      if (typeof left === "string" || typeof right === "string") return joinedText([left, right]);
  }
  return typeof left === "number" && typeof right === "number" ? arithmetic(sign, left, right) : UNKNOWN;
}

/** The values as one text; {@link UNKNOWN} where one is no text, or where that is too long. */
export function joinedText(parts: readonly unknown[]): unknown {
  return parts.every(isPrimitive) ? madeText(parts.map(String)) : UNKNOWN;
}

/** Texts as one, where that is not too long; a text without end would be made first, were it measured afterwards. */
function madeText(parts: readonly string[], separator = ""): unknown {
  return jointLength(parts, separator) > MAX_MADE_TEXT ? UNKNOWN : parts.join(separator);
}

/** How long texts are as one. */
export function jointLength(parts: readonly string[], separator = ""): number {
  return parts.reduce(
    (length, part) => length + part.length,
    Math.max(parts.length - 1, 0) * separator.length,
  );
}

/** A list as one text; what is nothing is an empty one there. */
function joinedList(list: readonly unknown[], separator: unknown): unknown {
  if (!list.every(isPrimitive) || (separator !== undefined && typeof separator !== "string")) return UNKNOWN;
  return madeText(
    list.map((one) => (one === null || one === undefined ? "" : String(one))),
    separator ?? ",",
  );
}

function equality(sign: string, left: unknown, right: unknown): unknown {
  if (!isPrimitive(left) || !isPrimitive(right)) return UNKNOWN;
  const isLoose = sign.length === 2;
  const isNothing = (value: unknown) => value === null || value === undefined;
  if (isLoose && (isNothing(left) || isNothing(right)))
    return (isNothing(left) && isNothing(right)) === (sign === "==");
  // What JavaScript converts first is not compared here.
  if (isLoose && typeof left !== typeof right) return UNKNOWN;
  return (left === right) === sign.startsWith("=");
}

function comparison(sign: string, left: unknown, right: unknown): unknown {
  const isComparable =
    (typeof left === "number" && typeof right === "number") ||
    (typeof left === "string" && typeof right === "string");
  if (!isComparable) return UNKNOWN;
  if (left === right) return sign.endsWith("=");
  return left < right === sign.startsWith("<");
}

function arithmetic(sign: string, left: number, right: number): unknown {
  switch (sign) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return left % right;
    case "**":
      return left ** right;
    case "<<":
      return left << right;
    default:
      return UNKNOWN;
  }
}

type Pure = (value: unknown, second: unknown) => unknown;

/** Functions of texts and numbers that depend on nothing but what they are called with. */
const OF_PRIMITIVES: ReadonlyMap<string, Pure> = new Map<string, Pure>([
  ["Number", (value) => numberOr(Number(value))],
  ["parseInt", parsedInteger],
  ["Number.parseInt", parsedInteger],
  ["parseFloat", (value) => numberOr(Number.parseFloat(String(value)))],
  ["String", (value) => String(value)],
]);

/** Functions of any value. */
const OF_ALL: ReadonlyMap<string, Pure> = new Map<string, Pure>([
  ["Boolean", (value) => truthOf(value)],
  ["Object.freeze", (value) => value],
  ["Array.isArray", (value) => (isComputed(value) ? UNKNOWN : Array.isArray(value))],
  ["Object.keys", (value) => whole(value)?.map(([name]) => name) ?? UNKNOWN],
  ["Object.values", (value) => whole(value)?.map(([, one]) => one) ?? UNKNOWN],
  ["Object.entries", (value) => whole(value) ?? UNKNOWN],
  ["Object.fromEntries", fromEntries],
]);

/** The names and values of an object of which all are known; what is computed may not even be there. */
function whole(value: unknown): [string, unknown][] | undefined {
  const record = isComputed(value) ? undefined : asRecord(value);
  const entries = record && Object.entries(record);
  return entries?.some(([, one]) => isComputed(one)) === true ? undefined : entries;
}

function fromEntries(value: unknown): unknown {
  if (!Array.isArray(value)) return UNKNOWN;
  const isEntry = (one: unknown): one is [string, unknown] =>
    Array.isArray(one) && typeof one[0] === "string";
  return value.every(isEntry) ? Object.fromEntries(value) : UNKNOWN;
}

/** A function by its name: what it gives for its arguments, or {@link UNKNOWN}; `undefined` for none of these. */
export function pureFunction(name: string): ((args: readonly unknown[]) => unknown) | undefined {
  const known = OF_PRIMITIVES.get(name);
  if (known)
    return ([value, second]) => (isPrimitive(value) && isPrimitive(second) ? known(value, second) : UNKNOWN);
  const general = OF_ALL.get(name);
  return general && (([value, second]) => general(value, second));
}

function parsedInteger(value: unknown, radix: unknown): unknown {
  if (radix !== undefined && typeof radix !== "number") return UNKNOWN;
  return numberOr(Number.parseInt(String(value), radix));
}

/** No setting of a compiler is "not a number". */
function numberOr(value: number): unknown {
  return Number.isNaN(value) ? UNKNOWN : value;
}

/** What a method of a text or a list gives that depends on nothing else. */
export function pureMethod(target: unknown, method: string, args: readonly unknown[]): unknown {
  const [first] = args;
  if (typeof target === "string" && args.length === 0) {
    if (method === "toLowerCase") return changedText(target, (text) => text.toLowerCase());
    if (method === "toUpperCase") return changedText(target, (text) => text.toUpperCase());
    if (method === "trim") return target.trim();
    return UNKNOWN;
  }
  if (typeof target === "string" && typeof first === "string" && args.length === 1) {
    if (method === "startsWith") return target.startsWith(first);
    if (method === "endsWith") return target.endsWith(first);
    if (method === "includes") return target.includes(first);
    return UNKNOWN;
  }
  if (Array.isArray(target) && !target.some(isComputed)) {
    if (method === "includes" && args.length === 1 && isPrimitive(first) && target.every(isPrimitive))
      return target.includes(first);
    if (method === "concat" && args.length === 1 && Array.isArray(first))
      return [...(target as unknown[]), ...(first as unknown[])];
    if (method === "join") return joinedList(target as unknown[], first);
  }
  return UNKNOWN;
}

/** Another text of the same length or so. */
function changedText(text: string, change: (text: string) => string): unknown {
  return text.length > MAX_MADE_TEXT ? UNKNOWN : change(text);
}
