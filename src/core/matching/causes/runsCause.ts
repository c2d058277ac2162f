import { isOptimizing, SOLC_SINCE } from "../../languages/solidity/solcCode.ts";
import { t } from "@vscode/l10n";
import { codeBytes } from "../../evm/hex.ts";
import { DUP1, PUSH32, SWAP1 } from "../../evm/opcodes.ts";
import { LANGUAGES } from "../../languages/language.ts";
import { atLeast } from "../../versions.ts";
import { analyseCode, type AnalysedCode } from "../codeTraits.ts";
import { deployedCompiler, hasSameFunctions, type Comparison } from "../comparison.ts";
import { sentEvmVersion } from "./evmCause.ts";
import type { Cause } from "../explanation.ts";
import { operationChange, type OperationChange } from "../operationChange.ts";
import { compareRuns } from "../runsComparison.ts";
import { constantLikeness } from "./hiddenSettings.ts";
import { isOfFewFunctionsInPieces, OF_FEW_FUNCTIONS } from "./fewFunctions.ts";
import {
  ALL_RUNS,
  common,
  contains,
  formInterval,
  MAX_RUNS,
  runsInterval,
  runsLandmarks,
  writtenAtDeployment,
  type RunsInterval,
  type RunsTarget,
} from "../runsInterval.ts";
import { nextRuns } from "../runsSearch.ts";
import { counted, grouped } from "../../text/counted.ts";
import type { Pieces } from "../../concurrency/turns.ts";

/** So many numbers of runs that told no direction are proof enough that another thing differs. */
const MAX_BLIND_TRIES = 3;
/** The fewest runs that projects set. */
const MIN_RUNS = 1;
/** Beyond so many tries a search goes on for ever. */
const MAX_TRIES = 14;

/** From about here on runs times gas is more than solc's JavaScript builds can count with, and some code is ordered otherwise. */
const OVERFLOWING_RUNS = 477_218_589;

/** A number of runs that was submitted and made another code than the deployed one. */
interface RunsTry {
  readonly runs: number;
  readonly code: AnalysedCode;
}

/** What the codes say of the number of runs. */
interface RunsSigns {
  readonly direction: "more" | "fewer" | undefined;
  /** The number that the direction counts from, where it is not the one that was submitted. */
  readonly from?: number;
  /** In words, the surest first. */
  readonly signs: readonly string[];
  readonly confidence: number;
  /** Nothing but the number of jump targets and of operations tells, which an edit changes, too. */
  readonly isInliningAlone?: true;
}

/** The number of runs, where both codes are optimized by the same pipeline for the same EVM. */
export function* runsCause(comparison: Comparison, found: readonly Cause[]): Pieces<Cause | undefined> {
  const { settings, language } = comparison.input.submitted.stdJsonInput;
  if (LANGUAGES[language].optimizerModes || !isOptimizing(settings)) return undefined;
  if (found.some(({ code }) => code === "optimizer" || code === "via_ir" || code === "evm_version"))
    return undefined;
  const sent = settings.optimizer?.runs ?? 200;
  const own = modelOf(comparison, comparison.deployed, true);
  yield;
  const isModelRight = contains(modelOf(comparison, comparison.recompiled, true), sent);
  const possible = isModelRight ? own : ALL_RUNS;
  const isPossible = contains(possible, sent);
  const told = isPossible
    ? signsOf(comparison, comparison.recompiled, sent)
    : signsOfInterval(comparison, possible, sent);
  if (!told || (told.direction === "fewer" && sent === 0)) return undefined;
  // Fewer than the fewest are seldom set, unless the codes show more of it than jumps.
  const isUnusual = isPossible && told.direction === "fewer" && sent <= MIN_RUNS;
  const isOfEdit =
    isUnusual || (told.isInliningAlone === true && (yield* isOfFewFunctionsInPieces(comparison)));
  const proposal = yield* proposedRuns(comparison, possible, { runs: sent, code: comparison.recompiled });
  // Every number that the codes allow was submitted.
  if (proposal === undefined && comparison.tried.alike.length > 0) return undefined;
  return {
    code: "optimizer_runs",
    confidence: isOfEdit ? Math.min(told.confidence, OF_FEW_FUNCTIONS) : told.confidence,
    evidence: t`The deployed code was optimized for ${told.direction ?? t`another number of`} runs (${told.signs.join(", ")}); you sent ${grouped(sent)}.`,
    fix:
      proposal === undefined
        ? t`Submit with the runs of the deployment.`
        : t`Try ${counted(proposal, "run")}.`,
    ...(proposal !== undefined && {
      action: {
        kind: "resubmit",
        label: t`Resubmit With ${counted(proposal, "Run")}`,
        localLabel: t`Verify With ${counted(proposal, "Run")}`,
        changes: { settings: { optimizer: { enabled: true, runs: proposal } } },
      },
    }),
  };
}

