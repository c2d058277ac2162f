import { hasOtherBeginning } from "../nearRelease.ts";
import { isOptimizing, SOLC_SINCE } from "../../languages/solidity/solcCode.ts";
import { t } from "@vscode/l10n";
import { atLeast, shortVersion } from "../../versions.ts";
import { shortName, workspaceName } from "../contractNames.ts";
import { isHarmless } from "../../evm/codeComparison.ts";
import { ALIKE } from "../codeFindings.ts";
import type { AnalysedCode } from "../codeTraits.ts";
import { hasSameFunctions, namesCompiler, NEARLY_SAME, type Comparison } from "../comparison.ts";
import {
  findCandidates,
  namesOf,
  type ContractCandidate,
  type SelectorComparison,
} from "../contractSearch.ts";
import { FIND_COMMIT, type Cause, type ExplanationInput } from "../explanation.ts";
import { counted, grouped, listed } from "../../text/counted.ts";
import { constantLikeness, optimizerDetailsCause, textsOfReverts } from "./hiddenSettings.ts";
import { compareRuns } from "../runsComparison.ts";
import { compilerRemedy } from "../unnamedCompiler.ts";
import {
  changedFunctionsInPieces,
  changedFunctionsInWords,
  functionInWords,
  otherFunctionsSaid,
} from "../changedFunctions.ts";
import { functionPlacesInPieces } from "../functionPlaces.ts";
import { sideTextsInWords, textsOfOneSideInPieces } from "../sideTexts.ts";
import { bytesOfPlaces, differingPlaces } from "../differingPlaces.ts";
import { areWrittenOtherwise, valuesInWords, type ValueDifference } from "../valueDifferences.ts";
import type { Pieces } from "../../concurrency/turns.ts";

/** Another contract, or the same one with other sources. */
export function* sourceCauses(comparison: Comparison, found: readonly Cause[]): Pieces<Cause[]> {
  const { deployed, recompiled, input, selectors, code, findings } = comparison;
  const { localContracts = [], submitted } = input;
  const causes: Cause[] = [];
  // A sign of another setting explains differences in the code, but none in the functions.
  const strong = found.map(({ confidence }) => confidence).filter((one) => one > 0.5);
  const explained = strong.reduce((one, other) => Math.max(one, other), 0);
  const candidates = yield* findCandidates(
    findings.deployed.code,
    deployed.selectors,
    localContracts,
    submitted.contractIdentifier,
  );
  const [best] = candidates;
  // A function that was renamed makes the functions of another contract as like as those of this one.
  const isBetter = (one: ContractCandidate) =>
    one.code === undefined
      ? one.selectors > selectors.likeness && (one.selectors === 1 || code.likeness < NEARLY_SAME)
      : one.code > code.likeness + (one.selectors > selectors.likeness ? 0 : 0.02);
  const isFitting = best !== undefined && best.selectors >= selectors.likeness && isBetter(best);
  const isOtherOnBothSides =
    selectors.likeness < 0.7 &&
    selectors.likeness >= 0.5 &&
    code.likeness < 0.5 &&
    Math.min(selectors.missing.length, selectors.extra.length) >= 2;
  const isOther =
    (selectors.likeness < 0.5 && code.likeness < ALIKE && !isProxyOfSameMake(comparison)) ||
    isOtherOnBothSides ||
    (deployed.selectors.length === 0 && recompiled.selectors.length === 0 && code.likeness < 0.4) ||
    (deployed.proxy === undefined && recompiled.proxy !== undefined);
  if (isFitting || isOther) {
    // A few functions of many may also be those of an edit, and so may one or two where a contract hardly has more.
    const isFew = selectors.missing.length + selectors.extra.length <= MAX_FUNCTIONS_OF_EDIT;
    const isUnsure = isOtherOnBothSides || (isFew && code.likeness >= UNLIKE);
    const other = isUnsure ? 0.77 : 0.9;
    const all = [...localContracts];
    const fit = isFitting ? best : undefined;
    // Where the workspace has no other contract, none could be chosen.
    const isOnly = fit === undefined && localContracts.length === 1;
    const confidence =
      (fit?.code ?? 0) > 0.95
        ? 0.97
        : fit?.selectors === 1 && selectors.likeness < 1
          ? 0.94
          : isOther
            ? other
            : 0.6;
    const functions = functionsEvidence(
      selectors,
      deployed,
      namesOf(selectors.missing, all),
      namesOf(selectors.extra, all),
    );
    causes.push({
      code: "wrong_contract",
      confidence,
      evidence:
        fit?.selectors === 1 && selectors.likeness < 1
          ? t`The deployed code has exactly the functions of ${toldApart(input, fit.contract.name)}. ${functions}`
          : functions,
      fix: fit
        ? t`${workspaceName(input, fit.contract.name)} has ${fit.selectors === 1 ? t`exactly the deployed functions` : t`${Math.round(fit.selectors * 100)} % of the deployed functions`}: submit it.`
        : isOnly
          ? t`Change the address to that of this contract.`
          : t`Choose the contract that was deployed.`,
      action: isOnly
        ? { kind: "check address", label: t`Change Address` }
        : {
            kind: "choose contract",
            label: fit ? t`Submit ${shortName(fit.contract.name)}` : t`Choose Contract`,
            ...(fit && { contract: fit.contract.name }),
          },
    });
  }
  const wrong = causes[0]?.confidence ?? 0;
  const base = editedConfidence(comparison);
  const isSame = hasSameFunctions(comparison);
  const isExplained = isSame && strong.length > 0;
  // What only writes the same constants otherwise says nothing of the sources.
  if (!isExplained || !areWrittenOtherwise(code)) {
    const confidence = Math.max(0.15, isSame ? base - Math.max(explained, wrong) : base - wrong);
    // No setting changes the value of a constant: that is another cause beside the first, and never before it.
    // Nor does one change a text.
    const texts = isExplained && wrong === 0 ? yield* textsInWords(comparison, found) : undefined;
    const isProven = isExplained && wrong === 0 && (texts !== undefined || hasNamedValue(comparison));
    causes.push(
      yield* editedCause(
        comparison,
        isProven ? Math.max(confidence, Math.min(OF_NAMED_VALUE, explained - 0.01)) : confidence,
        isExplained,
        texts,
      ),
    );
  }
  const unnamed = strong.length === 0 && isSame ? unnamedCompilerCause(comparison) : undefined;
  if (unnamed && !(yield* isProvenEdit(comparison))) causes.push(unnamed);
  const isElsewhere =
    isScattered(comparison) ||
    comparison.tried.ofOtherRuns.length > 0 ||
    // What is no sign of runs is none of details either.
    found.some(({ code: kind, confidence }) => kind === "optimizer_runs" && confidence > 0.5);
  const details =
    isSame && isElsewhere && constantLikeness(comparison) > 0.7
      ? optimizerDetailsCause(comparison, found)
      : undefined;
  if (details) causes.push(details);
  return causes;
}

