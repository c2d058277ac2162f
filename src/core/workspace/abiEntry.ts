import { keccak_256 } from "@noble/hashes/sha3.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** A parameter of a JSON ABI. */
export interface AbiParameter {
  /** Empty where there is none. */
  readonly name: string;
  /** `uint256`, `tuple[2][]` */
  readonly type: string;
  /** The members of a tuple, in arrays too. */
  readonly components?: readonly AbiParameter[];
  readonly indexed?: boolean;
}

/** A function, error or event of a JSON ABI (docs.soliditylang.org, "Contract ABI Specification", JSON). */
export interface AbiEntry {
  readonly type: "function" | "error" | "event";
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly outputs?: readonly AbiParameter[];
  readonly stateMutability?: string;
  readonly anonymous?: boolean;
}

/** Tuples deeper than this are nobody's. */
const MAX_DEPTH = 32;

/** Dimensions of an array. */
const MAX_DIMENSIONS = 32;
/** Of one definition, those of its tuples as well. */
const MAX_PARAMETERS = 1_000;
/** Names and types of one definition together, or a human-readable one as a whole. */
const MAX_CHARACTERS = 20_000;

/**
 * Whether a definition is of a size that contracts have. One from elsewhere may have ten thousand levels, dimensions or
 * parameters, for which the readers of ABIs take the square of the time, or the stack.
 *
 * @param item of a JSON ABI, or human-readable
 */
export function isAbiOfSize(item: string | Readonly<Record<string, unknown>>): boolean {
  if (typeof item === "string") return item.length <= MAX_CHARACTERS && !isDeepText(item);
  const { name, inputs, outputs } = item;
  const left = { parameters: MAX_PARAMETERS, characters: MAX_CHARACTERS - lengthOf(name) };
  return left.characters >= 0 && areOfSize(inputs, left, 0) && areOfSize(outputs, left, 0);
}

function areOfSize(value: unknown, left: { parameters: number; characters: number }, depth: number): boolean {
  if (!Array.isArray(value)) return true;
  left.parameters -= value.length;
  if (left.parameters < 0 || depth > MAX_DEPTH) return false;
  return value.every((one: unknown) => {
    if (!isRecord(one)) return true;
    const { name, type, components } = one;
    left.characters -= lengthOf(name) + lengthOf(type);
    return (
      left.characters >= 0 &&
      !(typeof type === "string" && (type.split("[").length > MAX_DIMENSIONS + 1 || isDeepText(type))) &&
      areOfSize(components, left, depth + 1)
    );
  });
}

function lengthOf(text: unknown): number {
  return typeof text === "string" ? text.length : 0;
}

/** Whether a text has parentheses in more levels than tuples have. */
function isDeepText(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    else if (character === ")") depth--;
    // The parameters of a function are no tuple.
    if (depth > MAX_DEPTH + 1) return true;
  }
  return false;
}

/** The functions, errors and events of what should be a JSON ABI; whatever is malformed is left out. */
export function readAbi(value: unknown): AbiEntry[] {
  return Array.isArray(value) ? value.flatMap((entry) => readEntry(entry) ?? []) : [];
}

function readEntry(value: unknown): AbiEntry | undefined {
  if (!isRecord(value) || !isAbiOfSize(value)) return undefined;
  // Very old compilers leave `type` out for a function.
  const { type = "function", name, stateMutability, anonymous, constant, payable } = value;
  if (type !== "function" && type !== "error" && type !== "event") return undefined;
  if (typeof name !== "string" || !/^[A-Za-z_$][\w$]*$/.test(name)) return undefined;
  const inputs = readParameters(value["inputs"]);
  const outputs = readParameters(value["outputs"]);
  if (!inputs) return undefined;
  if (type === "error") return { type, name, inputs };
  if (type === "event") return { type, name, inputs, anonymous: anonymous === true };
  const old = constant === true ? "view" : payable === true ? "payable" : "nonpayable";
  const mutability = typeof stateMutability === "string" ? stateMutability : old;
  return { type, name, inputs, outputs: outputs ?? [], stateMutability: mutability };
}

function readParameters(value: unknown, depth = 0): AbiParameter[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || depth > MAX_DEPTH) return undefined;
  const parameters = value.map((one): AbiParameter | undefined => {
    if (!isRecord(one) || typeof one["type"] !== "string") return undefined;
    const { name, type, indexed } = one;
    const components = type.startsWith("tuple") ? readParameters(one["components"], depth + 1) : undefined;
    if (type.startsWith("tuple") && !components) return undefined;
    return {
      name: typeof name === "string" ? name : "",
      type,
      ...(components && { components }),
      ...(typeof indexed === "boolean" && { indexed }),
    };
  });
  return parameters.includes(undefined) ? undefined : (parameters as AbiParameter[]);
}

/** `transfer(address,uint256)`, from which the selector is made. */
export function signatureOf({ name, inputs }: Pick<AbiEntry, "name" | "inputs">): string {
  return `${name}(${inputs.map(signatureType).join(",")})`;
}

function signatureType({ type, components }: AbiParameter): string {
  if (!components) return type;
  return `(${components.map(signatureType).join(",")})${type.slice("tuple".length)}`;
}

/** The first four bytes of a signature's hash, as one number. */
export function selectorNumber(signature: string): number {
  const [a = 0, b = 0, c = 0, d = 0] = keccak_256(utf8ToBytes(signature));
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/** `0x` and 8 lower-case hex digits. */
export function selectorText(selector: number): string {
  return `0x${selector.toString(16).padStart(8, "0")}`;
}

/** The number of `0x` and 8 hex digits; `undefined` for anything else. */
export function readSelector(text: string): number | undefined {
  return /^0x[0-9a-f]{8}$/i.test(text) ? Number.parseInt(text.slice(2), 16) : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
