import { codeBytes } from "../evm/hex.ts";
import { findAuxdata } from "../evm/auxdata.ts";
import type { AnalysedCode } from "./codeTraits.ts";
import type { Cause, ExplanationInput } from "./explanation.ts";

/** That the deployed code was made by the compiler of another language. */
export function languageCause(
  { error, submitted }: Pick<ExplanationInput, "error" | "submitted">,
  deployed: AnalysedCode,
): Cause | undefined {
  const { language } = submitted.stdJsonInput;
  // solc makes both.
  const sent = language === "Yul" ? "Solidity" : language;
  const creation = findAuxdata(codeBytes(error.onchainCreationCode)).at(-1);
  const found = deployed.auxdata?.language ?? creation?.language ?? deployed.language;
  if (!found || found === sent) return undefined;
  const version = deployed.auxdata?.compilerVersion ?? creation?.compilerVersion;
  const isCertain = deployed.auxdata !== undefined || creation !== undefined;
  return {
    code: "language",
    confidence: isCertain ? 0.98 : 0.85,
    evidence: `The deployed code was made by ${found}${version ? ` ${version}` : ""}; you sent ${sent}.`,
    fix: `Submit the ${found} sources.`,
    action: { kind: "choose contract", label: "Choose Contract" },
  };
}
