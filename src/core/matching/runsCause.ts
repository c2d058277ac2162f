import { compareEvmVersions, compareVersions } from "../evm/evmVersion.ts";
import { codeBytes } from "../evm/hex.ts";
import { opcodeOf } from "../evm/opcodes.ts";
import { commonRuns } from "./metadataSearch.ts";
import { analyseCode, type AnalysedCode } from "./codeTraits.ts";
import { deployedCompiler, hasSameFunctions, type Comparison } from "./comparison.ts";
import { sentEvmVersion } from "./evmCause.ts";
import type { Cause } from "./explanation.ts";
import { compareRuns } from "./runsEstimate.ts";
import { ALL_RUNS, common, contains, MOST_RUNS, runsInterval, type RunsInterval } from "./runsInterval.ts";
import { counted, grouped } from "./wording.ts";
import type { Pieces } from "../concurrency/turns.ts";

/** So many numbers of runs that told no direction are proof enough that another thing differs. */
const MOST_BLIND_TRIES = 3;
/** Beyond so many tries a search goes on for ever. */
const MOST_TRIES = 14;

/** What the codes say of the number of runs. */
interface RunsSigns {
  readonly direction: "more" | "fewer" | undefined;
  /** In words, the surest first. */
  readonly signs: readonly string[];
  readonly confidence: number;
}

/** The number of runs, where both codes are optimized by the same pipeline for the same EVM. */
export function* runsCause(comparison: Comparison, found: readonly Cause[]): Pieces<Cause | undefined> {
  const { settings, language } = comparison.input.submitted.stdJsonInput;
  if (language === "Vyper" || settings.optimizer?.enabled !== true) return undefined;
  if (found.some(({ code }) => code === "optimizer" || code === "via_ir" || code === "evm_version"))
    return undefined;
  const sent = settings.optimizer.runs ?? 200;
  const own = modelOf(comparison, comparison.deployed);
  yield;
  const isModelRight = contains(widened(modelOf(comparison, comparison.recompiled), comparison), sent);
  const possible = isModelRight ? widened(own, comparison) : ALL_RUNS;
  const told = contains(possible, sent)
    ? signsOf(comparison, comparison.recompiled, sent)
    : signsOfInterval(comparison, possible, sent);
  if (!told) return undefined;
  const proposal = yield* nextRuns(comparison, possible, told.direction, sent);
  // Every number that the codes allow was submitted.
  if (proposal === undefined && comparison.tried.alike.length > 0) return undefined;
  return {
    code: "optimizer_runs",
    confidence: told.confidence,
    evidence: `The deployed code was optimized for ${told.direction ?? "another number of"} runs (${told.signs.join(", ")}); you sent ${grouped(sent)}.`,
    fix:
      proposal === undefined ? "Submit with the runs of the deployment." : `Try ${grouped(proposal)} runs.`,
    ...(proposal !== undefined && {
      action: {
        kind: "resubmit",
        label: `Resubmit With ${grouped(proposal)} Runs`,
        changes: { settings: { optimizer: { enabled: true, runs: proposal } } },
      },
    }),
  };
}

/** A number of runs that a code's own form allows: the submitted one where it does, else the commonest. */
export function fittingRuns(comparison: Comparison, isOptimized: boolean): number {
  const { input, deployed } = comparison;
  const sent = input.submitted.stdJsonInput.settings.optimizer?.runs ?? 200;
  const possible = modelOf(comparison, { ...deployed, isOptimized });
  const { tried } = comparison;
  const isFree = (runs: number) =>
    contains(possible, runs) && !tried.includes({ settings: { optimizer: { enabled: isOptimized, runs } } });
  return [sent, ...commonRuns].find(isFree) ?? between(possible);
}

function modelOf(comparison: Comparison, code: AnalysedCode): RunsInterval {
  const hasShifts = compareEvmVersions(sentEvmVersion(comparison), "constantinople") >= 0;
  return runsInterval(code, deployedCompiler(comparison), hasShifts);
}

