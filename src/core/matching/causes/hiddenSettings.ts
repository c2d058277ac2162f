import { t } from "@vscode/l10n";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Disassembly, Instruction } from "../../evm/disassembly.ts";
import { endsBlock, JUMPDEST, JUMPI, PUSH20, PUSH32 } from "../../evm/opcodes.ts";
import { RULES } from "../../languages/rules.ts";
import { isOptimizing, SOLC_SINCE } from "../../languages/solidity/solcCode.ts";
import { atLeast } from "../../versions.ts";
import { asRecord } from "../../json/looseData.ts";
import { deployedCompiler, hasSameFunctions, type Comparison } from "../comparison.ts";
import type { Cause, SettingChanges } from "../explanation.ts";
import type { AnalysedCode } from "../codeTraits.ts";
import { allRevertReasons } from "../sourceOutline.ts";
import { callsMoreFunctions } from "../operationChange.ts";
import { counted } from "../../text/counted.ts";
import type { Pieces } from "../../concurrency/turns.ts";
import { isOfFewFunctionsInPieces } from "./fewFunctions.ts";

/** Selector of `Error(string)`, as it stands before a reason, at the high end of a word or to be shifted there. */
const ERROR_STRING = /08c379a0|461bcd/g;
/** Reasons that only `debug` writes (libsolidity/codegen), as far as they begin alike. */
const DEBUG_TEXTS = ["ABI decoding", "ABI calldata decoding", "Ether sent to non-payable function"];
const DEBUG_REASONS = DEBUG_TEXTS.map((text) => bytesToHex(new TextEncoder().encode(text)));

/** What becomes of the reasons of reverts: their texts stand in the code. */
export function revertStringsCause(comparison: Comparison): Cause | undefined {
  const { deployed, recompiled, input, findings } = comparison;
  const { settings, language } = input.submitted.stdJsonInput;
  if (!RULES[language].hasHiddenSettings || findings.isTruncated || !hasSameFunctions(comparison))
    return undefined;
  if (!atLeast(deployedCompiler(comparison), SOLC_SINCE.revertStrings)) return undefined;
  const [mine, theirs] = [bytesToHex(deployed.code.bytes), bytesToHex(recompiled.code.bytes)];
  const debugged = (code: string) => DEBUG_REASONS.some((reason) => code.includes(reason));
  const reasons = (code: string) => code.match(ERROR_STRING)?.length ?? 0;
  const [some, others] = [reasons(mine), reasons(theirs)];
  const sent = asRecord(settings["debug"])?.["revertStrings"];
  const found = (wanted: "debug" | "strip" | "default", evidence: string, confidence = 0.9): Cause => ({
    code: "metadata_settings",
    confidence,
    evidence: t`${evidence}; you sent debug.revertStrings ${typeof sent === "string" ? sent : "default"}.`,
    fix: t`Submit with debug.revertStrings ${wanted}.`,
    action: {
      kind: "resubmit",
      label: t`Resubmit With revertStrings ${wanted}`,
      localLabel: t`Verify With revertStrings ${wanted}`,
      changes: { settings: { debug: wanted === "default" ? null : { revertStrings: wanted } } },
    },
  });
  if (debugged(mine) && !debugged(theirs) && sent !== "debug")
    return found("debug", t`The deployed code gives reasons that only the compiler's debug mode writes`);
  if (debugged(theirs) && !debugged(mine) && sent === "debug")
    return found(
      some > 0 ? "default" : "strip",
      t`The deployed code gives none of the reasons that the compiler's debug mode writes`,
    );
  // One reason may as well have been taken out by hand.
  const confidence = Math.max(some, others) === 1 ? 0.5 : 0.9;
  if (sent !== "strip" && some === 0 && others > 0 && isOnlyStripped(deployed, recompiled, others))
    return found(
      "strip",
      t`The deployed code gives no reason where the recompiled code gives ${counted(others, "reason")}`,
      confidence,
    );
  if (sent === "strip" && some > 0 && others === 0 && isOnlyStripped(recompiled, deployed, some))
    return found(
      "default",
      t`The deployed code gives ${counted(some, "reason")} and the recompiled code none`,
      confidence,
    );
  return undefined;
}

const SELECTOR_SHIFT = 224n;

/**
 * Whether a code without reasons may be the other one with its reasons taken out: it checks as much, and gives no errors of the
 * sources' own, which an edit puts in the place of reasons.
 */
function isOnlyStripped(stripped: AnalysedCode, whole: AnalysedCode, reasons: number): boolean {
  if (checksOf(whole) - checksOf(stripped) >= reasons) return false;
  const errors = (code: AnalysedCode) =>
    new Set(
      code.constants.flatMap(({ value }) => {
        const selector = value >> SELECTOR_SHIFT;
        return selector > 0xffffn && selector << SELECTOR_SHIFT === value ? [selector] : [];
      }),
    );
  const known = errors(whole);
  return [...errors(stripped)].every((selector) => known.has(selector));
}

