import { t } from "@vscode/l10n";
import { toMatch, type Match, type VerifiedContract } from "../service/job.ts";
import type { Prediction } from "../matching/predict.ts";

/** A contract that the service has on record already, and whether a submission may do better. */
interface RecordedMatch {
  readonly match: Match;
  /** Whether an offer to submit makes sense: only sources exactly as deployed turn a match into an exact one. */
  readonly mayImprove: boolean;
  /** What stands, and what a submission could change. */
  readonly sentence: string;
  /** The same in one line below the contract's name. */
  readonly brief: string;
}

/**
 * What is known of a contract before anything is sent; `undefined` when the service has nothing.
 *
 * @param prediction what a submission of the local build would come to, where that was found out
 * @param ceiling the most that a submission can come to, where that was found out
 */
export function recordedMatch(
  contractName: string,
  contract: VerifiedContract | undefined,
  prediction: Prediction["prediction"] = "unknown",
  ceiling: Prediction["ceiling"] = "exact_match",
): RecordedMatch | undefined {
  const match = toMatch(contract?.match);
  if (match === undefined) return undefined;
  const told = (mayImprove: boolean, rest: string, brief: string) => ({
    match,
    mayImprove,
    sentence: t`${contractName} is verified already: ${rest}`,
    brief: t`Verified already: ${brief}`,
  });
  if (match === "exact_match")
    return told(false, t`exact match. There is nothing better to submit.`, t`exact match`);
  if (ceiling === "match")
    return told(
      false,
      t`match. That is the most that is possible, so there is nothing to submit.`,
      t`match, the most that is possible`,
    );
  switch (prediction) {
    case "exact_match":
      return told(
        true,
        t`match. The local build is exactly the deployed one; submit it to make that an exact match.`,
        t`match. Submit to make that an exact match`,
      );
    case "unknown":
      return told(
        true,
        t`match. Submit it only if the sources are exactly the deployed ones, which makes it an exact match; otherwise nothing changes.`,
        t`match; only the exact sources do better`,
      );
    case "match":
    case "mismatch":
      return told(
        false,
        t`match. The local build would do no better, so there is nothing to submit.`,
        t`match. The local build would do no better`,
      );
  }
}
