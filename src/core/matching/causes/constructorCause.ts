import { t } from "@vscode/l10n";
import { codeBytes } from "../../evm/hex.ts";
import { compareCodesInPieces } from "../../evm/codeComparison.ts";
import { disassemble } from "../../evm/disassembly.ts";
import { lastAuxdata } from "../../evm/auxdata.ts";
import { isWrittenAlike, otherConstructorInPieces } from "../otherConstructor.ts";
import { addressesOf, endsAtPlaceholder, type CodeFindings } from "../codeFindings.ts";
import { analyseCode } from "../codeTraits.ts";
import { placedValuesInPieces, valueDifferencesInPieces, valuesInWords } from "../valueDifferences.ts";
import { PUSH20 } from "../../evm/opcodes.ts";
import { evmCauses } from "./evmCause.ts";
import { addressCauses, libraryPlaceholderCause, sameCodeCauses } from "./findingCauses.ts";
import { revertStringsCause } from "./hiddenSettings.ts";
import { pipelineCauses } from "./pipelineCauses.ts";
import { FIND_COMMIT, SHOW_DIFFERENCE, type Cause, type ExplanationInput } from "../explanation.ts";
import type { Comparison } from "../comparison.ts";
import { LANGUAGES } from "../../languages/language.ts";
import { counted } from "../../text/counted.ts";
import type { Pieces } from "../../concurrency/turns.ts";
import { constructorParameters } from "../sourceOutline.ts";

const WORD_BYTES = 32;
/** Tools may link after they compile, so that metadata has no library; then something else differs. */
const OF_UNLINKED = 0.72;

/**
 * The creation code is the recompiled one and only what stands behind it is wrong: the constructor arguments are
 * not those that the submitted constructor takes. Then sources and settings are right, and the constructor
 * itself made the runtime code another one.
 */
export function* constructorCause(
  { error, submitted }: ExplanationInput,
  { code: runtime }: Pick<CodeFindings, "code">,
): Pieces<Cause | undefined> {
  const [onChain, own] = [codeBytes(error.onchainCreationCode), codeBytes(error.recompiledCreationCode)];
  if (own.length === 0 || onChain.length < own.length) return undefined;
  const built = disassemble(own);
  // Of one that breaks off nothing is known of the rest.
  if (endsAtPlaceholder({ code: built, auxdata: lastAuxdata(own) })) return undefined;
  // Other metadata is no other code, and comes with the creation code.
  if (!runtime || runtime.pairs.every(isWrittenAlike)) return undefined;
  const creation = yield* compareCodesInPieces(disassemble(onChain.slice(0, own.length)), built);
  if (!creation.pairs.every(({ relation }) => relation === "same" || relation === "auxdata"))
    return undefined;
  const passed = onChain.length - own.length;
  const parameters = constructorParameters(submitted.stdJsonInput, submitted.contractIdentifier);
  const taken =
    parameters &&
    t`the submitted constructor takes ${parameters.length === 0 ? t`none` : parameters.join(", ")}`;
  return {
    code: "constructor_arguments",
    confidence: isWrong(passed, parameters) ? 0.95 : 0.8,
    evidence: t`The creation code is the same, but the constructor deployed another runtime code: ${counted(passed, "byte")} of arguments follow it${taken ? t`, and ${taken}` : ""}.`,
    fix: t`Check the constructor's parameters against the creation transaction.`,
    action: SHOW_DIFFERENCE,
  };
}

/**
 * The runtime code is the same, and the creation code is not: another constructor made it, or a library or a setting does that
 * reaches it alone. It counts as a match by the runtime code.
 */
