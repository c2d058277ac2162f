import { constantUses, type ConstantUse } from "../evm/constants.ts";
import {
  disassemble,
  ownAuxdata,
  type CodeSection,
  type Disassembly,
  type Instruction,
} from "../evm/disassembly.ts";
import { findSelectors } from "../evm/dispatcher.ts";
import { compareEvmVersions, type EvmVersion } from "../evm/evmVersion.ts";
import type { Auxdata, CodeLanguage } from "../evm/auxdata.ts";
import { isPush, opcodeOf, REVERT } from "../evm/opcodes.ts";
import { findProxy, type ProxyCode } from "../evm/proxy.ts";

/** What a runtime code tells of how it was compiled. */
export interface AnalysedCode {
  readonly code: Disassembly;
  /** The contract's own auxdata. */
  readonly auxdata: Auxdata | undefined;
  readonly language: CodeLanguage | undefined;
  /** Eight hex digits each, sorted. */
  readonly selectors: readonly string[];
  readonly proxy: ProxyCode | undefined;
  readonly pipeline: "legacy" | "ir" | undefined;
  readonly isOptimized: boolean | undefined;
  /** Whether the Yul optimizer went over a code of the IR pipeline; `undefined` for others and where nothing shows it. */
  readonly isYulOptimized: boolean | undefined;
  /** Marks of code that no optimizer went over, per thousand instructions; those of the IR pipeline have none. */
  readonly plainMarks: number;
  readonly evm: EvmTraits;
  readonly constants: readonly ConstantUse[];
  /** Comparisons by which the dispatcher splits the selectors, which solc adds for many runs. */
  readonly dispatcherSplits: number;
}

/** How often the instructions occur that tell EVM versions apart; those of contracts within may be of another build. */
interface EvmTraits {
  /** The newest EVM version that an instruction needs, and that instruction. */
  readonly needed: { readonly evmVersion: EvmVersion; readonly name: string } | undefined;
  readonly push0: number;
  /** Zeros pushed by PUSH1, as before Shanghai. */
  readonly pushedZeros: number;
  readonly mcopy: number;
  /** Loops in which memory is copied word by word, as before MCOPY. */
  readonly copyLoops: number;
  /** `ADDRESS BALANCE` pairs, which became SELFBALANCE with Istanbul. */
  readonly addressBalance: number;
  /** Accesses to the first and to the second storage slot. */
  readonly firstSlot: number;
  readonly secondSlot: number;
  /** Selectors cut out of the call data by a division, as before Constantinople; packed storage is divided ever since. */
  readonly selectorDivision: number;
  /** Calls that keep back the gas for themselves, as before Tangerine Whistle, and all calls. */
  readonly thriftyCalls: number;
  readonly calls: number;
  /** How often the length of what a call returned is asked for, as only from Byzantium on. */
  readonly returnDataSize: number;
  /** Whether free memory begins at 0x80, as since solc 0.4.22: the first release that forwards what a failed call returned. */
  readonly startsAt80: boolean;
}

/** Analyses a runtime code. */
export function analyseCode(bytes: Uint8Array): AnalysedCode {
  const code = disassemble(bytes);
  const sections = code.sections.filter((section) => section.kind === "code");
  const text = sections.map(opcodeText).join("");
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const language = languageOf(text);
  const auxdata = ownAuxdata(code, language);
  const instructions = sections.reduce((sum, section) => sum + section.instructions.length, 0);
  const pipeline = pipelineOf(text, count);
  return {
    code,
    auxdata,
    language: auxdata?.language ?? language,
    selectors: findSelectors(code),
    proxy: findProxy(code),
    pipeline,
    isOptimized: optimizedOf(count, instructions, pipeline),
    isYulOptimized: pipeline === "ir" ? yulOptimizedOf(count) : undefined,
    plainMarks: (1_000 * plainMarks(count)) / Math.max(1, instructions),
    evm: evmTraits(
      sections.filter(({ depth }) => depth === 0),
      count,
    ),
    constants: sections.flatMap((section) => constantUses(section.instructions)),
    dispatcherSplits: sections[0]
      ? (opcodeText(sections[0]).match(/ DUP1 PUSH:\w{7,8} GT PUSH:\w* JUMPI(?= )/g)?.length ?? 0)
      : 0,
  };
}

