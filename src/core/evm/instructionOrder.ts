import type { Disassembly, Instruction } from "./disassembly.ts";
import { isPush } from "./opcodes.ts";

/** Bytes of an operand that may be the place of another instruction; Vyper writes places as two or three. */
const PLACE_BYTES: ReadonlySet<number> = new Set([2, 3]);

/**
 * Whether two codes of Vyper have the same instructions in another order: the same number of each, places of other
 * instructions aside, which depend on the order. Whole words behind one of them are immutables, which a deployment
 * appends.
 */
export function isOtherOrder(one: Disassembly, other: Disassembly): boolean {
  const size = Math.min(one.bytes.length, other.bytes.length);
  if (Math.abs(one.bytes.length - other.bytes.length) % 32 !== 0) return false;
  const [left, right] = [wordsOf(one, size), wordsOf(other, size)];
  if (left.length !== right.length || isSameList(left, right)) return false;
  return isSameList(left.sort(), right.sort());
}

function wordsOf({ sections }: Disassembly, size: number): string[] {
  return sections.flatMap((section) =>
    section.kind === "code" ? section.instructions.filter(({ offset }) => offset < size).map(wordOf) : [],
  );
}

function wordOf({ opcode, operand }: Instruction): string {
  return isPush(opcode) && !PLACE_BYTES.has(operand.length / 2) ? operand : String(opcode);
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.every((word, at) => word === other[at]);
}
