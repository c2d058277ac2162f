import type { Instruction } from "./disassembly.ts";
import { fold } from "./constantFolding.ts";
import { isPush } from "./opcodes.ts";

/** A constant that a code makes, and how. */
export interface ConstantUse {
  readonly value: bigint;
  /** Where its first instruction is, in bytes of the whole code. */
  readonly offset: number;
  /** The instructions that make it, as hex: one push, or pushes with arithmetic on them. */
  readonly form: string;
  /** Bytes of the form. */
  readonly bytes: number;
  /** Gas of the form: 3 for each instruction (a zero by PUSH0 is 2). */
  readonly gas: number;
}

/** What lies on the stack, from the lowest to the highest: each begins behind those below it. */
interface Entry {
  readonly value: bigint;
  readonly from: number;
}

/**
 * Every constant of straight-line code, the longest computation counted once: solc writes a large constant as one
 * push or computes it from small ones, whichever is cheaper for the number of runs (libevmasm/ConstantOptimiser.cpp).
 */
export function constantUses(instructions: readonly Instruction[]): ConstantUse[] {
  const uses: ConstantUse[] = [];
  let stack: Entry[] = [];
  const flush = (upTo: number) => {
    for (const [at, { value, from }] of stack.entries())
      uses.push(use(instructions, from, stack[at + 1]?.from ?? upTo, value));
    stack = [];
  };
  instructions.forEach(({ opcode, operand }, at) => {
    if (isPush(opcode)) {
      stack.push({ value: BigInt(`0x${operand || "0"}`), from: at });
      // Wider than its value is what is written in later: an immutable value, which is no constant to compute with.
      if (operand.length > 4 && operand.startsWith("00")) flush(at + 1);
      return;
    }
    const top = stack.at(-1);
    const second = stack.at(-2);
    if (top && opcode === 0x19) {
      stack.splice(-1, 1, { value: fold(opcode, top.value, 0n) ?? 0n, from: top.from });
      return;
    }
    if (top && opcode === 0x80) {
      // DUP1 of a constant, as in "1 DUP1 160 SHL SUB".
      stack.push({ value: top.value, from: at });
      return;
    }
    const value = top && second && isArithmetic(opcode) ? fold(opcode, top.value, second.value) : undefined;
    if (value !== undefined && second) stack.splice(-2, 2, { value, from: second.from });
    else flush(at);
  });
  flush(instructions.length);
  return uses;
}

/** ADD, SUB, MUL, DIV, EXP, AND, OR, XOR and the shifts: what constants are computed with. */
function isArithmetic(opcode: number): boolean {
  return (
    (opcode >= 0x01 && opcode <= 0x04) ||
    opcode === 0x0a ||
    (opcode >= 0x16 && opcode <= 0x1c && opcode !== 0x1a)
  );
}

function use(instructions: readonly Instruction[], from: number, end: number, value: bigint): ConstantUse {
  const parts = instructions.slice(from, end);
  return {
    value,
    offset: parts[0]?.offset ?? 0,
    form: parts.map(({ opcode, operand }) => opcode.toString(16).padStart(2, "0") + operand).join(""),
    bytes: parts.reduce((sum, { length }) => sum + length, 0),
    gas: parts.reduce((sum, { opcode }) => sum + (opcode === 0x5f ? 2 : opcode === 0x0a ? 60 : 3), 0),
  };
}
