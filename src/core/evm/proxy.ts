import { bytesToHex } from "@noble/hashes/utils.js";
import { encodedAddress } from "./address.ts";
import type { Disassembly, Instruction } from "./disassembly.ts";
import { KnownStack } from "./knownStack.ts";
import { DELEGATECALL, JUMPDEST, opcodeOf, PUSH20, PUSH32, SLOAD, isPush, pushSize } from "./opcodes.ts";

/** The agreements by which a code forwards its calls; `other` for one that follows none of them. */
export const PROXY_KINDS = [
  "EIP-1167",
  "EIP-1967",
  "EIP-1967 beacon",
  "EIP-1822",
  "EIP-7702",
  // OpenZeppelin's slot from before EIP-1967 (`org.zeppelinos.proxy.implementation`).
  "ZeppelinOS",
  // A Safe's proxy, whose first storage slot is the implementation (safe-global/safe-smart-account, `SafeProxy.sol`).
  "Safe",
  "other",
] as const;

/** One of {@link PROXY_KINDS}. */
export type ProxyKind = (typeof PROXY_KINDS)[number];

/** A code that forwards every call to another contract. */
export interface ProxyCode {
  readonly kind: ProxyKind;
  /** Where the code itself says it: 0x-prefixed, lower case. */
  readonly implementation?: string;
  /** The storage slot that holds the implementation or the beacon: 0x and 64 digits. */
  readonly slot?: string;
  /** Where the code itself says whom it asks for the implementation. */
  readonly beacon?: string;
  /**
   * Of a proxy that follows no agreement: the addresses in its code, and the storage slots that it reads, the last one
   * before it hands the call on first. One of them may be or hold the implementation.
   */
  readonly addresses?: readonly string[];
  readonly readSlots?: readonly string[];
}

/** The agreed slots: keccak256("eip1967.proxy.implementation") - 1, keccak256("PROXIABLE") and so on. */
const SLOTS: ReadonlyMap<string, ProxyKind> = new Map([
  ["360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc", "EIP-1967"],
  ["a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50", "EIP-1967 beacon"],
  ["c5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7", "EIP-1822"],
  ["7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3", "ZeppelinOS"],
]);

/** keccak256("eip1967.proxy.admin") - 1: who may change a proxy; that a code names it does not tell of which kind it is. */
const ADMIN_SLOT = "b53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103";

/** What lies in a slot by agreement. */
interface AgreedSlot {
  readonly holds: "implementation" | "beacon" | "admin";
  /** "EIP-1967" */
  readonly standard: string;
}

/** What a storage slot holds whatever contract's it is; `undefined` for one that no standard names. */
export function agreedSlotAt(slot: bigint): AgreedSlot | undefined {
  const digits = slot.toString(16);
  if (digits === ADMIN_SLOT) return { holds: "admin", standard: "EIP-1967" };
  const kind = SLOTS.get(digits);
  if (kind === undefined) return undefined;
  return kind === "EIP-1967 beacon"
    ? { holds: "beacon", standard: "EIP-1967" }
    : { holds: "implementation", standard: kind };
}

/** `masterCopy()`, which a Safe's proxy answers itself. */
const MASTER_COPY = "a619486e";
/** `implementation()`, which beacons (EIP-1967) answer, and most proxies that follow no agreement. */
export const IMPLEMENTATION_SELECTOR = "5c60da1b";

/** How far before a DELEGATECALL its call data is copied, in instructions. */
const COPY_WINDOW = 32;
/** How far before the copy the size of the call data is taken. */
const COPY_ARGUMENTS = 5;
const CALLDATASIZE = 0x36;
const CALLDATACOPY = 0x37;
const RETURNDATASIZE = 0x3d;
const GAS = 0x5a;
const STATICCALL = 0xfa;

/**
 * What kind of proxy a deployed code is: it copies all of the call data and delegates with it (EIP-1167, EIP-1967,
 * EIP-1822, a Safe's), or it is the designator of a delegated account (EIP-7702). A contract that only delegates
 * calls that it makes itself, such as an upgradeable implementation, is none.
 */
export function findProxy(code: Disassembly): ProxyCode | undefined {
  const { bytes } = code;
  const delegate = delegatedTo(bytes);
  if (delegate !== undefined) return { kind: "EIP-7702", implementation: delegate };
  const [own] = code.sections;
  if (own?.kind !== "code") return undefined;
  const { instructions } = own;
  const at = instructions.findIndex((_, index) => delegatesAll(instructions, index));
  if (at < 0) return undefined;
  const target = directTarget(instructions, at);
  if (target) return { kind: "EIP-1167", implementation: `0x${target}` };
  const reads = slotsRead(instructions);
  const isRead = reads.length > 0 || instructions.some(({ opcode }) => opcode === SLOAD);
  const agreed = isRead ? agreedSlot(code) : undefined;
  if (agreed) return agreed;
  const isSafe = reads.length === 1 && reads[0]?.slot === 0n && pushesSelector(instructions, MASTER_COPY);
  if (isSafe) return { kind: "Safe", slot: slotText(0n) };
  const addresses = pushedAddresses(instructions);
  const [beacon] = addresses;
  if (beacon !== undefined && asksBeacon(instructions)) return { kind: "EIP-1967 beacon", beacon };
  const before = reads.filter(({ index }) => index < at).reverse();
  const slots = [...new Set([...before, ...reads.filter(({ index }) => index > at)].map(({ slot }) => slot))];
  return {
    kind: "other",
    ...(addresses.length > 0 && { addresses }),
    ...(slots.length > 0 && { readSlots: slots.map(slotText) }),
  };
}

