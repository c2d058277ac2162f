import type { Pieces } from "../concurrency/turns.ts";
import { codeItems, type CodeItem } from "./codeItems.ts";
import type { Disassembly } from "./disassembly.ts";
import { findEntries, type FunctionEntry } from "./dispatcher.ts";
import {
  DUP1,
  endsBlock,
  isPush,
  JUMP,
  JUMPDEST,
  JUMPI,
  opcodeOf,
  PUSH20,
  PUSH32,
  SWAP1,
} from "./opcodes.ts";

/** Which functions run other code in two runtime codes, by their selectors, eight hex digits each. */
interface BodyComparison {
  readonly changed: readonly string[];
  readonly same: readonly string[];
  /** Those of which neither is proven. */
  readonly unclear: readonly string[];
  readonly onlyLeft: readonly string[];
  readonly onlyRight: readonly string[];
  /** Whether it is proven that other code runs for what is no call of a function: before them, in `receive` and `fallback`. */
  readonly isRestChanged: boolean;
  /** The data of each code that only leads to the functions, where it is a table that does. */
  readonly tables?: readonly { readonly start: number; readonly end: number }[];
  /**
   * Pairs of numbers that are offsets of jump targets by chance, each in its code: they are reckoned with or kept, and no jump
   * leads to them, as far as the walk came, which ends where a function differs. None where a jump could not be followed.
   */
  readonly numbers: readonly { readonly left: number; readonly right: number }[];
}

/** What two bodies come to: `unclear` where a jump can't be followed, or a place in the code is used as a number. */
type Verdict = "same" | "changed" | "unclear";

/** Instructions that are walked for both codes together, before it is given up. */
const MAX_STEPS = 1_000_000;
const STEPS_OF_A_PIECE = 4_096;
/** Deeper than any function that does not call itself. */
const MAX_STACK = 256;
/** More than any code has bytes: two offsets make one number of which both can be read. */
const OFFSETS = 2 ** 24;
/** A word that is no place to jump to on either side, or not known. */
const NO_PLACES = -1;
/** A number that leaves every place as it is where both are combined by AND, as before a jump to a function that is a value. */
const MASK = -2;
const MASK_DIGITS = /^0*(?:ff){3,}$/;
const ZERO = /^0*$/;

/** What was asked of two codes before, for as long as these are there. */
const known = new WeakMap<
  Disassembly,
  WeakMap<Disassembly, { readonly bodies: BodyComparison | undefined }>
>();

/**
 * Which functions of two runtime codes differ in what they run, by walking both codes side by side from where each selector
 * leads: through every branch, and into all that is called. Where the code lies is no difference, nor is the width of a push, a
 * jump to what could as well follow, an immutable or the address of a library that is not linked.
 *
 * Of codes with other selectors those that both have are compared, and not what runs without one: where the code lies that
 * is reached by no selector, only the way through the same comparisons tells.
 *
 * @returns `undefined` where it is not known where the functions of one of the codes begin
 */
export function* compareBodiesInPieces(
  left: Disassembly,
  right: Disassembly,
): Pieces<BodyComparison | undefined> {
  const ofLeft = known.get(left) ?? new WeakMap<Disassembly, { bodies: BodyComparison | undefined }>();
  known.set(left, ofLeft);
  const before = ofLeft.get(right);
  if (before) return before.bodies;
  const bodies = yield* comparedBodies(left, right);
  ofLeft.set(right, { bodies });
  return bodies;
}

function* comparedBodies(left: Disassembly, right: Disassembly): Pieces<BodyComparison | undefined> {
  const [found, otherFound] = [findEntries(left), findEntries(right)];
  yield;
  if (!found || !otherFound) return undefined;
  const [{ entries }, { entries: others }] = [found, otherFound];
  const pairs: { selector: string; entry: FunctionEntry; other: FunctionEntry }[] = [];
  for (const [selector, entry] of entries) {
    const other = others.get(selector);
    if (other) pairs.push({ selector, entry, other });
  }
  const onlyLeft = [...entries.keys()].filter((selector) => !others.has(selector));
  const onlyRight = [...others.keys()].filter((selector) => !entries.has(selector));
  const walk = new Walk(left, right);
  yield;
  const ends = new Set(pairs.map(({ entry, other }) => placesOf(entry.offset, other.offset)));
  const rest =
    onlyLeft.length + onlyRight.length > 0 || found.table
      ? "unclear"
      : yield* walk.compare({ offset: 0, stack: [] }, { offset: 0, stack: [] }, ends);
  const verdicts: Record<Verdict, string[]> = { changed: [], same: [], unclear: [] };
  for (const { selector, entry, other } of pairs) verdicts[yield* walk.compare(entry, other)].push(selector);
  return {
    ...verdicts,
    onlyLeft,
    onlyRight,
    isRestChanged: rest === "changed",
    ...(found.table && otherFound.table && { tables: [found.table, otherFound.table] }),
    numbers: walk.numbers(),
  };
}

