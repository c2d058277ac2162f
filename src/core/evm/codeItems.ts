import { bytesToHex } from "@noble/hashes/utils.js";
import {
  pushedOffset,
  type CodeSection,
  type Disassembly,
  type Instruction,
  type Section,
} from "./disassembly.ts";
import { ADD, CODECOPY, isPush, JUMP, JUMPDEST, JUMPI, MSTORE, PUSH20, PUSH32 } from "./opcodes.ts";

/**
 * A piece of a code that is compared as one: an instruction, a whole auxdata section or up to 32 bytes of data.
 *
 * `key` is what two codes have in common there when only places moved: jump targets, and offsets and sizes of
 * embedded contracts, are left out of it, and so are the values that a deployment writes into a code
 * (addresses of libraries, immutables).
 */
export interface CodeItem {
  readonly key: string;
  readonly offset: number;
  readonly length: number;
  readonly section: Section;
  /** Absent for auxdata and data. */
  readonly instruction?: Instruction;
  /** The offset in the whole code that a jump's operand means. */
  readonly target?: number;
}

/** What the key of data begins with, before its bytes as hex. */
const DATA = "data ";
const DATA_BYTES = 32;
/** Constants behind a code whose places are told apart from numbers. */
const MAX_CONSTANTS = 32;

/** The items of a code, in order. */
export function codeItems(code: Disassembly): CodeItem[] {
  return code.sections.flatMap((section) => {
    switch (section.kind) {
      case "code":
        return instructionItems(section, code);
      case "auxdata":
        return [{ key: "auxdata", offset: section.start, length: section.end - section.start, section }];
      case "data":
        return dataItems(section, code.bytes);
    }
  });
}

/** Whether a number is the offset of something in the code. */
export function isPlace({ key, target }: CodeItem): boolean {
  return key === "push place" || target !== undefined;
}

/** Whether an item lies in a part of the code. */
export function isWithin(
  { offset, length }: CodeItem,
  part: { readonly start: number; readonly end: number } | undefined,
): boolean {
  return part !== undefined && offset >= part.start && offset + length <= part.end;
}

/** The bytes of an item as hex, without `0x`; none of auxdata, of which nothing is told byte by byte. */
export function itemHex({ key, instruction }: CodeItem): string {
  if (instruction) return `${instruction.opcode.toString(16).padStart(2, "0")}${instruction.operand}`;
  return key.startsWith(DATA) ? key.slice(DATA.length) : "";
}

function instructionItems(section: CodeSection, code: Disassembly): CodeItem[] {
  const { instructions, start } = section;
  const targets = new Set(
    instructions.filter(({ opcode }) => opcode === JUMPDEST).map(({ offset }) => offset),
  );
  const places = placesIn(section, code);
  const immutables = immutablesIn(section, code);
  return instructions.map((instruction, at) => {
    const { offset, length, opcode, operand } = instruction;
    const item = { offset, length, section, instruction };
    const value = pushedOffset(instruction);
    if (value !== undefined && opcode <= 0x62) {
      const next = instructions[at + 1]?.opcode;
      const isJump = next === JUMP || next === JUMPI;
      const isWritten = next === ADD && instructions[at + 2]?.opcode === MSTORE && immutables.has(value);
      // Vyper copies an immutable from behind the code, where a recompiled one has none.
      const isCopied =
        isPush(next ?? 0) && instructions[at + 2]?.opcode === CODECOPY && start + value >= section.end;
      const isPlace = isWritten || isCopied || (length > 1 && places.has(value) && value >= DATA_BYTES);
      // A size may happen to be the offset of a jump target in one of two codes, so both go by one key.
      if (targets.has(start + value) && (isJump || mayBeLabel(length, value)))
        return {
          ...item,
          key: isJump ? "push target" : "push place",
          ...((isJump || !isPlace) && { target: start + value }),
        };
      if (isJump) return { ...item, key: "push target" };
      if (isPlace) return { ...item, key: "push place" };
    }
    if (opcode === PUSH20) return { ...item, key: "push address" };
    if (opcode === PUSH32) return { ...item, key: "push word" };
    return { ...item, key: isPush(opcode) ? `${opcode} ${operand}` : String(opcode) };
  });
}

/** A return address is pushed long before its jump; small round numbers are sizes far more often. */
function mayBeLabel(length: number, value: number): boolean {
  return length === 3 || (length === 2 && value % DATA_BYTES !== 0);
}

/** Offsets and sizes of what is embedded behind a section, counted from its start; auxdata alone is nothing. */
function placesIn(section: CodeSection, code: Disassembly): Set<number> {
  const behind = code.sections.filter(({ start }) => start >= section.end);
  const embedded = behind.filter(({ kind }) => kind !== "auxdata");
  const places = new Set<number>();
  for (const { kind, start, end } of embedded) {
    places.add(start - section.start);
    // Of constants each word has a place of its own.
    const words = kind === "data" ? Math.min(Math.floor((end - start) / DATA_BYTES), MAX_CONSTANTS) : 0;
    for (let word = 1; word < words; word++) places.add(start + word * DATA_BYTES - section.start);
    for (const { end } of behind) if (end > start) places.add(end - start);
  }
  // Creation code takes its arguments from behind itself.
  if (embedded.length > 0) for (const { end } of behind) places.add(end - section.start);
  return places;
}

/** Where in the contracts behind a section their immutables stand, into which a constructor writes (`PUSH place ADD MSTORE`). */
function immutablesIn(section: CodeSection, code: Disassembly): Set<number> {
  return new Set(
    code.sections.flatMap((behind) =>
      behind.kind === "code" && behind.start >= section.end
        ? behind.instructions
            .filter(({ opcode, operand }) => opcode === PUSH32 && /^0+$/.test(operand))
            .map(({ offset }) => offset + 1 - behind.start)
        : [],
    ),
  );
}

function dataItems(section: Section, bytes: Uint8Array): CodeItem[] {
  const items: CodeItem[] = [];
  for (let offset = section.start; offset < section.end; offset += DATA_BYTES) {
    const length = Math.min(DATA_BYTES, section.end - offset);
    items.push({
      key: `${DATA}${bytesToHex(bytes.subarray(offset, offset + length))}`,
      offset,
      length,
      section,
    });
  }
  return items;
}