/** How sure another value of a constant makes it that the sources differ. */
const OF_NAMED_VALUE = 0.86;

/** Whether the values that differ are all that does, and the sources name one of them. */
function hasNamedValue({ values }: Comparison): boolean {
  return values?.some(({ place, isAddress }) => place?.name !== undefined && !isAddress) ?? false;
}

/** So many functions an edit adds, takes out or renames where a contract, such as a proxy, hardly has more. */
const MAX_FUNCTIONS_OF_EDIT = 2;
/** Share of the instructions below which nothing is left of a contract. */
const UNLIKE = 0.2;
/** Bytes that they take there at most: another make of proxy differs by more. */
const MAX_BYTES_OF_EDIT = 200;

/** A proxy has hardly a function of its own: one that an edit added says less of it than how it forwards, and its length. */
function isProxyOfSameMake({ deployed, recompiled, selectors }: Comparison): boolean {
  return (
    deployed.proxy !== undefined &&
    deployed.proxy.kind === recompiled.proxy?.kind &&
    selectors.missing.length + selectors.extra.length <= MAX_FUNCTIONS_OF_EDIT &&
    Math.abs(deployed.code.bytes.length - recompiled.code.bytes.length) <= MAX_BYTES_OF_EDIT
  );
}

/**
 * How sure it is that the sources differ: that functions differ proves it, and so do few changes in what is done. A
 * difference all over the code may also be a setting that no sign shows.
 */
function editedConfidence(comparison: Comparison): number {
  const { code, tried } = comparison;
  if (!hasSameFunctions(comparison)) return code.likeness >= ALIKE ? 0.88 : 0.75;
  const isNamed = namesCompiler(comparison);
  if (isScattered(comparison)) return tried.count > 2 || comparison.isSearched ? 0.6 : 0.5;
  if (code.likeness >= NEARLY_SAME && isNamed && constantLikeness(comparison) < 1) return 0.86;
  if (code.likeness >= NEARLY_SAME) return 0.76;
  return tried.count > 2 ? 0.7 : 0.6;
}

/** So many functions an edit changes at most, where a release changes most of them. */
const MAX_CHANGED_FUNCTIONS = 3;