/** Instructions as words, pushes with their value but without leading zeros and whatever their width. */
export function instructionWords(instructions: readonly Instruction[]): string {
  return instructions
    .map(({ opcode, operand }) =>
      isPush(opcode) ? `PUSH:${operand.replace(/^0+/, "")}` : (opcodeOf(opcode)?.name ?? "?"),
    )
    .join(" ");
}

function opcodeText({ instructions }: CodeSection): string {
  return ` ${instructionWords(instructions)} `;
}

type Count = (pattern: RegExp) => number;

function languageOf(text: string): AnalysedCode["language"] {
  // solc first reserves memory; Vyper first reads the selector, or checks that there is one.
  if (/^ PUSH:80 (?:DUP1 )?PUSH:40|^ PUSH:60 PUSH:40 MSTORE|^ PUSH:\w+ ADDRESS EQ/.test(text))
    return "Solidity";
  if (/^ PUSH: CALLDATALOAD PUSH:e0 SHR|^ PUSH:4 CALLDATASIZE LT|^ PUSH:3 CALLDATASIZE GT/.test(text))
    return "Vyper";
  return undefined;
}

/** How a code without functions begins: it reserves memory, asks whether there are call data where it receives, too. */
const BEGINS = "^ PUSH:80 PUSH:40 MSTORE ";
const WITHOUT_DATA = "CALLDATASIZE PUSH:\\w+ JUMPI ";
/** What answers to everything is called as a function, with a stop behind it: where it returns to is captured. */
const CALLS_AND_STOPS = "PUSH:(\\w+) PUSH:\\w+ JUMP JUMPDEST STOP ";
const ANSWERS = new RegExp(`${BEGINS}${CALLS_AND_STOPS}`);
const ANSWERS_OR_ASKS = new RegExp(
  `${BEGINS}(?:${WITHOUT_DATA}|CALLDATASIZE ISZERO PUSH:\\w+ JUMPI )?${CALLS_AND_STOPS}`,
);
/** The IR pipeline puts what is shared into both places, or calls it from each. */
const RECEIVES_AND_FALLS_BACK = new RegExp(
  `${BEGINS}${WITHOUT_DATA}${CALLS_AND_STOPS}JUMPDEST PUSH:\\1 JUMPDEST `,
);
/** What receives and does nothing is the same of both. */
const RECEIVES_NOTHING = new RegExp(
  `${BEGINS}${WITHOUT_DATA}${CALLS_AND_STOPS}JUMPDEST PUSH:\\w+ PUSH:\\w+ JUMP `,
);
const STOPS_SOMEWHERE = new RegExp(` ${CALLS_AND_STOPS}`);

/** The IR pipeline without an optimizer: functions that only hand a value through, or shift it; before 0.8.21 by the stack. */
const HANDED_THROUGH = / JUMPDEST (?:SWAP1|PUSH: DUP2 SWAP1 POP SWAP2 SWAP1 POP) JUMP(?= )/g;
const SHIFTS =
  / JUMPDEST (?:PUSH:(?:e0)? SHR SWAP1|PUSH: DUP2 PUSH:(?:e0)? SHR SWAP1 POP SWAP2 SWAP1 POP) JUMP(?= )/g;
/** What it leaves there besides: jumps to the next instruction, and functions for a constant. */
const LEFT_BY_IR =
  / JUMPDEST (?:JUMPDEST|PUSH:\w* (?:MLOAD )?SWAP1 JUMP|PUSH: PUSH:\w* (?:MLOAD )?SWAP1 POP SWAP1 JUMP)(?= )/g;
const CUTS_SELECTOR =
  / (?:PUSH: DUP2 PUSH:e0 SHR SWAP1 POP SWAP2 SWAP1 POP|PUSH: CALLDATALOAD PUSH:\w+) JUMP(?= )/g;

/**
 * The IR pipeline checks the size of the call data the other way round than the legacy one, and it does not keep
 * the value that was sent on the stack (libsolidity/codegen: `ir/IRGenerator.cpp`, `ContractCompiler.cpp`).
 */
