import { bytesToHex } from "@noble/hashes/utils.js";
import {
  CODECOPY,
  isPush,
  JUMP,
  JUMPDEST,
  JUMPI,
  MSTORE,
  opcodeOf,
  POP,
  PUSH4,
  REVERT,
  RETURN,
  STOP,
  SWAP1,
  DUP1,
} from "./opcodes.ts";
import { fold } from "./constantFolding.ts";
import type { Disassembly, Instruction } from "./disassembly.ts";

/** What a word on the stack is known to be. */
type Word =
  | { readonly is: "number"; readonly value: bigint }
  /** The first word of the call data. */
  | { readonly is: "head" }
  /** The selector, at the low end. */
  | { readonly is: "selector" }
  /** The selector, at the high end with zeros behind it. */
  | { readonly is: "padded" }
  /** Whether the selector is a certain one; `whenTrue` says which outcome means that it is. */
  | { readonly is: "test"; readonly selector: bigint; readonly whenTrue: boolean }
  | { readonly is: "unknown" };

const UNKNOWN: Word = { is: "unknown" };
const SELECTOR_MASK = 0xffff_ffffn;
const PADDED_MASK = SELECTOR_MASK << 224n;
const MAX_STEPS = 60_000;
/** Deeper than in any compiler's dispatcher, which keeps few words; a path that goes deeper is not followed. */
const MAX_STACK = 128;
/** More words than a dispatcher keeps in memory; further ones are not known. */
const MAX_STORED_WORDS = 128;
const MAX_VISITS = 3;
const TABLE_ENTRY_BYTES = 7;
/**
 * `PUSH1 3 CALLDATASIZE GT AND`, which Vyper writes behind a comparison with a selector that ends in zeros: calldata that is
 * shorter reads the same (vyperlang/vyper, vyper/codegen/module.py).
 */
const LONG_ENOUGH: readonly number[] = [0x60, 0x36, 0x11, 0x16];

/**
 * The selectors that a runtime code answers to, as eight hex digits each, sorted: the code is followed from its
 * first byte with nothing known but the constants, and every comparison of the selector with a constant is
 * taken down; the functions behind are not entered. Where a jump table decides (Vyper), the comparisons behind
 * the table are read from the instructions.
 */
export function findSelectors(code: Disassembly): string[] {
  const [own] = code.sections;
  if (own?.kind !== "code") return [];
  const walk = new DispatcherWalk(own.instructions);
  walk.run();
  if (walk.hasJumpTable) {
    walk.readComparisons();
    if (walk.selectors.size === 0) walk.readTable(code.bytes.subarray(own.end));
  }
  return [...walk.selectors].map(selectorText).sort();
}

/** Where the code of a function begins, as the dispatcher goes there. */
export interface FunctionEntry {
  readonly offset: number;
  /** What lies on the stack there, the top last: a number as far as it is known. */
  readonly stack: readonly (bigint | undefined)[];
}

/** Where the functions of a code begin, and what of the data behind it only leads to them. */
interface FunctionEntries {
  /** By selector, eight hex digits each. */
  readonly entries: ReadonlyMap<string, FunctionEntry>;
  /** Offsets in the whole code; absent where no table decides. */
  readonly table?: { readonly start: number; readonly end: number };
}

/**
 * The places to which a runtime code goes for each selector; `undefined` where one selector leads to several places, or where a
 * table decides and leads one of its selectors nowhere.
 */
export function findEntries(code: Disassembly): FunctionEntries | undefined {
  const [own] = code.sections;
  if (own?.kind !== "code") return undefined;
  const walk = new DispatcherWalk(own.instructions);
  walk.run();
  if (walk.hasJumpTable) return entriesByTable(code, own.instructions);
  if (walk.isAmbiguous || walk.entries.size < walk.selectors.size) return undefined;
  return { entries: new Map([...walk.entries].map(([selector, entry]) => [selectorText(selector), entry])) };
}

/** A word in a dispatcher that is run with a known selector, and that no more is known of than its value. */
interface RunWord {
  readonly value: bigint | undefined;
  /** It was copied from behind the code, or made of what was. */
  readonly isCopied: boolean;
  /** It says that the selector is the one that it was compared with, which was copied or stands in the code. */
  readonly match?: "copied" | "pushed";
}