/** Whether values, or a few functions of many, are proven to be all that differs: no release leaves the others as they are. */
function* isProvenEdit(comparison: Comparison): Pieces<boolean> {
  const { values, deployed, recompiled, code, input } = comparison;
  if (hasOtherBeginning(comparison)) return false;
  if (values) return true;
  const functions = yield* changedFunctionsInPieces(deployed.code, recompiled.code, code, input.submitted);
  if (!functions || functions.unclear > 0 || functions.isRestChanged) return false;
  const changed = functions.changed.length;
  return changed > 0 && changed <= MAX_CHANGED_FUNCTIONS && functions.same >= changed;
}

/** So many places of a difference an edit has at most, where a release changes what every contract begins with. */
const MAX_PLACES_OF_EDIT = 8;
/** Codes of before 0.5.9 don't say their compiler: what differs everywhere may be another release. */
function unnamedCompilerCause(comparison: Comparison): Cause | undefined {
  const { deployed, recompiled, input, code } = comparison;
  const { submitted } = input;
  const sent = shortVersion(submitted.compilerVersion);
  if (deployed.auxdata?.hash?.kind !== "bzzr0" || namesCompiler(comparison)) return undefined;
  if (atLeast(sent, SOLC_SINCE.ownVersion) || pointsToRuns(comparison)) return undefined;
  if (constantLikeness(comparison) < (isScattered(comparison) ? 0.5 : 0.7)) return undefined;
  const remedy = compilerRemedy(comparison);
  if (!remedy) return undefined;
  const isElsewhere = hasOtherHead(code);
  const places = placesOf(code);
  const share =
    places / Math.max(1, Math.min(deployed.code.bytes.length, recompiled.code.bytes.length) / 200);
  if (!isElsewhere && places <= MAX_PLACES_OF_EDIT && share < 1) return undefined;
  return {
    code: "compiler_version",
    confidence: 0.77,
    evidence: t`The functions and the constants are the same and the code differs in ${counted(places, "place")}${isElsewhere ? t`, its beginning among them` : ""}, as between releases; it does not say its compiler, which was solc 0.4.7 to 0.5.8. You sent ${sent}.`,
    ...remedy,
  };
}

/**
 * Constants are written in another form, and all for more runs or all for fewer, as no release does that keeps what
 * every contract begins with: that is the number of runs, whatever else the code says.
 */
export function pointsToRuns({ deployed, recompiled, input, code }: Comparison): boolean {
  const { settings } = input.submitted.stdJsonInput;
  if (!isOptimizing(settings) || deployed.isOptimized !== true) return false;
  const { reencoded, direction } = compareRuns(deployed.constants, recompiled.constants);
  return reencoded > 0 && direction !== undefined && !hasOtherHead(code);
}

/** Whether what every contract begins with differs. */
function hasOtherHead({ pairs }: Comparison["code"]): boolean {
  return pairs.slice(0, 6).some((pair) => !isHarmless(pair));
}

/** An edit changes the code in a few places, a setting in very many. */
const MAX_EDITED_PLACES = 30;

function isScattered({ code }: Comparison): boolean {
  return code.likeness < ALIKE || placesOf(code) > MAX_EDITED_PLACES;
}

/** How many stretches of two codes differ. */
function placesOf({ pairs }: Comparison["code"]): number {
  return pairs.filter((pair, at) => {
    const before = pairs[at - 1];
    return !isHarmless(pair) && (before === undefined || isHarmless(before));
  }).length;
}

function functionsEvidence(
  selectors: SelectorComparison,
  deployed: AnalysedCode,
  missing: readonly string[],
  extra: readonly string[],
): string {
  if (missing.length === 0 && extra.length === 0)
    return deployed.selectors.length === 0
      ? t`The deployed code has little in common with the recompiled code.`
      : t`Another contract has the same functions, and its code fits better.`;
  const parts = [
    missing.length > 0 ? t`has ${listed(missing)}, which the submitted contract has not` : "",
    extra.length > 0 ? t`does not have ${listed(extra)}` : "",
  ].filter((part) => part !== "");
  const lacks = parts.join(t`, and `);
  if (deployed.selectors.length === 0) return t`The deployed code ${lacks}; no function was found in it.`;
  const share = deployed.selectors.length - selectors.missing.length;
  return t`The deployed code ${lacks}; ${grouped(share)} of its ${counted(deployed.selectors.length, "function")} ${share === 1 ? t`is` : t`are`} in both.`;
}

/**
 * Texts that only one of the codes has.
 *
 * @param found the causes of other settings, which may explain a text
 */
