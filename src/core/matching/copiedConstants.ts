import type { ItemPair } from "../evm/codeComparison.ts";
import { isPlace, type CodeItem } from "../evm/codeItems.ts";
import { fold } from "../evm/constantFolding.ts";
import { DUP1, endsBlock, isPush, JUMPDEST, opcodeOf, SWAP1 } from "../evm/opcodes.ts";

/**
 * The constants that the DUPs of a code copy, by the DUP: solc writes a constant that is on the stack already as a copy of
 * it (libevmasm/CommonSubexpressionEliminator.cpp), so that two codes with different values may have a push in the one and
 * a DUP in the other.
 *
 * @param side the code of the pairs
 */
export function copiedConstants(
  pairs: readonly ItemPair[],
  side: "left" | "right",
): ReadonlyMap<CodeItem, bigint> {
  const copied = new Map<CodeItem, bigint>();
  /** From the bottom to the top, as far as a block of straight code knows it; what else is there is unknown. */
  let stack: (bigint | undefined)[] = [];
  for (const { relation, [side]: item } of pairs) {
    if (!item) continue;
    const opcode = item.instruction?.opcode;
    const known = opcode === undefined ? undefined : opcodeOf(opcode);
    if (!item.instruction || opcode === undefined || !known || opcode === JUMPDEST || endsBlock(opcode)) {
      stack = [];
    } else if (isPush(opcode)) {
      // What a deployment writes is no constant of the sources, and neither is a place in the code.
      const isConstant = relation !== "immutable" && relation !== "address" && !isPlace(item);
      stack.push(isConstant ? BigInt(`0x${item.instruction.operand || "0"}`) : undefined);
    } else if (opcode >= DUP1 && opcode < SWAP1) {
      const value = stack.at(DUP1 - opcode - 1);
      if (value !== undefined) copied.set(item, value);
      stack.push(value);
    } else if (opcode >= SWAP1 && opcode < SWAP1 + 16) {
      const depth = opcode - SWAP1 + 2;
      while (stack.length < depth) stack.unshift(undefined);
      const [top, other] = [stack.at(-1), stack.at(-depth)];
      stack.splice(-1, 1, other);
      stack.splice(-depth, 1, top);
    } else {
      const [one, two] = [stack.at(-1), stack.at(-2)];
      const result = one === undefined || two === undefined ? undefined : fold(opcode, one, two);
      stack.splice(Math.max(0, stack.length - known.pops));
      for (let pushed = 0; pushed < known.pushes; pushed++) stack.push(result);
    }
  }
  return copied;
}
