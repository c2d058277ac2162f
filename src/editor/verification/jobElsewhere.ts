import type { JobRecord } from "../../core/jobs/jobRecord.ts";
import { deploymentOf } from "../../core/service/submissionRequest.ts";
import type { VerificationParts } from "./verificationParts.ts";
import { verifyBySimilarity } from "./verifyBySimilarity.ts";
import { verifyContract } from "./verifyContract.ts";
import { verifyLocally } from "./verifyLocally.ts";

/** The contract and the place of a submission. */
type SubmittedContract = Pick<JobRecord, "chainId" | "address" | "creationTransactionHash" | "submission">;

/** What a service did not take, on this machine and with the files as they are now. */
export function verifyJobLocally(
  parts: VerificationParts,
  submitted: SubmittedContract,
): ReturnType<typeof verifyLocally> {
  return verifyLocally(parts, { ...contractOf(submitted.submission), ...deploymentOf(submitted) });
}

/** The same contract at the same address, or a search for it, on a chain that a person chooses anew. */
export function chooseAnotherChain(
  parts: VerificationParts,
  { address, submission }: SubmittedContract,
): ReturnType<typeof verifyBySimilarity> {
  return submission
    ? verifyContract(parts, { ...contractOf(submission), address })
    : verifyBySimilarity(parts, { address });
}

function contractOf(submission: JobRecord["submission"]): { readonly contract?: string } {
  return submission ? { contract: `${submission.path}:${submission.contractName}` } : {};
}
