import { opcodeOf } from "../evm/opcodes.ts";
import type { AnalysedCode } from "./codeTraits.ts";
import type { Comparison } from "./comparison.ts";

/** Operations that the number of runs leaves alone: arithmetic, comparisons, calls, logs, what is read of the world. */
const STABLE_OPERATIONS =
  /^(?:LT|SLT|SGT|GT|EQ|ISZERO|XOR|OR|BYTE|SIGNEXTEND|MUL|DIV|SDIV|MOD|SMOD|ADDMOD|MULMOD|LOG\d|CALL|CALLCODE|STATICCALL|DELEGATECALL|CREATE2?|SELFDESTRUCT|SSTORE|TSTORE|TIMESTAMP|NUMBER|CALLER|ORIGIN|CALLVALUE|BALANCE|SELFBALANCE|CHAINID|EXTCODESIZE|EXTCODEHASH|BLOCKHASH|GAS)$/;

/**
 * Whether the deployed code calls functions that the recompiled code has where they are called: it jumps more often, and
 * does nothing more often.
 */
export function callsMoreFunctions({ deployed, recompiled }: Comparison): boolean {
  const { more, jumps } = operationChange(deployed, recompiled);
  return more === 0 && jumps > 0;
}

/** How the operations of two codes differ in number. */
export interface OperationChange {
  /** Kinds of stable operations that occur more or less often, the dispatcher's splits left out. */
  readonly operations: number;
  /** Of these, how many occur more often in the deployed code, and how many less often. */
  readonly more: number;
  readonly fewer: number;
  readonly jumps: number;
  /** Places to jump to, but for those of the dispatcher's splits. */
  readonly targets: number;
  /** Copies out of the code, as of constants that are kept behind it. */
  readonly copies: number;
  /** Whether execution ends more often in one way and less often in another one, which no inlining comes to. */
  readonly endsOtherwise: boolean;
}

/** Ways to end that inlining may write at several places. */
const ENDINGS = ["STOP", "RETURN", "REVERT", "INVALID"] as const;

/** How the operations of the deployed code differ from those of another one. */
export function operationChange(deployed: AnalysedCode, other: AnalysedCode): OperationChange {
  const splits = deployed.dispatcherSplits - other.dispatcherSplits;
  const [mine, theirs] = [operationCounts(deployed), operationCounts(other)];
  const change = (name: string) => (mine.get(name) ?? 0) - (theirs.get(name) ?? 0);
  const kinds = [...new Set([...mine.keys(), ...theirs.keys()])].filter((name) =>
    STABLE_OPERATIONS.test(name),
  );
  const changes = kinds.map((name) => change(name) - (name === "GT" ? splits : 0));
  const [more, fewer] = [changes.filter((one) => one > 0).length, changes.filter((one) => one < 0).length];
  const endings = ENDINGS.map(change);
  return {
    operations: more + fewer,
    more,
    fewer,
    jumps: change("JUMP"),
    targets: change("JUMPDEST") - splits,
    copies: change("CODECOPY"),
    endsOtherwise: endings.some((one) => one > 0) && endings.some((one) => one < 0),
  };
}

function operationCounts({ code }: AnalysedCode): Map<string, number> {
  const counts = new Map<string, number>();
  for (const section of code.sections)
    if (section.kind === "code")
      for (const { opcode } of section.instructions) {
        const name = opcodeOf(opcode)?.name ?? "";
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
  return counts;
}
