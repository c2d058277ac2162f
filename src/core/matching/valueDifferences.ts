import { t } from "@vscode/l10n";
import type { Pieces } from "../concurrency/turns.ts";
import { constantPlacesInPieces, type ConstantPlace } from "./constantPlaces.ts";
import { hexToBytes } from "@noble/hashes/utils.js";
import { isHarmless, type CodeComparison, type ItemPair } from "../evm/codeComparison.ts";
import { isPlace, isWithin, type CodeItem } from "../evm/codeItems.ts";
import { copiedConstants } from "./copiedConstants.ts";
import { constantUses } from "../evm/constants.ts";
import { compareBodiesInPieces } from "../evm/bodyComparison.ts";
import type { Disassembly, Instruction } from "../evm/disassembly.ts";
import { readableText } from "../evm/hex.ts";
import { isPush, PUSH0 } from "../evm/opcodes.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { groupDigits } from "../text/exactDecimal.ts";
import { foreign, shortAddress } from "../text/shownText.ts";

/** A constant that differs, 256 bits each. */
export interface ValueDifference {
  readonly deployed: bigint;
  readonly compiled: bigint;
  /** Where the submitted sources say it. */
  readonly place?: ConstantPlace;
  /** It stands in the code as an address does. */
  readonly isAddress?: true;
  /** The compiled code has an immutable there. */
  readonly isImmutable?: true;
}

/** More of them are no changed constant any more. */
const MAX_VALUES = 3;

/** What the DUPs of the deployed and of the compiled code copy. */
type Copies = readonly ReadonlyMap<CodeItem, bigint>[];
const NO_COPIES: Copies = [];

/**
 * The constants that differ, each pair of values once, where two codes differ in nothing else; `undefined` where they differ
 * in more, or in more values than a person would read.
 */
export function* valueDifferencesInPieces(
  deployed: Disassembly,
  compiled: Disassembly,
  { pairs }: Pick<CodeComparison, "pairs">,
): Pieces<readonly ValueDifference[] | undefined> {
  let found = differingConstants(pairs);
  if (!found && pairs.some(isOtherPlace))
    found = differingConstants(
      withNumbers(pairs, (yield* compareBodiesInPieces(deployed, compiled))?.numbers ?? []),
    );
  if (!found && pairs.some(({ left }) => left?.section.kind === "data")) {
    const [table, other] = (yield* compareBodiesInPieces(deployed, compiled))?.tables ?? [];
    // A value of another width moves what a table of functions leads to, which is no difference of its own.
    if (table && other)
      found = differingConstants(
        pairs.filter(
          ({ left, right }) => !(left && isWithin(left, table)) && !(right && isWithin(right, other)),
        ),
      );
  }
  return found && found.length > 0 ? found : undefined;
}

/** Whether two numbers are offsets of jump targets that don't stand for each other, and no jump follows at once. */
function isOtherPlace({ relation, left, right }: ItemPair): boolean {
  return relation === "jump" && left?.key === "push place" && right?.key === "push place";
}

/** The pairs with those that are offsets of jump targets by chance as what only one of the codes has, as any other constants. */
function withNumbers(
  pairs: readonly ItemPair[],
  numbers: readonly { readonly left: number; readonly right: number }[],
): readonly ItemPair[] {
  return pairs.flatMap((pair): readonly ItemPair[] => {
    const { left, right } = pair;
    if (!isOtherPlace(pair) || !left || !right) return [pair];
    if (!numbers.some((one) => one.left === left.target && one.right === right.target)) return [pair];
    return [
      { left: asNumber(left), relation: "only left" },
      { right: asNumber(right), relation: "only right" },
    ];
  });
}

function asNumber({ target: _target, ...item }: CodeItem): CodeItem {
  return { ...item, key: "push number" };
}

/** Whether two codes differ, and in nothing but how they write the same constants, such as zeros before PUSH0. */
export function areWrittenOtherwise({ pairs }: CodeComparison): boolean {
  return differingConstants(pairs)?.length === 0 && pairs.some((pair) => !isHarmless(pair));
}

