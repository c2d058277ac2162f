import { bytesToHex } from "@noble/hashes/utils.js";
import {
  CODECOPY,
  CREATE,
  CREATE2,
  endsBlock,
  INVALID,
  isPush,
  JUMP,
  JUMPDEST,
  JUMPI,
  MLOAD,
  opcodeOf,
  pushSize,
  RETURN,
  STOP,
} from "./opcodes.ts";
import { KnownStack } from "./knownStack.ts";
import { findAuxdata, type Auxdata, type CodeLanguage } from "./auxdata.ts";

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

/**
 * The auxdata of a contract itself in its runtime code, the last one that is of none within it: those are of contracts that it
 * creates, or of bytes that a source or an immutable holds, such as the code of another contract.
 *
 * @param language whose code it is by its form, where that shows it: no compiler leaves the auxdata of another
 */
export function ownAuxdata(
  { sections }: Pick<Disassembly, "sections">,
  language: CodeLanguage | undefined,
): Auxdata | undefined {
  const isOwn = (section: Section): section is AuxdataSection =>
    section.kind === "auxdata" && section.depth === 0;
  const last = sections.findLast(isOwn)?.auxdata;
  // Vyper from 0.3.10 on writes its own, which tells lengths, behind the creation code alone.
  const isForeign = last?.layout !== undefined || (language !== undefined && last?.language !== language);
  return isForeign ? undefined : last;
}

/** The instructions from `start` to `end`, one after the other. */
function* sweep(bytes: Uint8Array, start: number, end: number): Generator<Instruction, void> {
  for (let offset = start; offset < end;) {
    const opcode = bytes[offset] ?? 0;
    const length = Math.min(1 + pushSize(opcode), end - offset);
    yield { offset, opcode, length, operand: bytesToHex(bytes.subarray(offset + 1, offset + length)) };
    offset += length;
  }
}

/** The number that an instruction pushes, where it fits a code's offsets; `undefined` for anything else. */
export function pushedOffset({ opcode, operand }: Instruction): number | undefined {
  return isPush(opcode) && operand.length <= 8 ? Number.parseInt(operand || "0", 16) : undefined;
}

/** Bytes of constants that a creation code keeps at most. */
const MAX_CONSTANT_BYTES = 32 * 32;
/** Codes within each other; a factory whose children are factories has two for each of these. What is deeper is data. */
const MAX_DEPTH = 32;
/** Contracts that a code embeds; a large factory has some dozen. */
const MAX_EMBEDDED = 256;
/** Numbers that are taken for an offset or a size; a code of the largest size pushes fewer of them. */
const MAX_NUMBERS = 2_048;
/** Bytes in which a contract comes to its first branch or its end. */
const MAX_OPENING_BYTES = 1_024;
/**
 * How often its length is read of a code: each level of contracts within each other can claim all that is behind it. A real
 * code is read little more than once; what contracts were left over is data.
 */
const MAX_READINGS = 4;

/** The instructions of a contract alone, and what it says of what it embeds; offsets count from its beginning. */
interface OwnCode {
  readonly instructions: readonly Instruction[];
  /** The numbers that it pushes. */
  readonly pushed: ReadonlySet<number>;
  readonly copies: CodeCopies;
}

/** What code copies of itself, and which of it becomes a contract, as far as straight code tells. */
class CodeCopies {
  /** The largest size with which is copied what begins at an offset. */
  readonly sizes = new Map<number, number>();
  /** The offsets of what is returned or created from where it was copied to. */
  readonly deployed = new Set<number>();
  readonly #stack = new KnownStack<number>();
  #last: { readonly source: number; readonly size: number; readonly destination?: number } | undefined;

  run(opcode: number, pushed: number | undefined): void {
    const [top, second, third] = [0, 1, 2].map((depth) => this.#stack.word(depth));
    if (opcode === JUMPDEST) {
      this.#stack.clear();
      this.#last = undefined;
    } else if (opcode === CODECOPY) {
      this.#copy(top, second, third);
    } else if (opcode === MLOAD && top !== undefined && top === this.#last?.destination) {
      // What is loaded is a constant, which lies there no longer when something else is returned from there.
      this.#last = undefined;
    } else if (opcode === RETURN) {
      this.#deploy(top, second);
    } else if (opcode === CREATE || opcode === CREATE2) {
      this.#deploy(second, third);
    }
    this.#stack.run(opcode, pushed);
  }

  #copy(destination: number | undefined, source: number | undefined, size: number | undefined): void {
    this.#last = undefined;
    if (source === undefined || size === undefined) return;
    this.sizes.set(source, Math.max(size, this.sizes.get(source) ?? 0));
    this.#last = { source, size, ...(destination !== undefined && { destination }) };
  }

