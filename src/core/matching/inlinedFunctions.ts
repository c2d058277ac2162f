import { type Instruction, pushedOffset } from "../evm/disassembly.ts";
import { isPush, JUMP, JUMPDEST, opcodeOf } from "../evm/opcodes.ts";
import { SOLC_SINCE } from "../languages/solidity/solcCode.ts";
import { atLeast } from "../versions.ts";
import { constantUses } from "../evm/constants.ts";
import { DEPOSIT_GAS, lengthOf, SMALLEST_COMPUTED } from "./constantForms.ts";

/** Gas of a call and its return beside the function's body: two pushes, two jumps, two targets. */
const CALL_GAS = 24;
/** Bytes of a call, and of a function beside its body, with tags of two bytes. */
const CALL_BYTES = 8;
const FUNCTION_BYTES = 2;

/**
 * What ends a block beside jumps, since the optimizer reads none of these (`breaksCSEAnalysisBlock`): whatever takes
 * more than two words, or reaches beyond stack, memory and storage.
 */
const BREAKING =
  /^(?:GAS|PC|MSIZE|MSTORE8|LOG\d|TSTORE|STOP|RETURN|REVERT|INVALID|SELFDESTRUCT|JUMPI|JUMPDEST)$/;

/**
 * The numbers of runs beyond which functions would stand at the places that call them, which a code has not done: one for
 * each function that is jumped to several times, straight on to its end (libevmasm/Inliner.cpp,
 * `shouldInlineFullFunctionBody`). None of them is less than what the code was made for.
 */
export function inlinerLandmarks(instructions: readonly Instruction[], compilerVersion: string): number[] {
  if (!atLeast(compilerVersion, SOLC_SINCE.inliner)) return [];
  const [first] = instructions;
  if (!first) return [];
  const pushes = new Map<number, number>();
  const called = new Set<number>();
  instructions.forEach((instruction, at) => {
    if (!isPush(instruction.opcode)) return;
    const target = pushedOffset(instruction);
    if (target === undefined || instruction.length < 2) return;
    pushes.set(target, (pushes.get(target) ?? 0) + 1);
    const [next, behind] = [instructions[at + 1], instructions[at + 2]];
    if (next?.opcode === JUMP && behind?.opcode === JUMPDEST) called.add(target);
  });
  const saved = savedBytes(instructions);
  const landmarks: number[] = [];
  instructions.forEach(({ opcode, offset }, at) => {
    const calls = pushes.get(offset - first.offset) ?? 0;
    if (opcode !== JUMPDEST || calls < 2 || !called.has(offset - first.offset)) return;
    const body = bodyOf(instructions, at, saved);
    if (body === undefined) return;
    const more = calls * body - calls * CALL_BYTES - FUNCTION_BYTES - body;
    // One that is shorter than its calls stayed for another reason.
    if (more > 0) landmarks.push(Math.floor((DEPOSIT_GAS * more) / (CALL_GAS * calls)));
  });
  return landmarks;
}

/** Bytes of a function's body, every constant as one push; `undefined` for one that is more than one block. */
function bodyOf(
  instructions: readonly Instruction[],
  start: number,
  saved: ReadonlyMap<number, number>,
): number | undefined {
  let bytes = 0;
  for (let at = start + 1; at < instructions.length; at++) {
    const instruction = instructions[at];
    if (!instruction) return undefined;
    const { opcode } = instruction;
    // What is pushed right before is where another function is, which returns for this one.
    if (opcode === JUMP) return isPush(instructions[at - 1]?.opcode ?? 0) ? undefined : bytes;
    const known = opcodeOf(opcode);
    if (!isPush(opcode) && (!known || BREAKING.test(known.name))) return undefined;
    const isStackOnly = opcode >= 0x80 && opcode <= 0x9f;
    if (!isStackOnly && known && (known.pops > 2 || WRITING.test(known.name))) return undefined;
    bytes += instruction.length + (saved.get(instruction.offset) ?? 0);
  }
  return undefined;
}

const WRITING = /^(?:CALL|CALLCODE|DELEGATECALL|STATICCALL|CREATE2?|.*COPY)$/;

/** Bytes that constants would take more as one push, by the offset at which they begin. */
function savedBytes(instructions: readonly Instruction[]): Map<number, number> {
  const saved = new Map<number, number>();
  for (const { value, bytes, offset } of constantUses(instructions))
    if (value >= SMALLEST_COMPUTED) saved.set(offset, 1 + lengthOf(value) - bytes);
  return saved;
}