function pipelineOf(text: string, count: Count): AnalysedCode["pipeline"] {
  // Until 0.4.21 free memory began at 0x60; the IR pipeline came with 0.7.5.
  if (text.startsWith(" PUSH:60 PUSH:40 MSTORE")) return "legacy";
  if (/^ PUSH:80 (?:DUP1 )?PUSH:40 MSTORE ADDRESS PUSH:/.test(text) || count(CUTS_SELECTOR) > 0) return "ir";
  // A contract without functions: the legacy pipeline calls what answers to everything as a function, and stops behind it,
  // as the IR pipeline does without an optimizer, which shifts every value that it reads from storage by a function.
  if (ANSWERS_OR_ASKS.test(text) && (count(SHIFTS) > 0 || count(HANDED_THROUGH) > 2)) return "ir";
  if (ANSWERS.test(text)) return "legacy";
  // With one that receives, too: both call what they share, and optimized one of them goes on into it.
  if (RECEIVES_AND_FALLS_BACK.test(text)) return "legacy";
  const ir =
    count(/ CALLDATASIZE LT ISZERO PUSH:\w* JUMPI(?= )/g) +
    count(/ CALLVALUE (?:ISZERO )?PUSH:\w* JUMPI(?= )/g);
  const legacy =
    count(/ CALLDATASIZE LT PUSH:\w* JUMPI(?= )/g) + count(/ CALLVALUE DUP1 ISZERO PUSH:\w* JUMPI(?= )/g);
  if (ir !== legacy) return ir > legacy ? "ir" : "legacy";
  // Without functions: the legacy pipeline calls the fallback as a function and stops behind it, if it is not inlined.
  return !RECEIVES_NOTHING.test(text) && STOPS_SOMEWHERE.test(text) ? "legacy" : undefined;
}

/**
 * Marks per thousand instructions below which a code counts as optimized, and from which on it does not; between them it
 * tells nothing.
 */
const OPTIMIZED_MARKS = 3;
const UNOPTIMIZED_MARKS = 6;
/** Instructions of which some would be marks. */
const MIN_INSTRUCTIONS = 40;
/** Share of jump targets from which on code of the IR pipeline counts as not optimized: its functions are not inlined. */
const UNOPTIMIZED_TARGETS = 0.11;

/**
 * Whether an optimizer went over the code: it removes copies that are dropped at once, storage arithmetic on
 * constant offsets, masks that are applied twice, and functions that only hand a value through.
 */
function optimizedOf(
  count: Count,
  instructions: number,
  pipeline: AnalysedCode["pipeline"],
): boolean | undefined {
  if (instructions < 24) return undefined;
  if (pipeline !== "legacy") {
    const isPlain = count(SHIFTS) > 0 || (pipeline === "ir" && count(LEFT_BY_IR) > 1);
    const passing = count(HANDED_THROUGH);
    const targets = count(/ JUMPDEST(?= )/g) / instructions;
    if (isPlain || (targets > UNOPTIMIZED_TARGETS && passing > 2)) return false;
    if (pipeline === "ir") return true;
  }
  const marks = (plainMarks(count) * 1_000) / instructions;
  if (marks >= UNOPTIMIZED_MARKS) return false;
  return marks < OPTIMIZED_MARKS && instructions >= MIN_INSTRUCTIONS ? true : undefined;
}

/**
 * The IR pipeline decodes the arguments of every function from the fourth byte of the call data on. The Yul optimizer puts
 * the number into what decodes them, and where it is subtracted its complement is added (libyul/optimiser:
 * `FunctionSpecializer`, and the rules of `ExpressionSimplifier`); without it the number is handed over.
 */
function yulOptimizedOf(count: Count): boolean | undefined {
  const specialized =
    / (?:CALLDATASIZE (?:PUSH:3 NOT|PUSH:f{63}c)|(?:PUSH:3 NOT|PUSH:f{63}c) (?:DUP\d+ )*CALLDATASIZE) ADD SLT(?= )/g;
  if (count(specialized) > 0) return true;
  return count(/ CALLDATASIZE PUSH:4 PUSH:\w+ JUMP(?= )/g) > 0 ? false : undefined;
}