/** The agreed slot that a code names: in an instruction, or behind the instructions, where few runs keep constants. */
function agreedSlot(code: Disassembly): ProxyCode | undefined {
  for (const { opcode, operand } of code.sections.flatMap((section) =>
    section.kind === "code" ? section.instructions : [],
  )) {
    const kind = opcode === PUSH32 ? SLOTS.get(operand) : undefined;
    if (kind) return { kind, slot: `0x${operand}` };
  }
  const [own] = code.sections;
  const data = bytesToHex(code.bytes.subarray(own?.end ?? 0));
  const found = [...SLOTS].find(([slot]) => data.includes(slot));
  return found && { kind: found[1], slot: `0x${found[0]}` };
}

/** Whether the instruction delegates with the whole call data, copied just before. */
function delegatesAll(instructions: readonly Instruction[], at: number): boolean {
  if (instructions[at]?.opcode !== DELEGATECALL) return false;
  const opcodes = instructions
    .slice(Math.max(0, at - COPY_WINDOW - COPY_ARGUMENTS), at)
    .map(({ opcode }) => opcode);
  const copy = opcodes.lastIndexOf(CALLDATACOPY);
  // CALLDATACOPY(0, 0, CALLDATASIZE): nothing but pushes and swaps stands between its size and it.
  return (
    copy > 0 &&
    opcodes.length - copy <= COPY_WINDOW &&
    opcodes
      .slice(Math.max(0, copy - COPY_ARGUMENTS), copy)
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

/** The addresses in a code: immutables fill a whole word, constants twenty bytes. */
function pushedAddresses(instructions: readonly Instruction[]): string[] {
  const found = instructions.flatMap(({ opcode, operand }) => {
    if (opcode !== PUSH20 && opcode !== PUSH32) return [];
    const address = encodedAddress(operand.padStart(64, "0"));
    // Small numbers and masks are none.
    return address !== undefined && /^0x(?=.{0,7}[^0])(?!f{40})/.test(address) ? [address] : [];
  });
  return [...new Set(found)];
}

/** The code calls `implementation()` of another contract, as a proxy asks its beacon. */
function asksBeacon(instructions: readonly Instruction[]): boolean {
  return (
    instructions.some(({ opcode }) => opcode === STATICCALL) &&
    pushesSelector(instructions, IMPLEMENTATION_SELECTOR)
  );
}

/** The storage slots that are read by a constant, in the order of the instructions. */
function slotsRead(instructions: readonly Instruction[]): { slot: bigint; index: number }[] {
  const found: { slot: bigint; index: number }[] = [];
  const stack = new KnownStack<bigint>();
  instructions.forEach(({ opcode, operand }, index) => {
    if (opcode === JUMPDEST) stack.clear();
    const slot = opcode === SLOAD ? stack.word(0) : undefined;
    if (slot !== undefined) found.push({ slot, index });
    stack.run(opcode, isPush(opcode) ? BigInt(`0x${operand || "0"}`) : undefined);
  });
  return found;
}

/** A selector, as it is, at the high end of a word, or without the zero bits at its end, to be shifted. */
function pushesSelector(instructions: readonly Instruction[], selector: string): boolean {
  const bits = BigInt(`0x${selector}`).toString(2).replace(/0+$/, "");
  return instructions.some(
    ({ opcode, operand }) =>
      isPush(opcode) &&
      operand.length >= 6 &&
      operand.length !== 40 &&
      BigInt(`0x${operand}`).toString(2).replace(/0+$/, "") === bits,
  );
}

function slotText(slot: bigint): string {
  return `0x${slot.toString(16).padStart(64, "0")}`;
}

/** Whether a deployed code is a blueprint: creation code that is kept for others to deploy (ERC-5202). */
export function isBlueprint(bytes: Uint8Array): boolean {
  return bytes[0] === 0xfe && bytes[1] === 0x71;
}

/**
 * The address whose code runs at an account that delegates to it, by the mark that such an account has for code (EIP-7702).
 *
 * @returns 0x-prefixed, lower case; `undefined` for any other code
 */
export function delegatedTo(bytes: Uint8Array): string | undefined {
  const isDelegated = bytes.length === 23 && bytes[0] === 0xef && bytes[1] === 0x01 && bytes[2] === 0x00;
  return isDelegated ? `0x${bytesToHex(bytes.subarray(3))}` : undefined;
}
