import { bytesToHex } from "@noble/hashes/utils.js";
import { CODECOPY, endsBlock, INVALID, isPush, JUMPDEST, pushSize, RETURN, STOP } from "./opcodes.ts";
import { findAuxdata, type Auxdata } from "./auxdata.ts";

/** An instruction. Offsets are bytes of the whole code. */
export interface Instruction {
  readonly offset: number;
  readonly opcode: number;
  /** Length in bytes, operand included; less than the opcode's own where the code ends in its operand. */
  readonly length: number;
  /** The pushed value as hex without `0x`; empty for every other opcode. */
  readonly operand: string;
}

/**
 * A contract's instructions, from its first byte to the last one that can be reached. `origin` is where jumps
 * count from: the beginning of the contract, which for one that is embedded is not that of the code.
 */
export interface CodeSection {
  readonly kind: "code";
  readonly start: number;
  readonly end: number;
  /** 0 for the code itself, 1 for a contract that it creates or deploys, and so on. */
  readonly depth: number;
  readonly instructions: readonly Instruction[];
}

/** What a compiler says of the code. */
interface AuxdataSection {
  readonly kind: "auxdata";
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly auxdata: Auxdata;
}

/** Bytes that are never executed: constants, jump tables, appended values, constructor arguments. */
interface DataSection {
  readonly kind: "data";
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/** A part of a code; the sections of a code follow each other without gaps. */
export type Section = CodeSection | AuxdataSection | DataSection;

/** A code cut into sections. */
export interface Disassembly {
  readonly bytes: Uint8Array;
  readonly sections: readonly Section[];
  readonly auxdatas: readonly Auxdata[];
}

/**
 * Disassembles runtime or creation code: operands are no opcodes, auxdata is no code, and a contract that is
 * embedded (a factory's child, the runtime code in creation code) is found by the offset and size with which
 * the code around it copies it.
 */
export function disassemble(bytes: Uint8Array): Disassembly {
  const auxdatas = findAuxdata(bytes);
  return { bytes, auxdatas, sections: new Disassembler(bytes, auxdatas).run() };
}

/** The instructions from `start` to `end`, one after the other. */
function sweep(bytes: Uint8Array, start: number, end: number): Instruction[] {
  const instructions: Instruction[] = [];
  for (let offset = start; offset < end;) {
    const opcode = bytes[offset] ?? 0;
    const length = Math.min(1 + pushSize(opcode), end - offset);
    instructions.push({
      offset,
      opcode,
      length,
      operand: bytesToHex(bytes.subarray(offset + 1, offset + length)),
    });
    offset += length;
  }
  return instructions;
}

/** The number that an instruction pushes, where it fits a code's offsets; `undefined` for anything else. */
export function pushedOffset({ opcode, operand }: Instruction): number | undefined {
  return isPush(opcode) && operand.length <= 8 ? Number.parseInt(operand || "0", 16) : undefined;
}

/** Bytes of constants that a creation code keeps at most. */
const MAX_CONSTANT_BYTES = 32 * 32;

class Disassembler {
  readonly #bytes: Uint8Array;
  readonly #auxdatas: readonly Auxdata[];
  readonly #sections: Section[] = [];

  constructor(bytes: Uint8Array, auxdatas: readonly Auxdata[]) {
    this.#bytes = bytes;
    this.#auxdatas = auxdatas;
  }

  run(): Section[] {
    this.#contract(0, this.#bytes.length, 0);
    return this.#sections;
  }

  /** Cuts the contract that fills `start` to `end`. */
  #contract(start: number, end: number, depth: number): void {
    // What lies behind this contract is of the one around it.
    const next = this.#auxdatas.find((auxdata) => auxdata.start >= start && auxdata.end <= end);
    const layout = next?.layout;
    const layoutStart = layout && next.start - layout.runtimeLength;
    if (layout && layoutStart !== undefined && layoutStart > start) {
      this.#vyperCreation(start, layoutStart, next.start, layout.dataSectionLengths, depth);
      this.#rest(next.start, end, depth);
      return;
    }
    const { instructions, pushed } = this.#ownCode(start, Math.min(next?.start ?? end, end));
    const last = instructions.at(-1);
    const codeEnd = last ? last.offset + last.length : start;
    if (codeEnd > start) this.#sections.push({ kind: "code", start, end: codeEnd, depth, instructions });
    let at = codeEnd;
    for (const child of this.#embedded(start, codeEnd, end, pushed)) {
      if (child.start < at) continue;
      this.#rest(at, child.start, depth);
      this.#contract(child.start, child.end, depth + 1);
      at = child.end;
    }
    this.#rest(at, end, depth);
  }