  /** Vyper returns behind the code the immutable values too; where memory is allocated, its size alone is known. */
  #deploy(from: number | undefined, size: number | undefined): void {
    const last = this.#last;
    if (!last || size === undefined) return;
    const isFromThere = from !== undefined && from === last.destination;
    if (isFromThere ? size >= last.size : size === last.size) this.deployed.add(last.source);
  }
}

/** How a code begins that can run: what deploys or branches is a contract, what merely ends may be a constant. */
type Opening = "branches" | "deploys" | "ends";

class Disassembler {
  readonly #bytes: Uint8Array;
  readonly #auxdatas: readonly Auxdata[];
  readonly #sections: Section[] = [];
  /** Bytes that may still be read. */
  #unread: number;

  constructor(bytes: Uint8Array, auxdatas: readonly Auxdata[]) {
    this.#bytes = bytes;
    this.#auxdatas = auxdatas;
    this.#unread = MAX_READINGS * Math.max(bytes.length, MAX_OPENING_BYTES);
  }

  run(): Section[] {
    this.#contract(0, this.#bytes.length, 0);
    return this.#sections;
  }

  /** Cuts the contract that fills `start` to `end`. */
  #contract(start: number, end: number, depth: number): void {
    // What lies behind this contract is of the one around it.
    const next = this.#auxdataWithin(start, end).next().value;
    const layout = next?.layout;
    const layoutStart = layout && next.start - layout.runtimeLength;
    if (layout && layoutStart !== undefined && layoutStart > start) {
      this.#vyperCreation(start, layoutStart, next.start, layout.dataSectionLengths, depth);
      this.#rest(next.start, end, depth);
      return;
    }
    const own = this.#ownCode(start, Math.min(next?.start ?? end, end));
    const { instructions } = own;
    const last = instructions.at(-1);
    const codeEnd = last ? last.offset + last.length : start;
    if (codeEnd > start) this.#sections.push({ kind: "code", start, end: codeEnd, depth, instructions });
    let at = codeEnd;
    const children = depth < MAX_DEPTH ? this.#embedded(start, codeEnd, end, own) : [];
    for (const child of children) {
      if (child.start < at) continue;
      if (this.#unread <= 0) break;
      this.#rest(at, child.start, depth);
      this.#contract(child.start, child.end, depth + 1);
      at = child.end;
    }
    this.#rest(at, end, depth);
  }

  /** The instructions, each of which counts as read. */
  *#read(start: number, end: number): Generator<Instruction, void> {
    for (const instruction of sweep(this.#bytes, start, end)) {
      this.#unread -= instruction.length;
      yield instruction;
    }
  }

