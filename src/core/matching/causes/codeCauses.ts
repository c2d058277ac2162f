import { t } from "@vscode/l10n";
import { compareSelectors, type SelectorComparison } from "../contractSearch.ts";
import { ownFunctionPlacesInPieces } from "../functionPlaces.ts";
import { ALIKE, codeFindingsInPieces } from "../codeFindings.ts";
import type { AnalysedCode } from "../codeTraits.ts";
import { codeBytes } from "../../evm/hex.ts";
import { DELEGATECALL, PUSH20 } from "../../evm/opcodes.ts";
import { hasSameFunctions, namesCompiler, NEARLY_SAME, type Comparison } from "../comparison.ts";
import { constructorCause, otherConstructorCauses } from "./constructorCause.ts";
import { evmCauses } from "./evmCause.ts";
import { extraFilesCause } from "./answeredCauses.ts";
import { FIND_COMMIT, type Cause, type ExplanationInput } from "../explanation.ts";
import {
  otherReleaseCause,
  isRefusedBySources,
  languageCause,
  inlinedLibraryCause,
  libraryPlaceholderCause,
  metadataBesides,
  sameCodeCauses,
  targetCause,
} from "./findingCauses.ts";
import { deduplicationCause, hasGuessedDetails, revertStringsCause } from "./hiddenSettings.ts";
import { nearerTryCause } from "./nearerTry.ts";
import { hasOtherBeginning } from "../nearRelease.ts";
import { pipelineCauses } from "./pipelineCauses.ts";
import { provenCauses } from "./provenCauses.ts";
import { runsCause } from "./runsCause.ts";
import { pointsToRuns, sourceCauses } from "./sourceCauses.ts";
import { TriedSubmissions } from "../triedSubmissions.ts";
import { placedValuesInPieces, valueDifferencesInPieces } from "../valueDifferences.ts";
import type { Pieces } from "../../concurrency/turns.ts";

/** What is told of codes that don't say their compiler: another release may be what differs, too. */
const MAX_UNNAMED = 0.78;
/** What constants tell of runs, where the code does not say its compiler. */
const POINTED = 0.77;

/** Whether the deployed code takes the address of a library at the very place at which the recompiled one breaks off. */
function isLinkedThere({ code, recompiled, input }: Comparison): boolean {
  const at = recompiled.code.bytes.length;
  return code.likeness >= NEARLY_SAME && codeBytes(input.error.onchainRuntimeCode)[at - 1] === PUSH20;
}

/** Whether a code could call a library that is linked to it, which is by a DELEGATECALL alone. */
function callsLibrary({ code }: AnalysedCode): boolean {
  return code.sections.some(
    (section) =>
      section.kind === "code" && section.instructions.some(({ opcode }) => opcode === DELEGATECALL),
  );
}

/** What a compiler says of a contract that stands in a source as hex is a part of the source. */
function literalCause(): Cause {
  return {
    code: "edited_source",
    confidence: 0.85,
    evidence: t`A source holds the code of another contract as hex, which is another one in the deployed code; everything else is the same.`,
    fix: t`Submit the sources as they were deployed, from version control.`,
    action: FIND_COMMIT,
  };
}

