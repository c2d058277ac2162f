import { hexToBytes } from "@noble/hashes/utils.js";
import { isHarmless, type CodeComparison, type ItemPair } from "../evm/codeComparison.ts";
import type { CodeItem } from "../evm/codeItems.ts";
import { constantUses } from "../evm/constants.ts";
import type { Instruction } from "../evm/disassembly.ts";
import { readableText } from "../evm/hex.ts";
import { isPush } from "../evm/opcodes.ts";
import { groupDigits } from "../text/exactDecimal.ts";
import { foreign } from "../text/shownText.ts";
import { shortAddress } from "../text/shownText.ts";

/** A constant that differs, 256 bits each. */
interface ValueDifference {
  readonly deployed: bigint;
  readonly compiled: bigint;
}

/** More of them are no changed constant any more. */
const MAX_VALUES = 3;

/**
 * The constants that differ, each pair of values once, where two codes differ in nothing else; `undefined` where they differ
 * in more, or in more values than a person would read.
 */
export function valueDifferences({ pairs }: CodeComparison): readonly ValueDifference[] | undefined {
  const found = new Map<string, ValueDifference>();
  for (let at = 0; at < pairs.length; at++) {
    const first = pairs[at];
    if (!first || isHarmless(first)) continue;
    const stretch: ItemPair[] = [];
    for (let pair = pairs[at]; pair && !isHarmless(pair); pair = pairs[++at]) stretch.push(pair);
    const values = valuesOf(stretch);
    if (!values) return undefined;
    for (const value of values) found.set(`${value.deployed} ${value.compiled}`, value);
    if (found.size > MAX_VALUES) return undefined;
  }
  return found.size > 0 ? [...found.values()] : undefined;
}

/** The values of a stretch of items that differ: as many constants on either side, and nothing besides. */
function valuesOf(stretch: readonly ItemPair[]): ValueDifference[] | undefined {
  if (stretch.some(({ relation }) => relation === "jump")) return undefined;
  const [deployed, compiled] = [
    constantsOf(stretch.flatMap(({ left }) => left ?? [])),
    constantsOf(stretch.flatMap(({ right }) => right ?? [])),
  ];
  if (!deployed || deployed.length !== compiled?.length) return undefined;
  return deployed.flatMap((value, at) => {
    const other = compiled[at] ?? 0n;
    return value === other ? [] : [{ deployed: value, compiled: other }];
  });
}

/** The constants that items make; `undefined` where one of them does something else or names a place in the code. */
function constantsOf(items: readonly CodeItem[]): bigint[] | undefined {
  const instructions: Instruction[] = [];
  for (const { instruction, target, key } of items) {
    if (!instruction || target !== undefined || key === "push target" || key === "push place")
      return undefined;
    instructions.push(instruction);
  }
  const uses = constantUses(instructions);
  const bytes = uses.reduce((sum, use) => sum + use.bytes, 0);
  const isAll =
    instructions.some(({ opcode }) => isPush(opcode)) &&
    bytes === instructions.reduce((sum, { length }) => sum + length, 0);
  return isAll ? uses.map(({ value }) => value) : undefined;
}

/** "A value differs: 25 deployed, 52 compiled" */
export function valuesInWords(values: readonly ValueDifference[]): string {
  const texts = values.flatMap(({ deployed, compiled }) => [textOf(deployed), textOf(compiled)]);
  const lengths = new Set(texts.map((text) => (text === undefined ? -1n : BigInt(Buffer.byteLength(text)))));
  // A text of another length brings a number that says so.
  const told = values.filter(({ deployed, compiled }) => !lengths.has(deployed) || !lengths.has(compiled));
  const each = told.map(
    ({ deployed, compiled }) => `${valueInWords(deployed)} deployed, ${valueInWords(compiled)} compiled`,
  );
  return `${told.length === 1 ? "A value differs" : `${told.length} values differ`}: ${each.join("; ")}`;
}

/** Numbers with more digits are shown in hex, without their middle. */
const MAX_DIGITS = 24;

function valueInWords(value: bigint): string {
  const text = textOf(value);
  if (text !== undefined) return `"${foreign(text)}"`;
  const decimal = value.toString();
  return decimal.length <= MAX_DIGITS
    ? groupDigits(decimal)
    : shortAddress(`0x${value.toString(16).padStart(40, "0")}`);
}

/** The text of a word that begins with one and ends in zeros, as solc writes strings. */
function textOf(value: bigint): string | undefined {
  const digits = value.toString(16);
  if (digits.length !== 64) return undefined;
  const text = readableText(hexToBytes(digits.replace(/(?:00)+$/, "")));
  return text !== undefined && /^[\x20-\x7e]{2,}$/.test(text) ? text : undefined;
}