/** How often a code jumps on a condition. */
function checksOf({ code }: AnalysedCode): number {
  return code.sections.reduce(
    (sum, section) =>
      section.kind === "code"
        ? sum + section.instructions.filter(({ opcode }) => opcode === JUMPI).length
        : sum,
    0,
  );
}

/**
 * Whether a text is one that comes or goes with what becomes of the reasons of reverts: one of the sources' own, in whatever
 * contract, or one that the compiler writes. `undefined` where no cause is another setting of it.
 */
export function textsOfReverts(
  { input }: Comparison,
  found: readonly Cause[],
): ((text: string) => boolean) | undefined {
  const isOther = found.some(
    ({ action }) => action?.kind === "resubmit" && action.changes.settings?.["debug"] !== undefined,
  );
  if (!isOther) return undefined;
  const { sources } = input.submitted.stdJsonInput;
  const reasons = new Set(Object.values(sources).flatMap(({ content }) => allRevertReasons(content)));
  return (text) =>
    DEBUG_TEXTS.some((begins) => text.startsWith(begins)) ||
    // A code has a long text in words of 32 bytes.
    [...reasons].some((reason) => reason.includes(text));
}

/** The release from which on projects switch parts of the optimizer, as its metadata names them all. */
const DETAILS_SINCE = "0.6.0";
/**
 * Blocks that a code may have twice though it is deduplicated: those that jump to themselves, and those that became alike
 * afterwards; those into which a deployment wrote are not counted. Measured on 54 contracts of libraries and both pipelines, deduplicated code of 1,800, 2,300
 * and 3,900 bytes had two; else it has one in 30 to 330 bytes as a rule, and a few small contracts one in 500 to 1,600.
 */
const MAX_DUPLICATES = 1;
const BYTES_OF_A_DUPLICATE = 800;
/** So many, and one in so few bytes, no edit comes to, however few functions run other code. */
const MANY_DUPLICATES = 4;
const BYTES_OF_MANY = 400;

/** Blocks that are there twice: solc's optimizer leaves none (libevmasm/BlockDeduplicator.cpp) unless it was told to. */
export function* deduplicationCause(
  comparison: Comparison,
  found: readonly Cause[],
): Pieces<Cause | undefined> {
  const { deployed, recompiled, input, findings } = comparison;
  const { settings, language } = input.submitted.stdJsonInput;
  if (!RULES[language].hasHiddenSettings || findings.isTruncated || !hasSameFunctions(comparison))
    return undefined;
  if (!isOptimizing(settings) || settings.optimizer?.["details"] !== undefined) return undefined;
  if (!atLeast(deployedCompiler(comparison), DETAILS_SINCE)) return undefined;
  if (found.some(({ code }) => code === "optimizer" || code === "via_ir")) return undefined;
  const ofSources = writtenWords(recompiled.code);
  const [mine, theirs] = [
    duplicateBlocks(deployed.code, ofSources),
    duplicateBlocks(recompiled.code, ofSources),
  ];
  const most = Math.max(MAX_DUPLICATES, Math.floor(deployed.code.bytes.length / BYTES_OF_A_DUPLICATE));
  if (mine <= most || theirs > most) return undefined;
  // Blocks that are there twice lie elsewhere and run the same, and what was edited may have a few of them.
  const isMany = mine >= Math.max(MANY_DUPLICATES, deployed.code.bytes.length / BYTES_OF_MANY);
  if (!isMany && (yield* isOfFewFunctionsInPieces(comparison))) return undefined;
  return {
    code: "optimizer",
    confidence: 0.79,
    evidence: t`The deployed code has ${counted(mine, "block")} twice, and the optimizer keeps one of each unless deduplicate is off.`,
    fix: t`Submit with the optimizer's deduplicate off.`,
    action: {
      kind: "resubmit",
      label: t`Resubmit With deduplicate off`,
      localLabel: t`Verify With deduplicate off`,
      changes: { settings: { optimizer: { details: { deduplicate: false } } } },
    },
  };
}

/** The words of 32 bytes and the addresses that a compiler pushes for what the sources say. */
function writtenWords({ sections }: Disassembly): ReadonlySet<string> {
  const words = sections.flatMap((section) =>
    section.kind === "code" ? section.instructions.filter(mayBeFilledIn).map(({ operand }) => operand) : [],
  );
  // No word of the sources begins with a zero, which is pushed without it: that is the place of an immutable.
  return new Set(words.filter((word) => !word.startsWith("00")));
}

/** A deployment writes the values of immutables behind pushes of 32 bytes, and the addresses of libraries behind those of 20. */
function mayBeFilledIn({ opcode }: Pick<Instruction, "opcode">): boolean {
  return opcode === PUSH32 || opcode === PUSH20;
}

/**
 * How many blocks are the same as another one, from where a jump arrives to where execution does not go on. To the compiler
 * two are not the same where it left places for two immutables or libraries, whatever a deployment wrote there: a word that
 * is not of the sources is none that both have.
 */