  /** Creation code of Vyper 0.3.10 and newer, whose auxdata gives the length of the runtime code before it. */
  #vyperCreation(start: number, runtime: number, end: number, data: readonly number[], depth: number): void {
    const codeEnd = end - data.reduce((sum, length) => sum + length, 0);
    this.#sections.push({
      kind: "code",
      start,
      end: runtime,
      depth,
      instructions: sweep(this.#bytes, start, runtime),
    });
    if (codeEnd <= runtime) {
      this.#data(runtime, end, depth + 1);
      return;
    }
    const instructions = sweep(this.#bytes, runtime, codeEnd);
    this.#sections.push({ kind: "code", start: runtime, end: codeEnd, depth: depth + 1, instructions });
    this.#data(codeEnd, end, depth + 1);
  }

  /**
   * The instructions up to what is not this contract's own: an embedded contract begins behind an INVALID and
   * its offset was pushed before, or with Vyper behind the RETURN of what was copied from there; data begins behind the block of
   * the last jump target.
   */
  #ownCode(start: number, limit: number): { instructions: Instruction[]; pushed: ReadonlySet<number> } {
    const instructions: Instruction[] = [];
    const pushed = new Set<number>();
    const copied = new Set<number>();
    for (const instruction of sweep(this.#bytes, start, limit)) {
      const { offset } = instruction;
      const last = instructions.at(-1)?.opcode;
      if (last === CODECOPY) {
        const [source, destination] = [instructions.at(-3), instructions.at(-2)];
        if (source && destination && isPush(destination.opcode)) copied.add(pushedOffset(source) ?? -1);
      }
      const isBehind =
        (last === INVALID && pushed.has(offset - start)) || (last === RETURN && copied.has(offset - start));
      if (isBehind && instruction.opcode !== JUMPDEST) break;
      instructions.push(instruction);
      const value = pushedOffset(instruction);
      if (value !== undefined) pushed.add(value);
    }
    let lastTarget = 0;
    instructions.forEach(({ opcode, offset }, at) => {
      if (opcode === JUMPDEST && pushed.has(offset - start)) lastTarget = at;
    });
    let ending = lastTarget;
    while (ending < instructions.length && !endsBlock(instructions[ending]?.opcode ?? 0)) ending++;
    // solc closes its code with an INVALID (before 0.5 with a STOP), to which nothing jumps.
    const closing = instructions[ending + 1];
    if (closing?.opcode === INVALID || (closing?.opcode === STOP && closing.offset === limit - 1)) ending++;
    return { instructions: instructions.slice(0, ending + 1), pushed };
  }

  /** The contracts inside, each by an offset and a size that the code pushes. */
  #embedded(
    start: number,
    codeEnd: number,
    end: number,
    pushed: ReadonlySet<number>,
  ): { start: number; end: number }[] {
    const starts = [...pushed]
      .map((offset) => start + offset)
      .filter((at) => at >= codeEnd && at < end && this.#looksLikeCode(at))
      .sort((a, b) => a - b);
    const auxdataEnds = new Set(this.#auxdatas.map((auxdata) => auxdata.end));
    const found: { start: number; end: number }[] = [];
    starts.forEach((at, index) => {
      if (at < (found.at(-1)?.end ?? 0)) return;
      const sizes = [...pushed].filter((size) => size > 16 && at + size <= end).sort((a, b) => b - a);
      const bySize =
        sizes.find((size) => auxdataEnds.has(at + size)) ??
        sizes.find((size) => this.#endsInConstants(at, at + size)) ??
        (this.#bytes[at - 1] === INVALID || found.at(-1)?.end === at
          ? sizes.find((size) => at + size === end || starts.includes(at + size, index + 1))
          : undefined);
      if (bySize !== undefined) found.push({ start: at, end: at + bySize });
    });
    return found;
  }

  /**
   * Creation code keeps behind everything else the large constants that it uses often, a word each, and the texts that it
   * copies, of any length: these end where the outer contract's auxdata begins.
   */
  #endsInConstants(start: number, end: number): boolean {
    const last = this.#auxdatas.findLast((auxdata) => auxdata.start > start && auxdata.end <= end);
    const constants = last === undefined ? 0 : end - last.end;
    const isWords = constants % 32 === 0 || this.#auxdatas.some((auxdata) => auxdata.start === end);
    return constants > 0 && isWords && constants <= MAX_CONSTANT_BYTES;
  }

  #looksLikeCode(at: number): boolean {
    if (!isPush(this.#bytes[at] ?? 0)) return false;
    // Anything that is deployed copies itself out, and anything that runs returns or has a jump target.
    const opening = sweep(this.#bytes, at, Math.min(at + 4_096, this.#bytes.length));
    return opening.some(({ opcode }) => opcode === CODECOPY || opcode === RETURN || opcode === JUMPDEST);
  }

  /** What lies between contracts: auxdata, and data around them. */
  #rest(start: number, end: number, depth: number): void {
    let at = start;
    for (const auxdata of this.#auxdatas) {
      if (auxdata.start < at || auxdata.end > end) continue;
      this.#data(at, auxdata.start, depth);
      this.#sections.push({ kind: "auxdata", start: auxdata.start, end: auxdata.end, depth, auxdata });
      at = auxdata.end;
    }
    this.#data(at, end, depth);
  }

  #data(start: number, end: number, depth: number): void {
    if (end > start) this.#sections.push({ kind: "data", start, end, depth });
  }
}
