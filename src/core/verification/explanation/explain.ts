import { codeBytes } from "../../bytecode/hex.ts";
import { analyseCode, type AnalysedCode } from "./codeTraits.ts";
import { codeCauses } from "./codeCauses.ts";
import { answeredCauses } from "./answeredCauses.ts";
import type { Cause, Explanation, ExplanationInput } from "./explanation.ts";

/** Causes below this are not worth a line. */
const LEAST_CONFIDENCE = 0.1;

/**
 * Says why a verification failed: from the service's answer where that is plain, else from the two codes that
 * it compared, by disassembly. Nothing is fetched and nothing is compiled.
 */
export function explain(input: ExplanationInput): Explanation {
  const { error } = input;
  const deployed = analysed(error.onchainRuntimeCode);
  const recompiled = analysed(error.recompiledRuntimeCode);
  const answered = answeredCauses(input, deployed);
  const compared =
    answered.isSettled || !deployed || !recompiled ? [] : codeCauses(input, deployed, recompiled);
  const causes = ranked([...answered.causes, ...compared]);
  return { summary: summaryOf(causes), causes };
}

function analysed(code: string | null | undefined): AnalysedCode | undefined {
  const bytes = codeBytes(code);
  return bytes.length > 0 ? analyseCode(bytes) : undefined;
}

/** The most confident first, one of each code. */
function ranked(causes: readonly Cause[]): Cause[] {
  const best = new Map<string, Cause>();
  for (const cause of causes) {
    const known = best.get(cause.code);
    if (!known || known.confidence < cause.confidence) best.set(cause.code, cause);
  }
  return [...best.values()]
    .filter(({ confidence }) => confidence >= LEAST_CONFIDENCE)
    .sort((a, b) => b.confidence - a.confidence);
}

function summaryOf([first]: readonly Cause[]): string {
  return first ? first.evidence : "The deployed code and the recompiled code differ, and nothing tells why.";
}
