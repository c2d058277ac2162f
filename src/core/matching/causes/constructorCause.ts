import { t } from "@vscode/l10n";
import { codeBytes } from "../../evm/hex.ts";
import { compareCodesInPieces } from "../../evm/codeComparison.ts";
import { disassemble } from "../../evm/disassembly.ts";
import { lastAuxdata } from "../../evm/auxdata.ts";
import { isOtherConstructorInPieces, isWrittenAlike } from "../otherConstructor.ts";
import { endsAtPlaceholder, type CodeFindings } from "../codeFindings.ts";
import { FIND_COMMIT, SHOW_DIFFERENCE, type Cause, type ExplanationInput } from "../explanation.ts";
import type { Comparison } from "../comparison.ts";
import { LANGUAGES } from "../../languages/language.ts";
import { counted } from "../../text/counted.ts";
import type { Pieces } from "../../concurrency/turns.ts";
import { constructorParameters } from "../sourceOutline.ts";

const WORD_BYTES = 32;

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
 * The runtime code is the same, and the creation code is not: another constructor made it. It counts as a match by the
 * runtime code alone.
 */
export function* otherConstructorCause({ input, findings }: Comparison): Pieces<Cause | undefined> {
  const { onchainCreationCode, recompiledCreationCode } = input.error;
  const hasHash = findings.metadataHash === "other";
  // What a language without metadata writes behind its code is judged by itself.
  if (!hasHash && !LANGUAGES[input.submitted.stdJsonInput.language].hasMetadata) return undefined;
  if (!(yield* isOtherConstructorInPieces(findings, onchainCreationCode, recompiledCreationCode)))
    return undefined;
  return {
    code: "edited_source",
    confidence: 0.85,
    evidence: hasHash
      ? t`The runtime code is the same but for its metadata hash, and the creation code is not: the constructor differs, what it passes on, or a library or a setting that it alone depends on.`
      : t`The runtime code is the same, and the creation code is not: the constructor differs, what it passes on, or a library or a setting that it alone depends on.`,
    fix: t`This counts as a match. For an exact match, submit the files and settings of the deployment byte for byte.`,
    action: FIND_COMMIT,
  };
}

/** Whether so many bytes can't be the encoding of the parameters. */
function isWrong(passed: number, parameters: readonly string[] | undefined): boolean {
  if (passed % WORD_BYTES !== 0) return true;
  if (!parameters) return false;
  return passed < parameters.length * WORD_BYTES || (parameters.length === 0 && passed > 0);
}