/** With room for what the landmarks leave out: zeros cost less to deploy, and before 0.5 exponents did. */
function widened({ least, most }: RunsInterval, comparison: Comparison): RunsInterval {
  const factor = compareVersions(deployedCompiler(comparison), "0.5.0") < 0 ? 2.1 : 1.04;
  return { least: Math.max(0, Math.floor(least / factor) - 1), most: Math.ceil(most * factor) + 1 };
}

/** The deployed code's own constants and dispatcher exclude the number that was sent. */
function signsOfInterval(comparison: Comparison, possible: RunsInterval, sent: number): RunsSigns {
  const { least, most } = possible;
  const { deployed, recompiled } = comparison;
  const direction = sent < least ? "more" : "fewer";
  const evidence = compareRuns(deployed.constants, recompiled.constants, sent);
  const splits = deployed.dispatcherSplits - recompiled.dispatcherSplits;
  const range =
    direction === "more" ? `no fewer than about ${grouped(least)}` : `no more than about ${grouped(most)}`;
  return {
    direction,
    signs: [
      ...(evidence.reencoded > 0
        ? [`${counted(evidence.reencoded, "constant")} written in another form`]
        : []),
      ...(splits !== 0 ? [splitWords(splits)] : []),
      range,
    ],
    // Where all are pushes, the optimizer of constants may also have been off.
    confidence: most >= MOST_RUNS ? 0.79 : hasSameFunctions(comparison) ? 0.93 : 0.85,
  };
}

function splitWords(splits: number): string {
  return `${counted(Math.abs(splits), "split")} ${splits > 0 ? "more" : "fewer"} in the dispatcher`;
}

/** What the deployed code beside one of known runs tells, where both may have been made for them. */
function signsOf(comparison: Comparison, other: AnalysedCode, runs: number): RunsSigns | undefined {
  const { deployed } = comparison;
  const evidence = compareRuns(deployed.constants, other.constants, runs);
  const splits = deployed.dispatcherSplits - other.dispatcherSplits;
  const sameFunctions = hasSameFunctions(comparison);
  const bySplits = sameFunctions && splits !== 0 ? (splits > 0 ? "more" : "fewer") : undefined;
  const change = operationChange(deployed, other, splits);
  const byCopies = change.copies !== 0 && change.operations === 0;
  const byJumps = change.operations === 0 && Math.abs(change.jumps) >= 2 && evidence.reencoded === 0;
  const byForms = change.operations === 0 && evidence.reencoded === 0 && evidence.mixed > 0;
  if (!sameFunctions && evidence.reencoded < 3) return undefined;
  if (evidence.reencoded === 0 && !bySplits && !byCopies && !byJumps && !byForms) return undefined;
  const signs = [
    evidence.reencoded > 0 ? `${counted(evidence.reencoded, "constant")} written in another form` : "",
    byForms ? `${counted(evidence.mixed, "constant")} partly written in another form` : "",
    bySplits ? splitWords(splits) : "",
    byCopies ? "constants copied from behind the code" : "",
    byJumps ? "other functions inlined, with the same operations" : "",
  ].filter((sign) => sign !== "");
  // An edit changes what is done; the number of runs only how it is written.
  const isSure = change.operations === 0;
  return {
    direction: evidence.direction ?? bySplits ?? bySize(deployed, other),
    signs,
    confidence: isSure && sameFunctions ? 0.76 : 0.45,
  };
}

/** Code for more runs is the longer one. */
function bySize(deployed: AnalysedCode, other: AnalysedCode): RunsSigns["direction"] {
  const more = deployed.code.bytes.length - other.code.bytes.length;
  return Math.abs(more) < 8 ? undefined : more > 0 ? "more" : "fewer";
}

/**
 * The number of runs to try next: the commonest of those that the deployed code allows and that no try has excluded, or
 * one in the middle of them.
 */