function differingConstants(pairs: readonly ItemPair[]): readonly ValueDifference[] | undefined {
  const found = new Map<string, ValueDifference>();
  let copies: Copies | undefined;
  for (let at = 0; at < pairs.length; at++) {
    const first = pairs[at];
    if (!first || isHarmless(first)) continue;
    let end = stretchEnd(pairs, at);
    let values = valuesOf(pairs.slice(at, end), NO_COPIES);
    if (!values) {
      copies ??= [copiedConstants(pairs, "left"), copiedConstants(pairs, "right")];
      values = valuesOf(pairs.slice(at, end), copies);
      // A copy stands behind what it copies, and its counterpart may stand before that.
      for (let next = farEnd(pairs, end); !values && next !== undefined; next = farEnd(pairs, end)) {
        end = next;
        values = valuesOf(pairs.slice(at, end), copies);
      }
    }
    at = end;
    if (!values) return undefined;
    for (const value of values) found.set(`${value.deployed} ${value.compiled}`, value);
    if (found.size > MAX_VALUES) return undefined;
  }
  return [...found.values()];
}

/** The end of the items from a place on that differ. */
function stretchEnd(pairs: readonly ItemPair[], from: number): number {
  let end = from;
  for (let pair = pairs[end]; pair && !isHarmless(pair); pair = pairs[++end]);
  return end;
}

/** The end of the next items that differ, where nothing is before them but constants that both codes have. */
function farEnd(pairs: readonly ItemPair[], from: number): number | undefined {
  let next = from;
  for (let pair = pairs[next]; pair && isSameConstant(pair); pair = pairs[++next]);
  const end = stretchEnd(pairs, next);
  return end === next ? undefined : end;
}

function isSameConstant({ relation, left }: ItemPair): boolean {
  return relation === "same" && !!left?.instruction && isPush(left.instruction.opcode) && !isPlace(left);
}

/** The values of a stretch of items that differ: as many constants on either side, and nothing besides. */
function valuesOf(stretch: readonly ItemPair[], copies: Copies): ValueDifference[] | undefined {
  if (stretch.some(({ relation }) => relation === "jump")) return undefined;
  const sides = [stretch.flatMap(({ left }) => left ?? []), stretch.flatMap(({ right }) => right ?? [])];
  // A place in the code has a place for its counterpart: beside a number it is one itself, of the same value by chance.
  const arePlaces = sides.every((items) => items.some(isPlace));
  const [deployed, compiled] = sides.map((items, side) => constantsOf(items, arePlaces, copies[side]));
  if (!deployed || deployed.length !== compiled?.length) return undefined;
  return deployed.flatMap((value, at) => {
    const other = compiled[at] ?? 0n;
    if (value === other) return [];
    const isImmutable = other === 0n && sides[1]?.some(isOfImmutable) === true;
    return [{ deployed: value, compiled: other, ...(isImmutable && { isImmutable }) }];
  });
}

/** Whether an item keeps the place of an immutable, which a deployment writes in: a word of zeros. */
function isOfImmutable({ instruction }: CodeItem): boolean {
  return instruction?.opcode === PUSH0 + 32 && /^0*$/.test(instruction.operand);
}

/** The constants that items make; `undefined` where one of them does something else or names a place in the code. */
function constantsOf(
  items: readonly CodeItem[],
  arePlaces: boolean,
  copied?: ReadonlyMap<CodeItem, bigint>,
): bigint[] | undefined {
  const instructions: Instruction[] = [];
  for (const item of items) {
    const { instruction, key } = item;
    if (!instruction || key === "push target" || (arePlaces && isPlace(item))) return undefined;
    const copy = copied?.get(item);
    instructions.push(copy === undefined ? instruction : { ...instruction, ...pushOf(copy) });
  }
  const uses = constantUses(instructions);
  const bytes = uses.reduce((sum, use) => sum + use.bytes, 0);
  const isAll =
    instructions.some(({ opcode }) => isPush(opcode)) &&
    bytes === instructions.reduce((sum, { length }) => sum + length, 0);
  return isAll ? uses.map(({ value }) => value) : undefined;
}

/** The push that makes what a DUP copies. */
function pushOf(value: bigint): Pick<Instruction, "opcode" | "operand"> {
  const digits = value === 0n ? "" : value.toString(16);
  const operand = digits.padStart(digits.length + (digits.length % 2), "0");
  return { opcode: PUSH0 + operand.length / 2, operand };
}

