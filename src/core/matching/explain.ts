import { t } from "@vscode/l10n";
import { codeBytes } from "../evm/hex.ts";
import { analyseCode, type AnalysedCode } from "./codeTraits.ts";
import { codeCauses } from "./causes/codeCauses.ts";
import { answeredCauses } from "./causes/answeredCauses.ts";
import { type Pieces } from "../concurrency/turns.ts";
import { TriedSubmissions } from "./triedSubmissions.ts";
import type { Cause, Explanation, ExplanationInput } from "./explanation.ts";

/** Causes below this are not worth a line. */
const MIN_CONFIDENCE = 0.1;

/**
 * Says why a verification failed: from the service's answer where that is plain, else from the two codes that
 * it compared, by disassembly. Nothing is fetched and nothing is compiled.
 */
export function* explainInPieces(input: ExplanationInput): Pieces<Explanation> {
  const { error } = input;
  const deployed = analysed(error.onchainRuntimeCode);
  yield;
  const recompiled = analysed(error.recompiledRuntimeCode);
  yield;
  const answered = yield* answeredCauses(input, deployed, recompiled);
  const compared =
    answered.isSettled || !deployed || !recompiled ? [] : yield* codeCauses(input, deployed, recompiled);
  yield;
  const causes = ranked(withoutTried(input, [...answered.causes, ...compared]));
  return { summary: causes[0]?.evidence ?? UNEXPLAINED, causes };
}

const UNEXPLAINED = t`The deployed code and the recompiled code differ, and nothing tells why.`;

function analysed(code: string | null | undefined): AnalysedCode | undefined {
  const bytes = codeBytes(code);
  return bytes.length > 0 ? analyseCode(bytes) : undefined;
}

/** What a cause is worth whose remedy was submitted already and did not match. */
const TRIED_CONFIDENCE = 0.3;

/** No button offers what was submitted already; its cause is then at most a part of the truth. */
function withoutTried(input: ExplanationInput, causes: readonly Cause[]): Cause[] {
  const tried = new TriedSubmissions(input);
  return causes.map(({ action, ...cause }) => {
    if (action?.kind !== "resubmit" || !tried.includes(action.changes))
      return { ...cause, ...(action && { action }) };
    return {
      ...cause,
      confidence: Math.min(cause.confidence, TRIED_CONFIDENCE),
      fix: t`That was submitted already and did not match.`,
    };
  });
}

/** The most confident first, one of each code. */
function ranked(causes: readonly Cause[]): Cause[] {
  const best = new Map<string, Cause>();
  for (const cause of causes) {
    const known = best.get(cause.code);
    if (!known || known.confidence < cause.confidence) best.set(cause.code, cause);
  }
  return [...best.values()]
    .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
    .sort((a, b) => b.confidence - a.confidence);
}
