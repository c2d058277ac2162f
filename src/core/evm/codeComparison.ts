import { alignInPieces } from "./alignment.ts";
import { codeItems, type CodeItem } from "./codeItems.ts";
import type { Disassembly } from "./disassembly.ts";
import { INVALID, JUMPDEST, PUSH20, PUSH32 } from "./opcodes.ts";
import { atOnce, type Pieces } from "../concurrency/turns.ts";

/** Two items that stand for each other, or one that has no counterpart. */
export interface ItemPair {
  readonly left?: CodeItem;
  readonly right?: CodeItem;
  /**
   * `same`: nothing differs but places; `immutable`: the one code has a value where the other has zeros;
   * `address`: another address, as of a library; `word`: another constant of 32 bytes, or a text of 20; `jump`: another jump
   * target; `auxdata`: another auxdata; `only left` and `only right`: no counterpart.
   */
  readonly relation:
    "same" | "immutable" | "address" | "word" | "jump" | "auxdata" | "only left" | "only right";
}

/** How two codes compare, item by item. */
export interface CodeComparison {
  readonly pairs: readonly ItemPair[];
  /** Share of the instructions that have the same counterpart, from 0 to 1. */
  readonly likeness: number;
}

const ZERO_WORD = "00".repeat(32);
const ZERO_ADDRESS = "00".repeat(20);

/** Compares a deployed code (left) with a recompiled one (right). */
export function compareCodes(left: Disassembly, right: Disassembly): CodeComparison {
  return atOnce(compareCodesInPieces(left, right));
}

/** The same as {@link compareCodes}, in pieces. */
export function* compareCodesInPieces(left: Disassembly, right: Disassembly): Pieces<CodeComparison> {
  const a = codeItems(left);
  yield;
  const b = codeItems(right);
  yield;
  const pairs: ItemPair[] = [];
  let [atLeft, atRight] = [0, 0];
  const upTo = (leftEnd: number, rightEnd: number) => {
    for (const left of a.slice(atLeft, leftEnd)) pairs.push({ left, relation: "only left" });
    for (const right of b.slice(atRight, rightEnd)) pairs.push({ right, relation: "only right" });
    [atLeft, atRight] = [leftEnd, rightEnd];
  };
  for (const run of yield* alignInPieces(
    a.map(({ key }) => key),
    b.map(({ key }) => key),
  )) {
    upTo(run.left, run.right);
    const end = atLeft + run.length;
    while (atLeft < end) {
      const [one, other] = [a[atLeft++], b[atRight++]];
      if (one && other)
        pairs.push({ left: one, right: other, relation: relationOf(one, other, left, right) });
    }
  }
  upTo(a.length, b.length);
  yield;
  markOtherJumps(pairs);
  const same = pairs.filter(({ relation }) => relation === "same" || relation === "immutable").length;
  return {
    pairs,
    likeness: same / Math.max(1, a.length, b.length),
  };
}

/** Whether a pair is no difference of the code. */
export function isHarmless({ relation, left, right }: ItemPair): boolean {
  if (relation === "same" || relation === "immutable" || relation === "address" || relation === "auxdata")
    return true;
  const item = left ?? right;
  // Auxdata that only one side has, and the INVALID before it.
  return item?.section.kind === "auxdata" || item?.instruction?.opcode === INVALID;
}

/**
 * Two operands that look like jump targets stand for each other only if their targets do: a number may happen to be
 * the offset of a target, and a jump may lead elsewhere.
 */
function markOtherJumps(pairs: ItemPair[]): void {
  const counterparts = new Map<number, number | undefined>();
  for (const { left, right } of pairs)
    if (left?.instruction?.opcode === JUMPDEST) counterparts.set(left.offset, right?.offset);
  pairs.forEach((pair, at) => {
    const [target, other] = [pair.left?.target, pair.right?.target];
    if (target === undefined || other === undefined || !counterparts.has(target)) return;
    if (counterparts.get(target) !== other) pairs[at] = { ...pair, relation: "jump" };
  });
}

function relationOf(
  left: CodeItem,
  right: CodeItem,
  leftCode: Disassembly,
  rightCode: Disassembly,
): ItemPair["relation"] {
  if (left.key === "auxdata") {
    const isSame =
      left.length === right.length &&
      leftCode.bytes
        .subarray(left.offset, left.offset + left.length)
        .every((byte, at) => byte === rightCode.bytes[right.offset + at]);
    return isSame ? "same" : "auxdata";
  }
  const [one, other] = [left.instruction?.operand, right.instruction?.operand];
  if (one === other || one === undefined || other === undefined) return "same";
  switch (left.instruction?.opcode) {
    case PUSH32:
      // Zeros stand where a deployment writes a value in; zeros that are deployed are a value.
      return other === ZERO_WORD ? "immutable" : "word";
    case PUSH20:
      // A library's first instruction pushes its own address, which only the deployment knows.
      if (other === ZERO_ADDRESS && left.offset === 0) return "immutable";
      return isText(one) && isText(other) ? "word" : "address";
    default:
      return "same";
  }
}

/** Whether an operand is a text, also where the optimizer cut off the zero bits at its end: no address is one. */
function isText(operand: string): boolean {
  // At the end of a code a push may have less than its operand.
  if (operand.length < ZERO_ADDRESS.length) return false;
  const value = BigInt(`0x${operand}`);
  for (let shift = 0n; shift < 8n; shift++) {
    const digits = (value << shift).toString(16);
    if (digits.length > operand.length + 2) return false;
    if (/^(?:[2-6][0-9a-f]|7[0-9a-e])+$/.test(digits)) return true;
  }
  return false;
}