/** A number of runs that a code's own form allows: the submitted one where it does, else the likeliest. */
export function fittingRuns(comparison: Comparison, isOptimized: boolean): number {
  const { input, deployed, tried } = comparison;
  const sent = input.submitted.stdJsonInput.settings.optimizer?.runs ?? 200;
  const possible = modelOf(comparison, deployed, isOptimized);
  const isTried = (runs: number) =>
    tried.includes({ settings: { optimizer: { enabled: isOptimized, runs } } });
  if (contains(possible, sent) && !isTried(sent)) return sent;
  const landmarks = isOptimized ? runsLandmarks(deployed, targetOf(comparison)) : [];
  return nextRuns(possible, landmarks, tried.runs.filter(isTried)) ?? sent;
}

function modelOf(comparison: Comparison, code: AnalysedCode, isOptimized: boolean): RunsInterval {
  return runsInterval({ ...code, isOptimized }, targetOf(comparison));
}

function targetOf(comparison: Comparison): RunsTarget {
  return {
    compilerVersion: deployedCompiler(comparison),
    evmVersion: sentEvmVersion(comparison),
    written: immutablesOf(comparison),
  };
}

/** What the deployment may have written into the places of immutables, which a compiler leaves as pushes of 32 zeros. */
function immutablesOf({ deployed, recompiled }: Comparison): ReadonlySet<bigint> {
  const hasPlaces = recompiled.code.sections.some(
    (section) =>
      section.kind === "code" &&
      section.instructions.some(({ opcode, operand }) => opcode === PUSH32 && /^0+$/.test(operand)),
  );
  const own = new Set(recompiled.constants.map(({ value }) => value));
  const constants = deployed.constants.filter(({ value }) => !own.has(value));
  return writtenAtDeployment({ constants }, { immutables: hasPlaces, libraries: false });
}

/** The deployed code's own constants and dispatcher exclude the number that was sent. */
function signsOfInterval(comparison: Comparison, possible: RunsInterval, sent: number): RunsSigns {
  const { least, most } = possible;
  const { deployed, recompiled } = comparison;
  const direction = sent < least ? "more" : "fewer";
  const evidence = compareRuns(deployed.constants, recompiled.constants);
  const splits = deployed.dispatcherSplits - recompiled.dispatcherSplits;
  const range =
    direction === "more" ? t`no fewer than about ${grouped(least)}` : t`no more than about ${grouped(most)}`;
  return {
    direction,
    signs: [
      ...(evidence.reencoded > 0
        ? [t`${counted(evidence.reencoded, "constant")} written in another form`]
        : []),
      ...(splits !== 0 ? [splitWords(splits)] : []),
      range,
    ],
    // Where all are pushes, the optimizer of constants may also have been off.
    confidence:
      most >= MAX_RUNS || !isOfRuns(comparison, targetOf(comparison), sent)
        ? 0.79
        : hasSameFunctions(comparison)
          ? 0.93
          : 0.85,
  };
}

/** Share of the instructions that two codes have in common whatever their runs. */
const LIKE_FOR_ALL_RUNS = 0.8;

