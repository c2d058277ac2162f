import { t } from "@vscode/l10n";
import { compilerErrorInBrief } from "../service/failure.ts";
import type { Prediction } from "../matching/predict.ts";
import { IN_BRIEF } from "../matching/reasonsInBrief.ts";
import { shortVersion } from "../versions.ts";
import type { DeployedContract } from "./compilerQuestions.ts";
import { jobErrorOf, type LocalVerdict } from "./localVerifier.ts";

/**
 * A prediction that compiling has settled: what the codes alone told stays as reasons only where it agrees.
 *
 * @param predicted from the codes alone
 */
export function compiledPrediction(
  predicted: Prediction,
  verdict: LocalVerdict,
  deployed: DeployedContract,
): Prediction {
  const { verdict: prediction } = verdict;
  const agrees = predicted.prediction === prediction || predicted.proxy !== undefined;
  return {
    ...predicted,
    prediction,
    isCertain: true,
    ceiling: prediction === "exact_match" ? "exact_match" : predicted.ceiling,
    reasons: [verdictReason(verdict, deployed), ...(agrees ? predicted.reasons : [])],
    brief: verdictInBrief(verdict),
  };
}

/** What compiling here proved, where a line has no room for the whole of it. */
function verdictInBrief({ verdict, engine, compiler }: LocalVerdict): string {
  const version = shortVersion(compiler.version);
  switch (verdict) {
    case "exact_match":
      return IN_BRIEF.compiledExactly(version);
    case "match":
      return IN_BRIEF.compiledAlike(version);
    case "mismatch":
      return engine.compilerErrors
        ? IN_BRIEF.refusedByCompiler(version)
        : IN_BRIEF.compiledOtherwise(version);
  }
}

/** What compiling here proved, as a sentence. */
export function verdictReason(verdict: LocalVerdict, deployed: DeployedContract): string {
  const { engine, compiler } = verdict;
  const compiled = t`Compiled here with ${shortVersion(compiler.version)}`;
  switch (verdict.verdict) {
    case "exact_match":
      return t`${compiled}, the code is that of the deployment, metadata hash included.`;
    case "match":
      return t`${compiled}, the code is that of the deployment; the metadata hash is another one, or there is none.`;
    case "mismatch": {
      const refused = engine.compilerErrors && compilerErrorInBrief(jobErrorOf(verdict, deployed));
      if (refused !== undefined)
        return t`The sources do not compile with ${shortVersion(compiler.version)}: ${refused}`;
      return t`${compiled}, the code is not that of the deployment.`;
    }
  }
}
