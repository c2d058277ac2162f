import { t } from "@vscode/l10n";
import { IDENTIFIER } from "../text/identifier.ts";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import {
  allOf,
  anything,
  flag,
  ifReadable,
  isObject,
  listOf,
  mapped,
  matching,
  Misfit,
  object,
  oneOf,
  optional,
  readAs,
  text,
  type Shape,
} from "../json/shape.ts";

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

/** What of a contract can be found by its hash. */
export type MemberKind = "function" | "error" | "event";

/** A function, error or event of a JSON ABI (docs.soliditylang.org, "Contract ABI Specification", JSON). */
export interface AbiEntry {
  readonly type: MemberKind;
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly outputs?: readonly AbiParameter[];
  readonly stateMutability?: string;
  readonly anonymous?: boolean;
}

/** No compiler writes deeper tuples. */
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
    if (!isObject(one)) return true;
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

/** A missing list counts as an empty one. Its depth is bounded by {@link isAbiOfSize}. */
const parameters: Shape<AbiParameter[]> = (value) =>
  value === undefined || value === null ? [] : allOf(parameter)(value);

const parameter: Shape<AbiParameter> = mapped(
  object({
    type: text(),
    name: ifReadable(text()),
    indexed: ifReadable(flag),
    components: optional(anything),
  }),
  ({ type, name = "", indexed, components }) => {
    const read = { name, type, ...(indexed !== undefined && { indexed }) };
    if (!type.startsWith("tuple")) return read;
    const members = parameters(components);
    return members instanceof Misfit ? members.within("components") : { ...read, components: members };
  },
);

const entryFields = mapped(
  object({
    // Very old compilers leave `type` out for a function.
    type: optional(oneOf("function", "error", "event")),
    name: matching(IDENTIFIER, () => t`an identifier`),
    inputs: parameters,
    outputs: ifReadable(parameters),
    stateMutability: ifReadable(text()),
    anonymous: ifReadable(flag),
    constant: ifReadable(flag),
    payable: ifReadable(flag),
  }),
  ({ type = "function", name, inputs, outputs = [], stateMutability, anonymous, constant, payable }) => {
    if (type === "error") return { type, name, inputs };
    if (type === "event") return { type, name, inputs, anonymous: anonymous === true };
    const old = constant ? "view" : payable ? "payable" : "nonpayable";
    return { type, name, inputs, outputs, stateMutability: stateMutability ?? old };
  },
) satisfies Shape<AbiEntry>;

const entry: Shape<AbiEntry> = (value) =>
  isObject(value) && isAbiOfSize(value)
    ? entryFields(value)
    : new Misfit(() => t`a definition of usual size`);

const abi = listOf(entry);

/** The functions, errors and events of what should be a JSON ABI; malformed entries are left out. */
export function readAbi(value: unknown): AbiEntry[] {
  return readAs(abi, value) ?? [];
}

/** `transfer(address,uint256)`, from which the selector is made. */
export function signatureOf({ name, inputs }: Pick<AbiEntry, "name" | "inputs">): string {
  return `${name}(${inputs.map(signatureType).join(",")})`;
}

function signatureType({ type, components }: AbiParameter): string {
  if (!components) return type;
  return `(${components.map(signatureType).join(",")})${type.slice("tuple".length)}`;
}

/** The signature of a human-readable definition, without its kind, names and results. */
export function signatureOfText(text: string): string {
  return text
    .replace(/^(?:function|error|event) /, "")
    .replace(/ returns \(.*$/, "")
    .replace(/ indexed\b/g, "")
    .replace(/([\w[\])]) \w+(?=[,)])/g, "$1")
    .replaceAll(", ", ",");
}

/** The first four bytes of a signature's hash, as one number; of an event they begin its topic. */
export function selectorNumber(signature: string): number {
  const [a = 0, b = 0, c = 0, d = 0] = keccak_256(utf8ToBytes(signature));
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/** The number of `0x` and 8 hex digits, or of the 8 that begin a topic's 64; `undefined` for anything else. */
export function readSelector(text: string): number | undefined {
  return /^0x[0-9a-f]{8}(?:[0-9a-f]{56})?$/i.test(text) ? Number.parseInt(text.slice(2, 10), 16) : undefined;
}

/** The first topic of an event's logs: `0x` and 64 hex digits. */
export function topicOf(signature: string): string {
  return `0x${bytesToHex(keccak_256(utf8ToBytes(signature)))}`;
}