function* nextRuns(
  comparison: Comparison,
  possible: RunsInterval,
  direction: RunsSigns["direction"],
  sent: number,
): Pieces<number | undefined> {
  const { tried } = comparison;
  const rest = narrowed(possible, direction, sent);
  let left = rest && contains(possible, sent) ? rest : possible;
  const earlier = tried.alike.flatMap(({ stdJsonInput: { settings }, recompiledRuntimeCode }) => {
    const bytes = codeBytes(recompiledRuntimeCode);
    return settings.optimizer?.enabled === true && bytes.length > 0
      ? [{ runs: settings.optimizer.runs ?? 200, bytes }]
      : [];
  });
  if (earlier.length > MOST_TRIES) return undefined;
  let blind = 0;
  for (const { runs, bytes } of earlier) {
    if (!contains(possible, runs)) continue;
    yield;
    const towards = signsOf(comparison, analyseCode(bytes), runs)?.direction;
    if (towards === undefined) blind++;
    left = narrowed(left, towards, runs) ?? left;
  }
  if (blind >= MOST_BLIND_TRIES) return undefined;
  const isFree = (runs: number) =>
    runs !== sent &&
    contains(left, runs) &&
    !tried.includes({ settings: { optimizer: { enabled: true, runs } } });
  return commonRuns.find(isFree) ?? middles(left).find(isFree);
}

function narrowed(
  interval: RunsInterval,
  direction: RunsSigns["direction"],
  runs: number,
): RunsInterval | undefined {
  if (direction === undefined) return interval;
  return common(
    interval,
    direction === "more" ? { ...ALL_RUNS, least: runs + 1 } : { ...ALL_RUNS, most: runs - 1 },
  );
}

/** The middle of an interval, where what grows in proportion is in the middle. */
function between({ least, most }: RunsInterval): number {
  return Math.min(most, Math.max(least, Math.round(Math.sqrt(Math.max(least, 1) * Math.max(most, 1)))));
}

/** The middle, then the middles of the halves, and so on. */
function middles(interval: RunsInterval): number[] {
  const found: number[] = [];
  let parts = [interval];
  for (let depth = 0; depth < 4; depth++)
    parts = parts.flatMap((part) => {
      const middle = between(part);
      found.push(middle);
      return [
        { least: part.least, most: Math.max(part.least, middle - 1) },
        { least: Math.min(part.most, middle + 1), most: part.most },
      ];
    });
  return [...new Set(found)];
}

/** Operations that the number of runs leaves alone: arithmetic, comparisons, calls, logs, what is read of the world. */
const STABLE_OPERATIONS =
  /^(?:LT|SLT|SGT|GT|EQ|ISZERO|XOR|OR|BYTE|SIGNEXTEND|MUL|DIV|SDIV|MOD|SMOD|ADDMOD|MULMOD|LOG\d|CALL|CALLCODE|STATICCALL|DELEGATECALL|CREATE2?|SELFDESTRUCT|SSTORE|TSTORE|TIMESTAMP|NUMBER|CALLER|ORIGIN|CALLVALUE|BALANCE|SELFBALANCE|CHAINID|EXTCODESIZE|EXTCODEHASH|BLOCKHASH|GAS)$/;

/** How the operations of two codes differ in number. */
interface OperationChange {
  /** Kinds of stable operations that occur more or less often, the dispatcher's splits left out. */
  readonly operations: number;
  readonly jumps: number;
  /** Copies out of the code, as of constants that are kept behind it. */
  readonly copies: number;
}

function operationChange(deployed: AnalysedCode, other: AnalysedCode, splits: number): OperationChange {
  const [mine, theirs] = [operationCounts(deployed), operationCounts(other)];
  const change = (name: string) => (mine.get(name) ?? 0) - (theirs.get(name) ?? 0);
  const kinds = new Set([...mine.keys(), ...theirs.keys()]);
  return {
    operations: [...kinds].filter(
      (name) => STABLE_OPERATIONS.test(name) && change(name) !== (name === "GT" ? splits : 0),
    ).length,
    jumps: change("JUMP"),
    copies: change("CODECOPY"),
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