export function* otherConstructorCauses(comparison: Comparison): Pieces<readonly Cause[] | undefined> {
  const { input, findings } = comparison;
  const { onchainCreationCode, recompiledCreationCode } = input.error;
  const hasHash = findings.metadataHash === "other";
  // What a language without metadata writes behind its code is judged by itself.
  if (!hasHash && !LANGUAGES[input.submitted.stdJsonInput.language].hasMetadata) return undefined;
  const said = hasHash
    ? t`The runtime code is the same but for its metadata hash, and the creation code is not`
    : t`The runtime code is the same, and the creation code is not`;
  const told = (cause: Cause): Cause => ({ ...cause, evidence: `${said}. ${cause.evidence}` });
  const unlinked = hasHash ? yield* unlinkedInConstructor(comparison) : undefined;
  if (unlinked) return [told(unlinked), ...sameCodeCauses(comparison)];
  const other = yield* otherConstructorInPieces(findings, onchainCreationCode, recompiledCreationCode);
  if (!other) return undefined;
  const { auxdata } = comparison.deployed;
  const creation: Comparison = {
    ...comparison,
    deployed: { ...analyseCode(other.deployed), auxdata },
    recompiled: analyseCode(other.own),
    code: other.code,
  };
  yield;
  const reaching = causesOfCreation(creation, comparison);
  const isReached = reaching.some(({ confidence }) => confidence > 0.5);
  const values = yield* valuesOf(creation);
  const own: Cause = {
    code: "edited_source",
    confidence: isReached ? 0.3 : 0.85,
    evidence: values
      ? `${said}. ${valuesInWords(values)}.`
      : t`${said}: the constructor differs, what it passes on, or a library or a setting that it alone depends on.`,
    fix: t`This counts as a match. For an exact match, submit the files and settings of the deployment byte for byte.`,
    action: FIND_COMMIT,
  };
  return [...reaching.map(told), own];
}

/**
 * A library that only the constructor calls and that is not linked: the recompiled creation code breaks off there. A service links
 * it itself, but metadata has what is linked, so that its hash may be another one for that.
 */
function* unlinkedInConstructor(comparison: Comparison): Pieces<Cause | undefined> {
  const { error } = comparison.input;
  const [onChain, own] = [codeBytes(error.onchainCreationCode), codeBytes(error.recompiledCreationCode)];
  if (onChain.length <= own.length || own.at(-1) !== PUSH20 || onChain[own.length - 1] !== PUSH20)
    return undefined;
  const recompiled = analyseCode(own);
  if (!endsAtPlaceholder(recompiled)) return undefined;
  const { pairs } = yield* compareCodesInPieces(disassemble(onChain.slice(0, own.length)), recompiled.code);
  return pairs.every(isWrittenAlike)
    ? libraryPlaceholderCause({ ...comparison, recompiled }, OF_UNLINKED, onChain)
    : undefined;
}

/**
 * The libraries, addresses and settings that two creation codes show, where the runtime codes are the same.
 *
 * @param runtime how these compare
 */
function causesOfCreation(creation: Comparison, runtime: Comparison): readonly Cause[] {
  const { code } = creation;
  const addresses = addressesOf(code);
  if (addresses.length > 0) {
    const isAll = code.pairs.every((pair) => pair.relation === "address" || isWrittenAlike(pair));
    const causes = addressCauses(creation, addresses);
    return isAll ? causes : causes.filter(({ code: kind, action }) => kind === "unlinked_library" && action);
  }
  const evm = evmCauses(creation);
  const reasons = revertStringsCause(creation);
  // Where there are functions, the pipeline and the optimizer would have made others.
  const isBare = runtime.deployed.selectors.length === 0;
  const optimizer = isBare
    ? pipelineCauses(creation, evm).filter(({ code: kind }) => kind === "optimizer")
    : [];
  return [...evm, ...optimizer, ...(reasons ? [reasons] : [])].filter(({ confidence }) => confidence >= 0.5);
}

/** The constants and addresses that differ, where nothing else does. */
function* valuesOf({ deployed, recompiled, code, input }: Comparison) {
  const values = yield* valueDifferencesInPieces(deployed.code, recompiled.code, code);
  const placed = values && (yield* placedValuesInPieces(values, input.submitted.stdJsonInput));
  const addresses = addressesOf(code).map(({ deployed: there, own }) => ({
    deployed: BigInt(`0x${there}`),
    compiled: BigInt(`0x${own}`),
    isAddress: true as const,
  }));
  return placed && [...placed, ...addresses];
}

/** Whether so many bytes can't be the encoding of the parameters. */
function isWrong(passed: number, parameters: readonly string[] | undefined): boolean {
  if (passed % WORD_BYTES !== 0) return true;
  if (!parameters) return false;
  return passed < parameters.length * WORD_BYTES || (parameters.length === 0 && passed > 0);
}