/** The same differences, each with where the submitted sources say its compiled value. */
export function* placedValuesInPieces(
  differences: readonly ValueDifference[],
  input: Parameters<typeof constantPlacesInPieces>[1],
): Pieces<readonly ValueDifference[]> {
  const compiled = differences.flatMap((one) => [one.compiled, aligned(one.compiled) ?? one.compiled]);
  const places = yield* constantPlacesInPieces(new Set(compiled), input);
  return differences.map((one) => {
    const [deployedText, compiledText] = one.isAddress ? [] : [aligned(one.deployed), aligned(one.compiled)];
    if (deployedText !== undefined && compiledText !== undefined && isQuoted(compiledText, input)) {
      const place = places.get(compiledText);
      return { deployed: deployedText, compiled: compiledText, ...(place && { place }) };
    }
    const place = places.get(one.compiled);
    return place ? { ...one, place } : one;
  });
}

/** Whether a text stands in the sources, wherever that is. */
function isQuoted(word: bigint, { sources }: Pick<StandardJsonInput, "sources">): boolean {
  const text = textOfWord(word) ?? "";
  return Object.values(sources).some(
    ({ content }) => content.includes(`"${text}"`) || content.includes(`'${text}'`),
  );
}

/** A short text that is pushed as a number and shifted to its place, as the word that it becomes. */
function aligned(value: bigint): bigint | undefined {
  const digits = value.toString(16);
  if (digits.length % 2 === 1 || digits.length < 4 || digits.length > 62) return undefined;
  const word = BigInt(`0x${digits.padEnd(64, "0")}`);
  return textOfWord(word) === undefined ? undefined : word;
}

/** "A value differs: 25 deployed, 52 compiled, in FEE_BASIS_POINTS (Vault.sol:19)" */
export function valuesInWords(values: readonly ValueDifference[]): string {
  const told = values.filter((value) => !isOfText(value, values));
  const each = told.map(({ deployed, compiled, place, isImmutable }) =>
    isImmutable
      ? t`${constantInWords(deployed)} deployed, where the compiled code has an immutable`
      : t`${constantInWords(deployed)} deployed, ${constantInWords(compiled)} compiled${place ? constantPlaceInWords(place) : ""}`,
  );
  return `${told.length === 1 ? t`A value differs` : t`${told.length} values differ`}: ${each.join("; ")}`;
}

/** A text of another length brings numbers that say so: its bytes, and the bits by which it is shifted to its place. */
function isOfText({ deployed, compiled }: ValueDifference, values: readonly ValueDifference[]): boolean {
  return values.some((other) => {
    const lengths = [other.deployed, other.compiled].map((word) => {
      const text = textOfWord(word);
      return text === undefined ? undefined : BigInt(Buffer.byteLength(text));
    });
    const [one, two] = lengths;
    if (one === undefined || two === undefined) return false;
    return (
      (deployed === one && compiled === two) || (deployed === 256n - 8n * one && compiled === 256n - 8n * two)
    );
  });
}

function constantPlaceInWords({ name, file, line }: ConstantPlace): string {
  const where = `${foreign(file.slice(file.lastIndexOf("/") + 1))}:${line}`;
  return name === undefined ? t`, in ${where}` : t`, in ${foreign(name)} (${where})`;
}

/** Numbers with more digits in hex may be addresses or hashes, and are shown so, without their middle. */
const MAX_HEX_DIGITS = 35;

function constantInWords(value: bigint): string {
  const text = textOfWord(value);
  if (text !== undefined) return `"${foreign(text)}"`;
  return value.toString(16).length <= MAX_HEX_DIGITS
    ? groupDigits(value.toString())
    : shortAddress(hexOfValue(value));
}

/** A value that is an address or a word of 32 bytes, with the zeros that it begins with. */
export function hexOfValue(value: bigint): string {
  const digits = value.toString(16);
  return `0x${digits.padStart(digits.length > 40 ? 64 : 40, "0")}`;
}

/** The text of a word that begins with one and ends in zeros, as solc writes strings. */
export function textOfWord(value: bigint): string | undefined {
  const digits = value.toString(16);
  if (digits.length !== 64) return undefined;
  const text = readableText(hexToBytes(digits.replace(/(?:00)+$/, "")));
  return text !== undefined && /^[\x20-\x7e]{2,}$/.test(text) ? text : undefined;
}