/**
 * Whether nothing but runs need differ: another release changes more, and where only calls that were not inlined exclude the
 * number that was sent, the inliner may have been off.
 */
function isOfRuns({ code, deployed }: Comparison, target: RunsTarget, sent: number): boolean {
  return code.likeness >= LIKE_FOR_ALL_RUNS && !contains(formInterval(deployed, target), sent);
}

function splitWords(splits: number): string {
  return t`${counted(Math.abs(splits), "split")} ${splits > 0 ? t`more` : t`fewer`} in the dispatcher`;
}

/** What the deployed code beside one of known runs tells, where both may have been made for them. */
function signsOf(comparison: Comparison, other: AnalysedCode, runs: number): RunsSigns | undefined {
  const { deployed } = comparison;
  const evidence = compareRuns(deployed.constants, other.constants);
  const splits = deployed.dispatcherSplits - other.dispatcherSplits;
  const sameFunctions = hasSameFunctions(comparison);
  const bySplits = sameFunctions && splits !== 0 ? (splits > 0 ? "more" : "fewer") : undefined;
  const change = operationChange(deployed, other);
  const byCopies = change.copies !== 0 && change.operations === 0;
  const byInlining = sameFunctions && isInlining(comparison, change);
  const byOrder = comparison.tried.alike.length > 0 && isReordered(deployed, other);
  const byJumps =
    change.operations === 0 &&
    Math.abs(change.jumps) >= 2 &&
    evidence.reencoded === 0 &&
    !change.endsOtherwise;
  const byForms = change.operations === 0 && evidence.reencoded === 0 && evidence.mixed > 0;
  if (!sameFunctions && evidence.reencoded < 3) return undefined;
  if (evidence.reencoded === 0 && !bySplits && !byCopies && !byJumps && !byForms && !byInlining && !byOrder)
    return undefined;
  const signs = [
    evidence.reencoded > 0 ? t`${counted(evidence.reencoded, "constant")} written in another form` : "",
    byForms ? t`${counted(evidence.mixed, "constant")} partly written in another form` : "",
    bySplits ? splitWords(splits) : "",
    byCopies ? t`constants copied from behind the code` : "",
    byJumps
      ? t`other functions inlined, with the same operations`
      : byInlining
        ? t`${change.targets < 0 ? t`more` : t`fewer`} functions inlined`
        : "",
    byOrder ? t`the same instructions in another order` : "",
  ].filter((sign) => sign !== "");
  const isInliningAlone =
    byInlining && evidence.reencoded === 0 && !bySplits && !byCopies && !byJumps && !byForms && !byOrder;
  // An edit changes what is done; the number of runs only how it is written.
  const isSure = change.operations === 0 || byInlining;
  return {
    ...(byOrder
      ? beyondOverflow(runs)
      : { direction: evidence.direction ?? bySplits ?? byTargets(change) ?? bySize(deployed, other) }),
    signs,
    // A number of runs has brought it so far already.
    confidence: byOrder ? 0.88 : isSure && sameFunctions ? 0.76 : 0.45,
    ...(isInliningAlone && { isInliningAlone }),
  };
}

/** Only on the other side of the overflow is the order another one. */
function beyondOverflow(runs: number): Pick<RunsSigns, "direction" | "from"> {
  return runs < OVERFLOWING_RUNS
    ? { direction: "more", from: OVERFLOWING_RUNS - 1 }
    : { direction: "fewer", from: OVERFLOWING_RUNS };
}

/** Whether two codes have the very same instructions, and not one after the other. */
function isReordered(deployed: AnalysedCode, other: AnalysedCode): boolean {
  const [mine, theirs] = [wordsOf(deployed), wordsOf(other)];
  return (
    mine.length === theirs.length &&
    mine.join() !== theirs.join() &&
    mine.toSorted().join() === theirs.toSorted().join()
  );
}

/** Every instruction with what it pushes. */
function writtenCode({ code }: AnalysedCode): string {
  return code.sections
    .flatMap((section) =>
      section.kind === "code" ? section.instructions.map(({ opcode, operand }) => `${opcode}${operand}`) : [],
    )
    .join();
}