function placesOf(left: number, right: number): number {
  return left * OFFSETS + right;
}

function bothOf(places: number): { readonly left: number; readonly right: number } {
  return { left: Math.floor(places / OFFSETS), right: places % OFFSETS };
}

/** The instructions of one code, by where they begin. */
class Side {
  readonly items: ReadonlyMap<number, CodeItem>;
  readonly #code: Disassembly;

  constructor(code: Disassembly) {
    this.#code = code;
    const [own] = code.sections;
    this.items = new Map(
      codeItems(code)
        .filter(({ section }) => section === own)
        .map((item) => [item.offset, item]),
    );
  }

  /** From a place on, to the next instruction that does more than go elsewhere; `undefined` for no end, or one that is no place. */
  skipped(from: number): CodeItem | undefined {
    let at = from;
    // Jumps that lead to each other have no end.
    for (let jumps = 0; jumps < MAX_STACK; jumps++) {
      const item = this.items.get(at);
      if (!item) return undefined;
      const next = at + item.length;
      if (item.instruction?.opcode === JUMPDEST) {
        at = next;
      } else if (isPush(item.instruction?.opcode ?? 0) && this.opcodeAt(next) === JUMP) {
        const target = pushed(item);
        if (this.opcodeAt(target) !== JUMPDEST) return undefined;
        at = target;
      } else return item;
    }
    return undefined;
  }

  /**
   * What an offset behind the instructions is: how far into which section, or behind all of them; `undefined` for one that is
   * not there.
   */
  behind(offset: number): string | undefined {
    const { sections, bytes } = this.#code;
    if (offset >= bytes.length) return `${sections.length} ${offset - bytes.length}`;
    const at = sections.findIndex(({ start, end }) => start <= offset && offset < end);
    return at > 0 ? `${at} ${offset - (sections[at]?.start ?? 0)}` : undefined;
  }

  /** Whether an offset lies behind the instructions and within the code. */
  isBehind(offset: number): boolean {
    return offset < this.#code.bytes.length && this.behind(offset) !== undefined;
  }

  opcodeAt(offset: number): number | undefined {
    return this.items.get(offset)?.instruction?.opcode;
  }
}

/** What an instruction pushes, as a place: -1 for what is none. */
function pushed({ instruction }: CodeItem): number {
  const digits = instruction?.operand.replace(/^0+/, "") ?? "";
  return digits.length > 6 ? NO_PLACES : Number.parseInt(digits || "0", 16);
}

/** Two places that stand for each other, with what lies on the stack: pairs of places to jump to, or {@link NO_PLACES}. */
interface State {
  readonly left: number;
  readonly right: number;
  readonly stack: number[];
}

class Walk {
  readonly #left: Side;
  readonly #right: Side;
  #steps = 0;
  /** Pairs of places that something else than a jump took from the stack, and those that a jump took. */
  readonly #reckoned = new Set<number>();
  readonly #jumped = new Set<number>();
  /** Whether the walk came to where it could not go on. */
  #isLost = false;