const NOT_KNOWN: RunWord = { value: undefined, isCopied: false };
/** Far more than a dispatcher with a table takes for one selector. */
const MAX_RUN_STEPS = 1_000;
/** Bytes of memory that such a dispatcher uses at most. */
const RUN_MEMORY = 1_024;
/** As many bytes as any function takes arguments. */
const CALL_BYTES = 1n << 32n;
/** Rows of a table that no selector leads to lie beside those that one does. */
const TABLE_MARGIN = 64;

/** Runs the dispatcher once for each selector, as a call without value and with arguments enough does. */
function entriesByTable(
  code: Disassembly,
  instructions: readonly Instruction[],
): FunctionEntries | undefined {
  const [own] = code.sections;
  const entries = new Map<string, FunctionEntry>();
  let [start, end] = [code.bytes.length, 0];
  for (const selector of findSelectors(code)) {
    const run = runDispatcher(code.bytes, instructions, BigInt(`0x${selector}`));
    // What the code compares with a number of four bytes may be no selector.
    if (!run.entry) continue;
    entries.set(selector, run.entry);
    start = Math.min(start, run.start);
    end = Math.max(end, run.end);
  }
  if (entries.size === 0 || !own) return undefined;
  const table = {
    start: Math.max(own.end, start - TABLE_MARGIN),
    end: Math.min(code.bytes.length, end + TABLE_MARGIN),
  };
  return { entries, table };
}

function runDispatcher(
  bytes: Uint8Array,
  instructions: readonly Instruction[],
  selector: bigint,
): { entry?: FunctionEntry; start: number; end: number } {
  const at = new Map(instructions.map(({ offset }, index) => [offset, index]));
  const memory = new Uint8Array(RUN_MEMORY);
  const stack: RunWord[] = [];
  let [start, end] = [bytes.length, 0];
  let isMatched = false;
  let index = 0;
  const entered = (offset: number) => ({
    entry: { offset, stack: stack.map(({ value }) => value) },
    start,
    end,
  });
  for (let steps = 0; steps < MAX_RUN_STEPS; steps++) {
    const instruction = instructions[index];
    if (!instruction) break;
    const { opcode, operand, offset, length } = instruction;
    if (isPush(opcode)) {
      stack.push({ value: BigInt(`0x${operand || "0"}`), isCopied: false });
    } else if (opcode >= DUP1 && opcode < SWAP1) {
      stack.push(stack.at(-1 - (opcode - DUP1)) ?? NOT_KNOWN);
    } else if (opcode >= SWAP1 && opcode < SWAP1 + 16) {
      const [top, deep] = [stack.length - 1, stack.length - 2 - (opcode - SWAP1)];
      if (deep < 0) break;
      [stack[top], stack[deep]] = [stack[deep] ?? NOT_KNOWN, stack[top] ?? NOT_KNOWN];
    } else {
      const { pops, pushes } = opcodeOf(opcode) ?? { pops: 0, pushes: -1 };
      const taken = Array.from({ length: pops }, () => stack.pop() ?? NOT_KNOWN);
      const [first = NOT_KNOWN, second = NOT_KNOWN, third = NOT_KNOWN] = taken;
      if (opcode === JUMP || opcode === JUMPI) {
        if (opcode === JUMPI && second.value === undefined) break;
        const isTaken = opcode === JUMP || second.value !== 0n;
        const target = isTaken ? at.get(Number(first.value ?? -1n)) : index + 1;
        if (target === undefined || (isTaken && instructions[target]?.opcode !== JUMPDEST)) break;
        const to = isTaken ? Number(first.value) : offset + length;
        if (opcode === JUMPI && second.match === "pushed") return entered(to);
        if (opcode === JUMPI && second.match === "copied") isMatched = true;
        if (opcode === JUMP && isMatched && first.isCopied) return entered(to);
        index = target;
        continue;
      }
      if (opcode === CODECOPY) {
        const [to, from, size] = [Number(first.value), Number(second.value), Number(third.value)];
        if (!(to >= 0 && from >= 0 && to + size <= RUN_MEMORY && from + size <= bytes.length)) break;
        memory.set(bytes.subarray(from, from + size), to);
        [start, end] = [Math.min(start, from), Math.max(end, from + size)];
      } else if (
        pushes < 0 ||
        opcode === STOP ||
        opcode === RETURN ||
        opcode === REVERT ||
        opcode === MSTORE
      ) {
        break;
      } else if (pushes > 0) {
        const made = runResult(opcode, taken, selector, memory);
        stack.push(made);
      }
    }
    index++;
  }
  return { start, end };
}

