import { deploymentKey } from "../evm/deploymentKey.ts";
import { type Deployment } from "../service/submissionRequest.ts";
import { isMatch } from "../service/job.ts";
import { recordStatus, type JobRecord } from "./jobRecord.ts";

/** Sources that did not compile, of a job or on this machine. */
export interface FailedCompilation extends Pick<Deployment, "chainId" | "address"> {
  /** Absolute path of the contract's file; absent where there is none. */
  readonly path: string | undefined;
  readonly contractName: string | undefined;
  /** When they were submitted or compiled here, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * Whether the contract has been verified since, by a job of any window: at the same address by whatever sources, or as the
 * same contract at another one. A job that was submitted before and has ended since counts.
 */
export function isVerifiedSince(failed: FailedCompilation, records: readonly JobRecord[]): boolean {
  return records.some((one) => {
    const isSame =
      deploymentKey(one) === deploymentKey(failed) ||
      (failed.path !== undefined &&
        one.submission?.path === failed.path &&
        one.submission.contractName === failed.contractName);
    const isLater = Math.max(one.submittedAt, one.finishedAt ?? 0) >= failed.at;
    return isSame && isLater && isMatch(recordStatus(one));
  });
}
