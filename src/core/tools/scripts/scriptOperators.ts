import { isComputed } from "./computed.ts";

/** What an operator or a function gives that can't be known; no script has it as a value. */
export const UNKNOWN = Symbol("unknown");

const LONGEST_TEXT = 1_000_000;

/** True for a value that is compared by what it is, not by which one it is. */
function isPrimitive(value: unknown): value is string | number | boolean | null | undefined {
  return value === null || (typeof value !== "object" && typeof value !== "function");
}

/** Whether a condition holds; {@link UNKNOWN} where that is computed. */
export function truthOf(value: unknown): boolean | typeof UNKNOWN {
  return isComputed(value) ? UNKNOWN : Boolean(value);
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
      if (typeof left === "string" && typeof right === "string")
        return left.length + right.length > LONGEST_TEXT ? UNKNOWN : left + right;
      return arithmetic(sign, left, right);
    default:
      return arithmetic(sign, left, right);
  }
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

function arithmetic(sign: string, left: unknown, right: unknown): unknown {
  if (typeof left !== "number" || typeof right !== "number") return UNKNOWN;
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
    default:
      return UNKNOWN;
  }
}

/** Functions that depend on nothing but what they are called with. */
const FUNCTIONS: ReadonlyMap<string, (value: unknown, second: unknown) => unknown> = new Map([
  ["Number", (value) => (value === undefined || isPrimitive(value) ? numberOr(Number(value)) : UNKNOWN)],
  ["parseInt", (value, radix) => parsedInteger(value, radix)],
  ["Number.parseInt", (value, radix) => parsedInteger(value, radix)],
  ["parseFloat", (value) => (isPrimitive(value) ? numberOr(Number.parseFloat(String(value))) : UNKNOWN)],
  ["String", (value) => (isPrimitive(value) ? String(value) : UNKNOWN)],
  ["Boolean", (value) => truthOf(value)],
  ["Object.freeze", (value) => value],
  ["defineConfig", (value) => value],
]);

/** A function by its name: what it gives for its arguments, or {@link UNKNOWN}; `undefined` for none of these. */
export function pureFunction(name: string): ((args: readonly unknown[]) => unknown) | undefined {
  const known = FUNCTIONS.get(name);
  return (
    known &&
    (([value, second]) => {
      const isGiven = name === "defineConfig" || name === "Object.freeze";
      return !isGiven && (isComputed(value) || isComputed(second)) ? UNKNOWN : known(value, second);
    })
  );
}

function parsedInteger(value: unknown, radix: unknown): unknown {
  if (!isPrimitive(value) || (radix !== undefined && typeof radix !== "number")) return UNKNOWN;
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
    if (method === "toLowerCase") return target.toLowerCase();
    if (method === "toUpperCase") return target.toUpperCase();
    if (method === "trim") return target.trim();
    return UNKNOWN;
  }
  if (typeof target === "string" && typeof first === "string" && args.length === 1) {
    if (method === "startsWith") return target.startsWith(first);
    if (method === "endsWith") return target.endsWith(first);
    if (method === "includes") return target.includes(first);
    return UNKNOWN;
  }
  if (Array.isArray(target) && args.length === 1) {
    if (method === "includes" && isPrimitive(first) && target.every(isPrimitive))
      return target.includes(first);
    if (method === "concat" && Array.isArray(first))
      return [...(target as unknown[]), ...(first as unknown[])];
  }
  return UNKNOWN;
}