function runResult(opcode: number, taken: readonly RunWord[], selector: bigint, memory: Uint8Array): RunWord {
  const [a = NOT_KNOWN, b = NOT_KNOWN] = taken;
  switch (opcode) {
    case 0x34:
      return { value: 0n, isCopied: false };
    case 0x35:
      return a.value === 0n ? { value: selector << 224n, isCopied: false } : NOT_KNOWN;
    case 0x36:
      return { value: CALL_BYTES, isCopied: false };
    case 0x51: {
      const from = Number(a.value ?? -1n);
      return from >= 0 && from + 32 <= RUN_MEMORY
        ? { value: BigInt(`0x${bytesToHex(memory.subarray(from, from + 32))}`), isCopied: true }
        : NOT_KNOWN;
    }
  }
  if (a.value === undefined || (taken.length > 1 && b.value === undefined)) return NOT_KNOWN;
  const value = fold(opcode, a.value, b.value ?? 0n);
  if (value === undefined) return NOT_KNOWN;
  const isCopied = taken.some((word) => word.isCopied);
  const isComparison = opcode === 0x14 || opcode === 0x18 || opcode === 0x03;
  const match =
    isComparison && a.value === selector && b.value === selector
      ? isCopied
        ? ("copied" as const)
        : ("pushed" as const)
      : taken.find((word) => word.match)?.match;
  return { value, isCopied, ...(match && { match }) };
}

function selectorText(selector: bigint): string {
  return selector.toString(16).padStart(8, "0");
}

class DispatcherWalk {
  readonly selectors = new Set<bigint>();
  readonly entries = new Map<bigint, FunctionEntry>();
  /** Whether one selector leads to several places. */
  isAmbiguous = false;
  hasJumpTable = false;
  readonly #instructions: readonly Instruction[];
  readonly #at = new Map<number, number>();
  readonly #visits = new Map<string, number>();
  #steps = 0;
  #hasSelector = false;

  constructor(instructions: readonly Instruction[]) {
    this.#instructions = instructions;
    this.#instructions.forEach(({ offset }, index) => this.#at.set(offset, index));
  }

