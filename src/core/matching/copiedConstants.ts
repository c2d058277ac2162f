import type { ItemPair } from "../evm/codeComparison.ts";
import { isPlace, type CodeItem } from "../evm/codeItems.ts";
import { fold } from "../evm/constantFolding.ts";
import { KnownStack } from "../evm/knownStack.ts";
import { DUP1, endsBlock, isPush, JUMPDEST, SWAP1 } from "../evm/opcodes.ts";

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
  const stack = new KnownStack<bigint>();
  for (const { relation, [side]: item } of pairs) {
    if (!item) continue;
    const opcode = item.instruction?.opcode;
    if (!item.instruction || opcode === undefined || opcode === JUMPDEST || endsBlock(opcode)) {
      stack.clear();
    } else if (isPush(opcode)) {
      // What a deployment writes is no constant of the sources, and neither is a place in the code.
      const isConstant = relation !== "immutable" && relation !== "address" && !isPlace(item);
      stack.run(opcode, isConstant ? BigInt(`0x${item.instruction.operand || "0"}`) : undefined);
    } else {
      const [one, two] = [stack.word(0), stack.word(1)];
      stack.run(opcode, one === undefined || two === undefined ? undefined : fold(opcode, one, two));
      const value = opcode >= DUP1 && opcode < SWAP1 ? stack.word(0) : undefined;
      if (value !== undefined) copied.set(item, value);
    }
  }
  return copied;
}