  /** Creation code of Vyper 0.3.10 and newer, whose auxdata gives the length of the runtime code before it. */
  #vyperCreation(start: number, runtime: number, end: number, data: readonly number[], depth: number): void {
    const codeEnd = end - data.reduce((sum, length) => sum + length, 0);
    this.#sections.push({
      kind: "code",
      start,
      end: runtime,
      depth,
      instructions: [...sweep(this.#bytes, start, runtime)],
    });
    if (codeEnd <= runtime) {
      this.#data(runtime, end, depth + 1);
      return;
    }
    const instructions = [...sweep(this.#bytes, runtime, codeEnd)];
    this.#sections.push({ kind: "code", start: runtime, end: codeEnd, depth: depth + 1, instructions });
    this.#data(codeEnd, end, depth + 1);
  }

  /**
   * The instructions up to what is not this contract's own: an embedded contract begins behind an INVALID and
   * its offset was pushed before, or with Vyper behind the RETURN of what was copied from there; data begins behind the block of
   * the last jump target.
   */
  #ownCode(start: number, limit: number): OwnCode {
    const instructions: Instruction[] = [];
    const pushed = new Set<number>();
    const copies = new CodeCopies();
    for (const instruction of this.#read(start, limit)) {
      const { offset, opcode } = instruction;
      const last = instructions.at(-1)?.opcode;
      const isBehind =
        (last === INVALID && pushed.has(offset - start)) ||
        (last === RETURN && copies.sizes.has(offset - start));
      if (isBehind && opcode !== JUMPDEST) break;
      instructions.push(instruction);
      const value = pushedOffset(instruction);
      if (value !== undefined) pushed.add(value);
      copies.run(opcode, value);
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
    return { instructions: instructions.slice(0, ending + 1), pushed, copies };
  }

  /**
   * The contracts inside, each by an offset and a size with which the code copies it, or that it pushes elsewhere. Constants
   * are copied as contracts are, and some of them could run: what is taken for a contract deploys or branches, is deployed,
   * or has auxdata.
   */
  #embedded(
    start: number,
    codeEnd: number,
    end: number,
    { pushed, copies }: OwnCode,
  ): { start: number; end: number }[] {
    const copiedEnd = (at: number) => {
      const size = copies.sizes.get(at - start);
      return size !== undefined && size > 0 && at + size <= end ? at + size : undefined;
    };
    const openings = new Map<number, Opening>();
    const places = [...pushed]
      .map((offset) => start + offset)
      .filter((at) => at >= codeEnd && at < end)
      .sort((a, b) => a - b)
      .slice(0, MAX_NUMBERS);
    for (const at of places) {
      if (this.#unread <= 0) break;
      const opening = this.#opening(at, copiedEnd(at) ?? end);
      if (opening) openings.set(at, opening);
      if (openings.size === MAX_EMBEDDED) break;
    }
    const isContract = (at: number, childEnd: number) =>
      openings.get(at) !== "ends" ||
      copies.deployed.has(at - start) ||
      this.#auxdataWithin(at, childEnd).next().value !== undefined;
    const sizes = [...pushed]
      .filter((size) => size > 16 && codeEnd + size <= end)
      .sort((a, b) => b - a)
      .slice(0, MAX_NUMBERS);
    const endBySize = (at: number, isBehindAnother: boolean) => {
      const ends = sizes.map((size) => at + size).filter((one) => one <= end);
      return (
        ends.find((one) => this.#auxdataBefore(one)?.end === one) ??
        ends.find((one) => this.#endsInConstants(at, one)) ??
        (this.#bytes[at - 1] === INVALID || isBehindAnother
          ? ends.find((one) => one === end || openings.has(one))
          : undefined)
      );
    };
    const found: { start: number; end: number }[] = [];
    for (const at of openings.keys()) {
      if (at < (found.at(-1)?.end ?? 0)) continue;
      const childEnd = copiedEnd(at) ?? endBySize(at, found.at(-1)?.end === at);
      if (childEnd !== undefined && isContract(at, childEnd)) found.push({ start: at, end: childEnd });
    }
    return found;
  }

  /**
   * Creation code keeps behind everything else the large constants that it uses often, a word each, and the texts that it
   * copies, of any length: these end where the outer contract's auxdata begins.
   */
  #endsInConstants(start: number, end: number): boolean {
    const last = this.#auxdataBefore(end);
    const constants = last && last.start > start ? end - last.end : 0;
    const isWords = constants % 32 === 0 || this.#auxdataWithin(end).next().value?.start === end;
    return constants > 0 && isWords && constants <= MAX_CONSTANT_BYTES;
  }

  /**
   * How a contract begins here, if one can: from an empty stack its instructions come to a branch to a place of its own, or to
   * an end, before the next auxdata: what a hash in it looks like must not count. Texts and tables mostly come to what is no
   * instruction, or take from the stack what is not there.
   */
  #opening(at: number, end: number): Opening | undefined {
    const next = this.#auxdatas[this.#auxdatasUpTo(at)];
    const limit = Math.min(at + MAX_OPENING_BYTES, end, next?.start ?? end);
    const places = new Set<number>();
    const copies = new CodeCopies();
    let height = 0;
    for (const instruction of this.#read(at, limit)) {
      const { offset, opcode } = instruction;
      const known = opcodeOf(opcode);
      if (!known || height < known.pops) return undefined;
      height += known.pushes - known.pops;
      const value = pushedOffset(instruction);
      if (value !== undefined) places.add(at + value);
      copies.run(opcode, value);
      if (opcode === JUMP || opcode === JUMPI)
        return [...places].some((place) => place < end && this.#bytes[place] === JUMPDEST)
          ? "branches"
          : undefined;
      if (!endsBlock(opcode)) continue;
      if (copies.deployed.size > 0) return "deploys";
      // What does nothing at all is closed by an INVALID as every code of solc; else a zero would be a contract.
      return offset > at || (opcode === STOP && this.#bytes[at + 1] === INVALID) ? "ends" : undefined;
    }
    return undefined;
  }

  /** The last auxdata that ends at an offset or before it. */
  #auxdataBefore(offset: number): Auxdata | undefined {
    return this.#auxdatas[this.#auxdatasUpTo(offset) - 1];
  }

  /** The auxdatas that lie between two offsets, in order. */
  *#auxdataWithin(start: number, end = this.#bytes.length): Generator<Auxdata, undefined> {
    for (let index = this.#auxdatasUpTo(start); index < this.#auxdatas.length; index++) {
      const auxdata = this.#auxdatas[index];
      if (!auxdata || auxdata.end > end) break;
      if (auxdata.start >= start) yield auxdata;
    }
    return undefined;
  }

  /** How many auxdatas end at an offset or before it; they are in the order of their ends. */
  #auxdatasUpTo(offset: number): number {
    let [low, high] = [0, this.#auxdatas.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#auxdatas[middle]?.end ?? Infinity) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** What lies between contracts: auxdata, and data around them. */
  #rest(start: number, end: number, depth: number): void {
    let at = start;
    for (const auxdata of this.#auxdataWithin(start, end)) {
      if (auxdata.start < at) continue;
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