/** The causes that two runtime codes tell, in no order. */
export function* codeCauses(
  input: ExplanationInput,
  deployed: AnalysedCode,
  recompiled: AnalysedCode,
): Pieces<Cause[]> {
  const { error, submitted } = input;
  const findings = yield* codeFindingsInPieces(
    { runtime: deployed, creationCode: error.onchainCreationCode },
    {
      language: submitted.stdJsonInput.language,
      compilerVersion: submitted.compilerVersion,
      runtime: recompiled,
      creationCode: error.recompiledCreationCode,
      sources: Object.values(submitted.stdJsonInput.sources).map(({ content }) => content),
    },
  );
  const { target, language, code } = findings;
  if (target) return [targetCause(target)];
  if (language) return [languageCause(language)];
  if (!code) return [];
  if (findings.isOnlyOtherLiteral) return [literalCause()];
  const constructor = yield* constructorCause(input, findings);
  if (constructor) return [constructor];
  const proven = yield* provenCauses(submitted, deployed);
  if (proven.length > 0) return proven;
  const values = findings.isSameCode
    ? undefined
    : yield* valueDifferencesInPieces(findings.compared.code, recompiled.code, code);
  const comparison: Comparison = {
    input,
    findings,
    deployed: findings.compared,
    recompiled,
    code,
    selectors: yield* comparedFunctions(findings.compared, recompiled, submitted),
    tried: new TriedSubmissions(input),
    values: values && (yield* placedValuesInPieces(values, submitted.stdJsonInput)),
    isSearched: submitted.metadata !== undefined && deployed.auxdata?.hash !== undefined,
  };
  const causes = [otherReleaseCause(comparison)].filter((cause) => cause !== undefined);
  for (const cause of evmCauses(comparison)) causes.push(cause);
  if (findings.isSameCode) {
    const other = yield* otherConstructorCauses(comparison);
    return [...causes, ...(other ?? sameCodeCauses(comparison))];
  }
  yield;
  for (const cause of pipelineCauses(comparison, causes)) causes.push(cause);
  if (findings.metadataHash === "same")
    return [...causes, extraFilesCause(0.95, t`The metadata is the same on both sides and the code is not`)];
  const hidden = revertStringsCause(comparison) ?? (yield* deduplicationCause(comparison, causes));
  if (hidden) causes.push(hidden);
  yield;
  // Beside details that were a guess, and beside another release, nothing tells of runs.
  const isElsewhere =
    hidden !== undefined ||
    hasGuessedDetails(comparison) ||
    hasOtherBeginning(comparison) ||
    findings.compiler !== undefined;
  const runs = isElsewhere ? undefined : yield* runsCause(comparison, causes);
  if (runs) {
    const isPointed = !namesCompiler(comparison) && hasSameFunctions(comparison) && pointsToRuns(comparison);
    causes.push(isPointed ? { ...runs, confidence: Math.max(runs.confidence, POINTED) } : runs);
  }
  for (const cause of yield* sourceCauses(comparison, causes)) causes.push(cause);
  if (findings.isTruncated) {
    const isLinked = isLinkedThere(comparison);
    if (!isLinked && !callsLibrary(deployed)) causes.push(inlinedLibraryCause(comparison));
    causes.push(libraryPlaceholderCause(comparison, isLinked ? 0.75 : 0.3));
  }
  const besides = metadataBesides(comparison, causes);
  if (besides) causes.push(besides);
  const nearer = yield* nearerTryCause(comparison);
  return [...weighed(comparison, causes), ...(nearer ? [nearer] : [])];
}

/** The functions of both codes; one that the sources declare is among those of the recompiled code, also where it asks for none. */
function* comparedFunctions(
  deployed: AnalysedCode,
  recompiled: AnalysedCode,
  { stdJsonInput, contractIdentifier }: ExplanationInput["submitted"],
): Pieces<SelectorComparison> {
  const { missing } = compareSelectors(deployed.selectors, recompiled.selectors);
  const declared = yield* ownFunctionPlacesInPieces(missing, stdJsonInput, contractIdentifier);
  return compareSelectors(deployed.selectors, [...recompiled.selectors, ...declared.keys()]);
}

/**
 * What the code of another contract, or of other sources, shows of settings says nothing of the settings of this
 * one, and what a code shows that does not say its compiler may come with another one.
 */
function weighed(comparison: Comparison, causes: readonly Cause[]): Cause[] {
  const { selectors, code, deployed } = comparison;
  const isOther =
    (selectors.likeness < 0.3 && code.likeness < ALIKE && deployed.selectors.length > 0) ||
    isRefusedBySources(comparison);
  const isUnnamed = deployed.auxdata?.hash?.kind === "bzzr0" && !namesCompiler(comparison);
  return causes.map((cause) => {
    const { code: kind, confidence } = cause;
    if (kind === "wrong_contract" || kind === "edited_source") return cause;
    if (isOther) return { ...cause, confidence: Math.min(confidence, 0.6) };
    const isProof = kind === "compiler_version" || kind === "language" || kind === "unlinked_library";
    return isUnnamed && !isProof ? { ...cause, confidence: Math.min(confidence, MAX_UNNAMED) } : cause;
  });
}
