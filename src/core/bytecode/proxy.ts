import type { Disassembly, Instruction } from "./disassembly.ts";
import { DELEGATECALL, PUSH20, PUSH32, SLOAD, isPush, opcodeOf, pushSize } from "./opcodes.ts";

/** A code that hands every call on to another contract. */
export interface ProxyCode {
  readonly kind: "EIP-1167" | "EIP-1967" | "EIP-1967 beacon" | "EIP-1822" | "EIP-7702" | "other";
  /** Where the code itself says it: 0x-prefixed, lower case. */
  readonly implementation?: string;
  /** The storage slot that holds the implementation or the beacon: 0x and 64 digits. */
  readonly slot?: string;
}

/** keccak256("eip1967.proxy.implementation") - 1 and the other agreed slots. */
const SLOTS: Readonly<Record<string, ProxyCode["kind"]>> = {
  "360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc": "EIP-1967",
  a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50: "EIP-1967 beacon",
  c5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7: "EIP-1822",
  // keccak256("org.zeppelinos.proxy.implementation"), before EIP-1967 was agreed.
  "7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3": "other",
};

/** How far before a DELEGATECALL its call data is copied, in instructions. */
const COPY_WINDOW = 16;
const CALLDATASIZE = 0x36;
const CALLDATACOPY = 0x37;
const RETURNDATASIZE = 0x3d;
const GAS = 0x5a;

/**
 * What kind of proxy a deployed code is: it copies all of the call data and delegates with it (EIP-1167, EIP-1967,
 * EIP-1822), or it is the designator of a delegated account (EIP-7702). A contract that only delegates calls that
 * it makes itself, such as an upgradeable implementation, is none.
 */
export function findProxy(code: Disassembly): ProxyCode | undefined {
  const { bytes } = code;
  if (bytes.length === 23 && bytes[0] === 0xef && bytes[1] === 0x01 && bytes[2] === 0x00)
    return { kind: "EIP-7702", implementation: hexOf(bytes.subarray(3)) };
  const [own] = code.sections;
  if (own?.kind !== "code") return undefined;
  const { instructions } = own;
  const at = instructions.findIndex((_, index) => delegatesAll(instructions, index));
  if (at < 0) return undefined;
  const target = directTarget(instructions, at);
  if (target) return { kind: "EIP-1167", implementation: `0x${target}` };
  const isRead = instructions.some(({ opcode }) => opcode === SLOAD);
  for (const { opcode, operand } of code.sections.flatMap((section) =>
    section.kind === "code" ? section.instructions : [],
  )) {
    const kind = opcode === PUSH32 && isRead ? SLOTS[operand] : undefined;
    if (kind) return { kind, slot: `0x${operand}` };
  }
  return { kind: "other" };
}

/** Whether the instruction delegates with the whole call data, copied just before. */
function delegatesAll(instructions: readonly Instruction[], at: number): boolean {
  if (instructions[at]?.opcode !== DELEGATECALL) return false;
  const before = instructions.slice(Math.max(0, at - COPY_WINDOW), at).map(({ opcode }) => opcode);
  const copy = before.lastIndexOf(CALLDATACOPY);
  // CALLDATACOPY(0, 0, CALLDATASIZE): nothing but pushes and swaps stands between its size and it.
  return (
    copy > 0 &&
    before
      .slice(Math.max(0, copy - 5), copy)
      .some((opcode, index, list) => opcode === CALLDATASIZE && list.slice(index + 1).every(isPlain))
  );
}

function isPlain(opcode: number): boolean {
  return isPush(opcode) || opcode === RETURNDATASIZE || (opcode >= 0x80 && opcode <= 0x9f);
}

/** The address that is pushed right before the call, also a short one with leading zeros. */
function directTarget(instructions: readonly Instruction[], at: number): string | undefined {
  const gas = instructions[at - 1];
  const target = instructions[at - 2];
  if (gas?.opcode !== GAS || !target) return undefined;
  if (target.opcode > PUSH20 || pushSize(target.opcode) < 12 || !opcodeOf(target.opcode)) return undefined;
  return target.operand.padStart(40, "0");
}

function hexOf(bytes: Uint8Array): string {
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