  run(): void {
    const paths: { index: number; stack: Word[]; memory: Map<string, Word> }[] = [
      { index: 0, stack: [], memory: new Map() },
    ];
    for (let path = paths.pop(); path; path = paths.pop()) {
      const { stack, memory } = path;
      let index: number | undefined = path.index;
      while (index !== undefined && ++this.#steps < MAX_STEPS) {
        const instruction: Instruction | undefined = this.#instructions[index];
        if (!instruction || stack.length > MAX_STACK) break;
        const { opcode } = instruction;
        if (opcode === JUMPDEST && !this.#mayVisit(instruction.offset, stack)) break;
        if (opcode === JUMP) {
          index = this.#target(stack.pop());
        } else if (opcode === JUMPI) {
          const [target, condition] = [stack.pop(), stack.pop() ?? UNKNOWN];
          if (condition.is === "test")
            this.#enter(condition.selector, condition.whenTrue ? this.#target(target) : index + 1, stack);
          const next = this.#branch(condition, index + 1, target);
          const [first, ...others]: number[] = next;
          for (const other of others)
            paths.push({ index: other, stack: [...stack], memory: new Map(memory) });
          index = first;
        } else if (opcode === STOP || opcode === RETURN || opcode === REVERT || !opcodeOf(opcode)) {
          break;
        } else {
          execute(instruction, stack, memory);
          if (stack.at(-1)?.is === "selector") this.#hasSelector = true;
          index++;
        }
      }
    }
  }

  /** Adds every number that a word is compared with before a conditional jump. */
  readComparisons(): void {
    this.#instructions.forEach((instruction, index) => {
      if (instruction.opcode !== PUSH4) return;
      const next = this.#instructions.slice(index + 1, index + 13).map(({ opcode }) => opcode);
      const comparison = next.findIndex((opcode) => opcode === 0x14 || opcode === 0x18 || opcode === 0x03);
      const between = next.slice(0, comparison);
      const isDirect = between.every((opcode) => opcode >= DUP1 && opcode < SWAP1 + 16);
      const behind = next.slice(comparison + 1);
      const isLong = LONG_ENOUGH.every((opcode, at) => behind[at] === opcode);
      const jump = isLong ? behind.indexOf(JUMPI) - LONG_ENOUGH.length : behind.indexOf(JUMPI);
      if (comparison >= 0 && comparison < 5 && isDirect && jump >= 0 && jump <= 2)
        this.selectors.add(BigInt(`0x${instruction.operand}`));
    });
  }

  /**
   * Adds the selectors of a dense table, which stand in the data behind the code (Vyper, `optimize codesize`):
   * seven bytes for each function, of which the first four are the selector and the next two a jump target.
   */
  readTable(data: Uint8Array): void {
    const targets = new Set(
      this.#instructions.filter(({ opcode }) => opcode === JUMPDEST).map(({ offset }) => offset),
    );
    for (let at = 0; at + TABLE_ENTRY_BYTES <= data.length;) {
      const target = ((data[at + 4] ?? 0) << 8) | (data[at + 5] ?? 0);
      if (targets.has(target)) this.selectors.add(BigInt(`0x${bytesToHex(data.subarray(at, at + 4))}`));
      at += targets.has(target) ? TABLE_ENTRY_BYTES : 1;
    }
  }

  #mayVisit(offset: number, stack: readonly Word[]): boolean {
    const key = `${offset}/${stack.map(({ is }) => is.charAt(0)).join("")}`;
    const visits = (this.#visits.get(key) ?? 0) + 1;
    this.#visits.set(key, visits);
    return visits <= MAX_VISITS;
  }

  #target(word: Word | undefined): number | undefined {
    if (word?.is === "number") {
      const index = this.#at.get(Number(word.value));
      return this.#instructions[index ?? -1]?.opcode === JUMPDEST ? index : undefined;
    }
    if (this.#hasSelector) this.hasJumpTable = true;
    return undefined;
  }

  #enter(selector: bigint, index: number | undefined, stack: readonly Word[]): void {
    const offset = this.#instructions[index ?? -1]?.offset;
    if (offset === undefined) return;
    const known = this.entries.get(selector);
    if (known) this.isAmbiguous ||= known.offset !== offset;
    else
      this.entries.set(selector, {
        offset,
        stack: stack.map((word) => (word.is === "number" ? word.value : undefined)),
      });
  }

  /** Where to go on: a function's own code is never entered. */
  #branch(condition: Word, next: number, target: Word | undefined): number[] {
    if (condition.is === "test") {
      this.selectors.add(condition.selector);
      if (condition.whenTrue) return [next];
      const other = this.#target(target);
      return other === undefined ? [] : [other];
    }
    if (condition.is === "number") {
      if (condition.value === 0n) return [next];
      const taken = this.#target(target);
      return taken === undefined ? [] : [taken];
    }
    const taken = this.#target(target);
    return taken === undefined ? [next] : [next, taken];
  }
}