function plainMarks(count: Count): number {
  return (
    // Not the mask for the last bytes of a text, which the optimizer leaves.
    count(/(?<! SUB) PUSH:100 EXP(?= )/g) +
    count(/ DUP\d+ SWAP1 POP(?= )/g) +
    count(/ SWAP1 POP SWAP\d SWAP1 POP JUMP(?= )/g) +
    count(/ DUP1 CALLDATASIZE SUB DUP2 ADD(?= )/g) +
    count(/ DUP\d+ SWAP1 SSTORE POP(?= )/g) +
    count(/ DUP2 SLOAD DUP1 SWAP3 SWAP2 SWAP1(?= )/g) +
    count(/ PUSH: PUSH:\w* SWAP1 POP SWAP1 JUMP(?= )/g) +
    count(
      / DUP1 DUP3 (?:PUSH:f{40} AND |ISZERO ISZERO )?DUP2 MSTORE PUSH:20 ADD SWAP2 POP POP PUSH:40 MLOAD DUP1 SWAP2 SUB SWAP1 RETURN(?= )/g,
    ) +
    count(/ SWAP3 SWAP2 SWAP1 POP POP POP(?= )/g) +
    // Bytes of the call data that are copied to memory.
    count(/ CALLDATACOPY PUSH: DUP2 DUP5 ADD MSTORE(?= )/g) +
    // What encodes the values that are returned.
    count(/ PUSH: PUSH:20 DUP3 ADD SWAP1 POP(?= )/g) +
    // A text that is returned, and the loop that copies it.
    count(/ PUSH:40 MLOAD DUP1 DUP1 PUSH:20 ADD DUP3 DUP2 SUB DUP3 MSTORE(?= )/g) +
    count(/ PUSH:20 DUP2 ADD SWAP1 POP PUSH:\w+ JUMP(?= )/g) +
    count(/ PUSH:f{40} AND PUSH:f{40} AND(?= )/g) +
    // The next argument of the call data, as the decoder before 0.8 goes on to it.
    count(/ CALLDATALOAD (?:PUSH:f{40} AND )?SWAP1 PUSH:20 ADD SWAP1(?= )/g)
  );
}

function evmTraits(sections: readonly CodeSection[], count: Count): EvmTraits {
  let needed: EvmTraits["needed"];
  for (const { instructions } of sections)
    for (const { opcode } of instructions) {
      const known = opcodeOf(opcode);
      // solc writes REVERT whatever it compiles for.
      if (opcode === REVERT) continue;
      if (known && (!needed || compareEvmVersions(known.since, needed.evmVersion) > 0))
        needed = { evmVersion: known.since, name: known.name };
    }
  const pushes = sections.flatMap(({ instructions }) => instructions);
  return {
    needed,
    push0: pushes.filter(({ opcode }) => opcode === 0x5f).length,
    pushedZeros: pushes.filter(({ opcode, operand }) => opcode === 0x60 && operand === "00").length,
    mcopy: pushes.filter(({ opcode }) => opcode === 0x5e).length,
    copyLoops: count(/ MLOAD (?:DUP\d+ |SWAP\d+ |ADD )*ADD MSTORE(?= )/g),
    addressBalance: count(/ ADDRESS BALANCE(?= )/g),
    firstSlot: count(/ PUSH: S(?:LOAD|STORE)(?= )/g),
    secondSlot: count(/ PUSH:1 S(?:LOAD|STORE)(?= )/g),
    selectorDivision: count(
      / PUSH: CALLDATALOAD (?:PUSH:10{56}|PUSH:2 PUSH:e0 EXP|PUSH:e0 PUSH:2 EXP) SWAP1 DIV(?= )| (?:PUSH:10{56}|PUSH:2 PUSH:e0 EXP|PUSH:e0 PUSH:2 EXP) PUSH: CALLDATALOAD DIV(?= )/g,
    ),
    thriftyCalls: count(/ PUSH:\w+ GAS SUB (?:CALL|CALLCODE|DELEGATECALL)(?= )/g),
    calls: count(/ (?:CALL|CALLCODE|DELEGATECALL|STATICCALL)(?= )/g),
    returnDataSize: pushes.filter(({ opcode }) => opcode === 0x3d).length,
    startsAt80: count(/^ PUSH:80 (?:DUP1 )?PUSH:40/g) > 0,
  };
}