function duplicateBlocks({ sections }: Disassembly, ofSources: ReadonlySet<string>): number {
  let duplicates = 0;
  for (const section of sections) {
    if (section.kind !== "code") continue;
    // From the end, each instruction numbered with what follows it in its block: code of strangers may be one long block.
    const numbers = new Map<string, number>();
    const known = new Set<number>();
    let rest: number | undefined;
    for (const instruction of section.instructions.toReversed()) {
      const { opcode, operand, offset } = instruction;
      if (opcode === JUMPDEST) {
        if (rest === undefined) continue;
        if (known.has(rest)) duplicates++;
        known.add(rest);
      } else if (rest !== undefined || endsBlock(opcode)) {
        const isFilledIn = mayBeFilledIn(instruction) && !ofSources.has(operand);
        const key = `${opcode}:${isFilledIn ? `at ${offset}` : operand}:${endsBlock(opcode) ? "" : rest}`;
        rest = numbers.get(key) ?? numbers.size;
        numbers.set(key, rest);
      }
    }
  }
  return duplicates;
}

const INLINER_OFF = t`inliner off`;

/** The optimizer's parts that projects switch, the commonest first. */
const DETAILS: readonly (readonly [name: string, since: string, details: SettingChanges])[] = [
  [t`yul off`, DETAILS_SINCE, { yul: false }],
  [INLINER_OFF, SOLC_SINCE.inlinerSwitch, { inliner: false }],
  [t`cse off`, DETAILS_SINCE, { cse: false }],
  [t`constantOptimizer off`, DETAILS_SINCE, { constantOptimizer: false }],
  [t`deduplicate off`, DETAILS_SINCE, { deduplicate: false }],
];

/** Details of the optimizer were sent, and the same without them before. */
export function hasGuessedDetails({ input, tried }: Comparison): boolean {
  const { optimizer } = input.submitted.stdJsonInput.settings;
  return (
    optimizer?.["details"] !== undefined && tried.includes({ settings: { optimizer: { details: null } } })
  );
}

/**
 * The optimizer's parts. They leave no sign of their own in a code, so they are tried where everything that the source
 * says is the same in both codes and nothing else explains the difference; those that were sent are left out before,
 * since few builds have any.
 */
export function optimizerDetailsCause(comparison: Comparison, found: readonly Cause[]): Cause | undefined {
  const { input, tried, isSearched } = comparison;
  const { settings, language } = input.submitted.stdJsonInput;
  if (!RULES[language].hasHiddenSettings || !isOptimizing(settings) || isSearched) return undefined;
  const sent = settings.optimizer?.["details"] !== undefined;
  const isExplained = found.some(
    ({ code, confidence }) => confidence > 0.5 && !(sent && code === "optimizer_runs"),
  );
  const hasTriedDetails = tried.alike.some(
    ({ stdJsonInput }) => stdJsonInput.settings.optimizer?.["details"] !== undefined,
  );
  if (isExplained || (!sent && hasTriedDetails)) return undefined;
  const compiler = deployedCompiler(comparison);
  const ways = sent
    ? [[t`the optimizer's own details`, { details: null }] as const]
    : DETAILS.filter(
        ([, since, details]) => atLeast(compiler, since) && !(settings["viaIR"] === true && "yul" in details),
      ).map(([name, , details]) => [name, { details }] as const);
  const left = ways.filter(([, optimizer]) => !tried.includes({ settings: { optimizer } }));
  const inliner = callsMoreFunctions(comparison) ? left.find(([name]) => name === INLINER_OFF) : undefined;
  const way = inliner ?? left[0];
  if (!way) return undefined;
  const [name, optimizer] = way;
  return {
    code: "optimizer",
    confidence: sent ? 0.77 : inliner ? 0.77 : 0.55,
    evidence: sent
      ? t`Functions and constants are the same and the code is put together in another way; you sent details of the optimizer.`
      : t`Functions and constants are the same and the code is put together in another way, as with other details of the optimizer.`,
    fix: sent ? t`Submit without the details.` : t`Try the optimizer with ${name}.`,
    action: {
      kind: "resubmit",
      label: sent ? t`Resubmit Without Details` : t`Resubmit With ${name}`,
      localLabel: sent ? t`Verify Without Details` : t`Verify With ${name}`,
      changes: { settings: { optimizer } },
    },
  };
}

/** Share of the constants that both codes have. */
export function constantLikeness({ deployed, recompiled }: Comparison): number {
  const values = (code: typeof deployed) =>
    new Set(code.constants.map(({ value }) => value).filter((value) => value >= 0x1_0000n));
  const [mine, theirs] = [values(deployed), values(recompiled)];
  const shared = [...mine].filter((value) => theirs.has(value)).length;
  return shared / Math.max(1, new Set([...mine, ...theirs]).size);
}