/** Instructions, pushes with what they push but for what may be a place in the code, copies and swaps whatever their depth. */
function wordsOf({ code }: AnalysedCode): string[] {
  return code.sections.flatMap((section) =>
    section.kind === "code"
      ? section.instructions.map(({ opcode, operand }) =>
          opcode >= DUP1 && opcode < SWAP1 + 16
            ? `${opcode & 0xf0}`
            : `${opcode}${operand.length > 4 ? operand : ""}`,
        )
      : [],
  );
}

/** Code for more runs is the longer one. */
function bySize(deployed: AnalysedCode, other: AnalysedCode): RunsSigns["direction"] {
  const more = deployed.code.bytes.length - other.code.bytes.length;
  return more === 0 ? undefined : more > 0 ? "more" : "fewer";
}

/** A function that stands where it is called needs no place to jump to, nor one to come back. */
function byTargets({ targets }: OperationChange): RunsSigns["direction"] {
  return targets === 0 ? undefined : targets < 0 ? "more" : "fewer";
}

/** What stands at several places is done at several places: where there is less to jump to, there is more of the rest. */
function isInlining(
  comparison: Comparison,
  { targets, more, fewer, endsOtherwise }: OperationChange,
): boolean {
  if (!atLeast(deployedCompiler(comparison), SOLC_SINCE.inliner) || targets === 0 || endsOtherwise)
    return false;
  return constantLikeness(comparison) === 1 && (targets < 0 ? fewer === 0 : more === 0);
}

/**
 * The number of runs to try next, of those that the deployed code allows and that no try has excluded: whichever of two
 * codes was made for more, shows.
 */
function* proposedRuns(
  comparison: Comparison,
  possible: RunsInterval,
  present: RunsTry,
): Pieces<number | undefined> {
  const { deployed } = comparison;
  const tries = [present, ...triesOf(comparison)];
  if (tries.length > MAX_TRIES) return undefined;
  const target = targetOf(comparison);
  const landmarks = new Set([OVERFLOWING_RUNS, ...runsLandmarks(deployed, target)]);
  let [blind, left, others] = [0, possible, ALL_RUNS];
  for (const { runs, code } of tries) {
    yield;
    for (const landmark of runsLandmarks(code, target)) landmarks.add(landmark);
    const { direction, from = runs } = signsOf(comparison, code, runs) ?? {};
    if (direction === undefined && contains(possible, runs)) blind++;
    const side = direction === undefined ? ALL_RUNS : sideOf(direction, from);
    others = common(others, side) ?? others;
    left = common(left, side) ?? left;
  }
  if (blind >= MAX_BLIND_TRIES) return undefined;
  const submitted = tries.map(({ runs }) => runs);
  // Numbers that make no difference are soonest known by the furthest one: either it does, or none is the deployed one.
  if (tries.length > 1 && new Set(tries.map(({ code }) => writtenCode(code))).size === 1) {
    const furthest = submitted.every((runs) => runs < left.least)
      ? left.most
      : Math.max(left.least, MIN_RUNS);
    return submitted.includes(furthest) ? undefined : furthest;
  }
  return nextRuns(left, [...landmarks], submitted) ?? nextRuns(others, [...landmarks], submitted);
}

/** Tries that differ from the present one in nothing but the number of runs, and came to a code. */
function triesOf({ tried }: Comparison): RunsTry[] {
  return tried.ofOtherRuns.flatMap(({ runs, recompiledRuntimeCode }) => {
    const bytes = codeBytes(recompiledRuntimeCode);
    return bytes.length > 0 ? [{ runs, code: analyseCode(bytes) }] : [];
  });
}

function sideOf(direction: "more" | "fewer", runs: number): RunsInterval {
  return direction === "more" ? { ...ALL_RUNS, least: runs + 1 } : { ...ALL_RUNS, most: runs - 1 };
}