function execute({ opcode, operand }: Instruction, stack: Word[], memory: Map<string, Word>): void {
  if (isPush(opcode)) {
    stack.push({ is: "number", value: BigInt(`0x${operand || "0"}`) });
    return;
  }
  if (opcode >= DUP1 && opcode < SWAP1) {
    stack.push(stack[stack.length - 1 - (opcode - DUP1)] ?? UNKNOWN);
    return;
  }
  if (opcode >= SWAP1 && opcode < SWAP1 + 16) {
    const depth = opcode - SWAP1 + 1;
    while (stack.length <= depth) stack.unshift(UNKNOWN);
    const [top, other] = [stack.length - 1, stack.length - 1 - depth];
    [stack[top], stack[other]] = [stack[other] ?? UNKNOWN, stack[top] ?? UNKNOWN];
    return;
  }
  const { pops, pushes } = opcodeOf(opcode) ?? { pops: 0, pushes: 0 };
  const taken = Array.from({ length: pops }, () => stack.pop() ?? UNKNOWN);
  if (opcode === 0x52) store(memory, taken);
  if (opcode === 0x37) copyCallData(memory, taken);
  if (pushes > 0 && opcode !== POP) stack.push(result(opcode, taken, memory));
}

function store(memory: Map<string, Word>, [place, value]: readonly Word[]): void {
  if (place?.is !== "number" || !value || memory.size >= MAX_STORED_WORDS) return;
  memory.set(place.value.toString(), value);
  // Old Vyper writes the call data's head at byte 28, so that the selector is the word at byte 0.
  if (value.is === "head" && place.value === 28n) memory.set("0", { is: "selector" });
}

/** Vyper 0.3.0 and 0.3.1 copy the four bytes of the selector to byte 28, so that it is the word at byte 0. */
function copyCallData(memory: Map<string, Word>, taken: readonly Word[]): void {
  const [place, from, length] = taken.map((word) => (word.is === "number" ? word.value : undefined));
  if (place === 28n && from === 0n && length === 4n) memory.set("0", { is: "selector" });
}

function result(opcode: number, taken: readonly Word[], memory: ReadonlyMap<string, Word>): Word {
  const [a = UNKNOWN, b = UNKNOWN] = taken;
  if (a.is === "number" && (b.is === "number" || taken.length === 1)) {
    const value = fold(opcode, a.value, b.is === "number" ? b.value : 0n);
    if (value !== undefined) return { is: "number", value };
  }
  switch (opcode) {
    case 0x35:
      return a.is === "number" && a.value === 0n ? { is: "head" } : UNKNOWN;
    case 0x51:
      return a.is === "number" ? (memory.get(a.value.toString()) ?? UNKNOWN) : UNKNOWN;
    case 0x1c:
      return a.is === "number" && a.value === 224n && b.is === "head" ? { is: "selector" } : UNKNOWN;
    case 0x04:
      return a.is === "head" && b.is === "number" && b.value === 1n << 224n ? { is: "selector" } : UNKNOWN;
    case 0x16:
      return masked(a, b) ?? masked(b, a) ?? testedToo(a) ?? testedToo(b) ?? UNKNOWN;
    case 0x15:
      return a.is === "test"
        ? { ...a, whenTrue: !a.whenTrue }
        : a.is === "selector"
          ? { is: "test", selector: 0n, whenTrue: true }
          : UNKNOWN;
    case 0x14:
      return tested(a, b, true) ?? tested(b, a, true) ?? UNKNOWN;
    case 0x18:
    case 0x03:
      return tested(a, b, false) ?? tested(b, a, false) ?? UNKNOWN;
    default:
      return UNKNOWN;
  }
}

function masked(word: Word, mask: Word): Word | undefined {
  if (mask.is !== "number") return undefined;
  if (word.is === "selector" && mask.value === SELECTOR_MASK) return word;
  if ((word.is === "head" || word.is === "padded") && mask.value === PADDED_MASK) return { is: "padded" };
  return undefined;
}

/** A comparison with the selector that something else has to go with, such as the length of the calldata. */
function testedToo(word: Word): Word | undefined {
  return word.is === "test" && word.whenTrue ? word : undefined;
}

function tested(word: Word, number: Word, whenTrue: boolean): Word | undefined {
  if (number.is !== "number") return undefined;
  if (word.is === "selector" && number.value <= SELECTOR_MASK)
    return { is: "test", selector: number.value, whenTrue };
  if (word.is === "padded" && (number.value & PADDED_MASK) === number.value)
    return { is: "test", selector: number.value >> 224n, whenTrue };
  return undefined;
}