  constructor(left: Disassembly, right: Disassembly) {
    [this.#left, this.#right] = [new Side(left), new Side(right)];
  }

  numbers(): BodyComparison["numbers"] {
    if (this.#isLost) return [];
    return [...this.#reckoned].filter((word) => !this.#jumped.has(word)).map(bothOf);
  }

  /** @param ends pairs of places at which the walk ends */
  *compare(one: FunctionEntry, other: FunctionEntry, ends: ReadonlySet<number> = new Set()): Pieces<Verdict> {
    // Another way to the function says nothing of the function.
    if (one.stack.length !== other.stack.length) return "unclear";
    const stack = one.stack.map((value, at) => this.#word(placeOf(value), placeOf(other.stack[at])));
    const open: State[] = [{ left: one.offset, right: other.offset, stack }];
    const seen = new Set<string>();
    let isClear = true;
    for (let state = open.pop(); state; state = open.pop()) {
      const { left, right } = state;
      if (ends.has(placesOf(left, right))) continue;
      const key = `${left} ${right} ${state.stack.join()}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const verdict = yield* this.#block(state, open);
      if (verdict === "changed") return verdict;
      isClear &&= verdict === "same";
      if (this.#steps > MAX_STEPS) return this.#lost();
    }
    return isClear ? "same" : "unclear";
  }

  /** Walks on to where the code ends, jumps or branches. */
  *#block({ left, right, stack: before }: State, open: State[]): Pieces<Verdict> {
    const stack = [...before];
    let isClear = true;
    let [atLeft, atRight] = [left, right];
    for (;;) {
      if (++this.#steps % STEPS_OF_A_PIECE === 0) yield;
      const [one, other] = [this.#left.skipped(atLeft), this.#right.skipped(atRight)];
      if (!one?.instruction || !other?.instruction) return this.#lost();
      const { opcode } = one.instruction;
      [atLeft, atRight] = [one.offset + one.length, other.offset + other.length];
      if (isPush(opcode) && isPush(other.instruction.opcode)) {
        const word = this.#pushedWord(one, other);
        if (word === undefined) return "changed";
        if (word === "unclear") isClear = false;
        stack.push(typeof word === "number" ? word : NO_PLACES);
      } else if (opcode !== other.instruction.opcode) {
        return "changed";
      } else if (opcode >= DUP1 && opcode < SWAP1) {
        stack.push(stack.at(-1 - (opcode - DUP1)) ?? NO_PLACES);
      } else if (opcode >= SWAP1 && opcode < SWAP1 + 16) {
        const depth = opcode - SWAP1 + 1;
        while (stack.length <= depth) stack.unshift(NO_PLACES);
        const [top, deep] = [stack.length - 1, stack.length - 1 - depth];
        [stack[top], stack[deep]] = [stack[deep] ?? NO_PLACES, stack[top] ?? NO_PLACES];
      } else if (opcode === JUMP || opcode === JUMPI) {
        const target = stack.pop() ?? NO_PLACES;
        if (opcode === JUMPI) {
          const condition = stack.pop() ?? NO_PLACES;
          isClear &&= !this.#isMoved(condition);
          open.push({ left: atLeft, right: atRight, stack: [...stack] });
        }
        const next = { ...bothOf(target), stack };
        const isKnown =
          target >= 0 &&
          this.#left.opcodeAt(next.left) === JUMPDEST &&
          this.#right.opcodeAt(next.right) === JUMPDEST;
        if (!isKnown) return this.#lost();
        this.#jumped.add(target);
        open.push(next);
        return isClear ? "same" : "unclear";
      } else {
        const known = opcodeOf(opcode);
        if (!known || endsBlock(opcode)) return isClear ? "same" : "unclear";
        const taken = Array.from({ length: known.pops }, () => stack.pop() ?? NO_PLACES);
        if (known.name === "AND" && taken.includes(MASK)) {
          stack.push(taken.find((word) => word !== MASK) ?? MASK);
          continue;
        }
        // A place that is kept or reckoned with may be jumped to, and is another number where it is none.
        const moved = known.name === "POP" ? [] : taken.filter((word) => this.#isMoved(word));
        if (moved.length > 0) isClear = false;
        for (const word of moved) this.#reckoned.add(word);
        for (let made = 0; made < known.pushes; made++) stack.push(NO_PLACES);
      }
      if (stack.length > MAX_STACK) return this.#lost();
    }
  }

  #lost(): Verdict {
    this.#isLost = true;
    return "unclear";
  }

  /** What two pushes leave on the stack; `undefined` where they differ. */
  #pushedWord(one: CodeItem, other: CodeItem): number | "unclear" | undefined {
    const [mine, theirs] = [one.instruction?.operand ?? "", other.instruction?.operand ?? ""];
    const [left, right] = [pushed(one), pushed(other)];
    if (mine.replace(/^0+/, "") === theirs.replace(/^0+/, ""))
      return MASK_DIGITS.test(mine) ? MASK : this.#word(left, right);
    if (one.instruction?.opcode === PUSH32 && other.instruction?.opcode === PUSH32)
      return ZERO.test(theirs) ? NO_PLACES : undefined;
    if (one.instruction?.opcode === PUSH20 && other.instruction?.opcode === PUSH20)
      return ZERO.test(theirs) ? NO_PLACES : undefined;
    if (this.#left.opcodeAt(left) === JUMPDEST && this.#right.opcodeAt(right) === JUMPDEST)
      return placesOf(left, right);
    const [behind, otherBehind] = [this.#left.behind(left), this.#right.behind(right)];
    if (behind !== undefined && behind === otherBehind) return NO_PLACES;
    if (this.#left.isBehind(left) && this.#right.isBehind(right) && one.key !== "push place")
      return "unclear";
    if (one.key !== "push place" && other.key !== "push place") return undefined;
    // The size or the offset of what lies behind the code, unless one of them is a number.
    return one.key === other.key && one.target === undefined && other.target === undefined
      ? NO_PLACES
      : "unclear";
  }

  #word(left: number, right: number): number {
    const isPlace = this.#left.opcodeAt(left) === JUMPDEST || this.#right.opcodeAt(right) === JUMPDEST;
    return isPlace ? placesOf(left, right) : NO_PLACES;
  }

  #isMoved(word: number): boolean {
    return word >= 0 && Math.floor(word / OFFSETS) !== word % OFFSETS;
  }
}

function placeOf(value: bigint | undefined): number {
  return value !== undefined && value < OFFSETS ? Number(value) : NO_PLACES;
}