function* textsInWords(comparison: Comparison, found: readonly Cause[]): Pieces<string | undefined> {
  const { deployed, recompiled, code, input } = comparison;
  const sides = yield* textsOfOneSideInPieces(
    deployed.code,
    recompiled.code,
    code,
    input.submitted.stdJsonInput,
  );
  const isExplained = textsOfReverts(comparison, found);
  if (!isExplained) return sideTextsInWords(sides);
  return sideTextsInWords({
    deployed: sides.deployed.filter((text) => !isExplained(text)),
    compiled: sides.compiled.filter(({ text }) => !isExplained(text)),
  });
}

/**
 * @param isExplained whether a setting explains the difference, so that the sources are at most another cause
 * @param texts those that only one of the codes has, in words, where that is explained
 */
function* editedCause(
  comparison: Comparison,
  confidence: number,
  isExplained: boolean,
  texts?: string,
): Pieces<Cause> {
  const { selectors, values } = comparison;
  const hasOtherFunctions = selectors.missing.length + selectors.extra.length > 0;
  return {
    code: "edited_source",
    confidence,
    evidence: hasOtherFunctions
      ? yield* otherFunctionsEvidence(comparison)
      : values
        ? yield* valuesEvidence(comparison, values, isExplained)
        : yield* placesEvidence(comparison, isExplained, texts),
    fix: t`Submit the sources as they were deployed, from version control.`,
    action: FIND_COMMIT,
  };
}

/** Which functions only one of the codes has, and what of the others is known. */
function* otherFunctionsEvidence(comparison: Comparison): Pieces<string> {
  const { selectors, input } = comparison;
  const { localContracts = [], submitted } = input;
  const places = yield* functionPlacesInPieces(submitted.stdJsonInput, submitted.contractIdentifier);
  const compiled = namesOf(selectors.extra, localContracts).map((name, at) => {
    const place = places.get(selectors.extra[at] ?? "");
    return place ? functionInWords(place) : name;
  });
  const evidence = t`The sources changed: ${otherFunctionsSaid(namesOf(selectors.missing, localContracts), compiled)}.`;
  const functions = yield* functionsInWords(comparison);
  return functions === undefined ? evidence : `${evidence} ${functions}.`;
}

function* valuesEvidence(
  comparison: Comparison,
  values: readonly ValueDifference[],
  isExplained: boolean,
): Pieces<string> {
  const words = valuesInWords(values);
  if (comparison.findings.isTruncated)
    return t`${words}; everything else up to the library that is not linked is the same.`;
  if (isExplained) return `${words}.`;
  const evidence = t`${words}; everything else in the code is the same.`;
  // A number may stand at its one place in the sources, and be worked out at another.
  const isNamed = values.every(({ place }) => place?.name !== undefined);
  const functions = isNamed ? undefined : yield* functionsInWords(comparison);
  return functions === undefined ? evidence : `${evidence} ${functions}.`;
}

/** Whose code differs, where that is proven. */
function* functionsInWords({ deployed, recompiled, code, input }: Comparison): Pieces<string | undefined> {
  const functions = yield* changedFunctionsInPieces(deployed.code, recompiled.code, code, input.submitted);
  const words = functions ? changedFunctionsInWords(functions) : "";
  return words === "" ? undefined : words;
}

/** How much differs, and why that may be an edit. */
function* placesEvidence(
  comparison: Comparison,
  isExplained: boolean,
  textsBesides: string | undefined,
): Pieces<string> {
  const { code, tried, isSearched, findings } = comparison;
  const places = differingPlaces(code.pairs);
  const [bytes, where] = [counted(bytesOfPlaces(places), "byte"), counted(places.length, "place")];
  // Which functions a setting changed says nothing of the sources.
  if (isExplained)
    return textsBesides === undefined
      ? t`The sources may have changed as well: ${bytes} differ in ${where}.`
      : t`The sources changed as well. ${textsBesides}.`;
  const texts = yield* textsInWords(comparison, []);
  const functions = yield* functionsInWords(comparison);
  const why =
    code.likeness >= NEARLY_SAME && !findings.isTruncated
      ? t`, and the rest is the same: the sources changed`
      : tried.count > 1
        ? t`, with each of ${tried.count} settings that were submitted: the sources changed`
        : isSearched
          ? t`, and no usual setting gives the build on record the deployed metadata hash: the sources changed`
          : t`: the sources changed, or a setting that leaves no sign in the code`;
  const evidence =
    functions === undefined
      ? t`The functions are the same, but ${bytes} differ in ${where}${why}.`
      : t`${functions}. In all ${bytes} differ in ${where}${why}.`;
  return texts === undefined ? evidence : `${evidence} ${texts}.`;
}

/** The name of a contract, with its file where what was submitted is called so, too. */
function toldApart(input: ExplanationInput, contract: string): string {
  const name = shortName(contract);
  return name === shortName(input.submitted.contractIdentifier) ? workspaceName(input, contract) : name;
}
