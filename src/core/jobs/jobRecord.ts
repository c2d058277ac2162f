import { t } from "@vscode/l10n";
import type { Explanation } from "../matching/explanation.ts";
import { shortAddress, foreign, type ShownText } from "../text/shownText.ts";
import type { MetadataHashPlace } from "../languages/languageRules.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import {
  isMatch,
  isOfEarlier,
  jobStatusOf,
  toMatch,
  type VerificationJob,
  type VerificationStatus,
  type VerifiedContract,
} from "../service/job.ts";

/**
 * A submission and what became of it, as it is kept across restarts.
 *
 * `stage` is what we did, not what the service found:
 * - `prepared`: it is kept, and nothing was sent yet;
 * - `submitting`: the request is on its way; if the record is found so after a restart, it is not known whether
 *   the service got it;
 * - `unconfirmed`: the request may have arrived but its answer did not;
 * - `refused`: nothing of it was accepted: the service or the network refused it, the service had the contract
 *   already, or it was interrupted before it was sent;
 * - `adopted`: the service was at work on the same contract already and gave no id, so that its record of the
 *   contract is asked for;
 * - `submitted`: the service gave a verification id.
 */
export interface JobRecord {
  /** Our own id, known before the service gives one. */
  readonly id: string;
  readonly stage: "prepared" | "submitting" | "unconfirmed" | "refused" | "adopted" | "submitted";
  /** Base address of the service that it was agreed for, as {@link keptAddress} has it: no other one gets it. */
  readonly service: string;
  readonly chainId: string;
  readonly address: string;
  readonly creationTransactionHash?: string;
  /**
   * SHA-256 of the request's body, 64 hexadecimal digits: what was agreed to, to the byte. Absent in what an earlier
   * version kept.
   */
  readonly requestSha256?: string;
  /** The same of the request of a second try with all of the build; without it there is none. */
  readonly wholeSha256?: string;
  /** What was submitted; absent for a similarity search. */
  readonly submission?: SubmittedInput;
  readonly verificationId?: string | undefined;
  /** The session that is at work on the submission, see {@link JobStore.session}. */
  readonly sender?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly submittedAt: number;
  readonly checkedAt?: number;
  /** When the service was first known to have finished. */
  readonly finishedAt?: number;
  /** What the service had on record before this was sent; only something better or newer is ours. */
  readonly before?: VerifiedContract | undefined;
  /** The last job status as the service sent it. */
  readonly job?: VerificationJob | undefined;
  /** What the service has on record, where that and not the job decides (already verified). */
  readonly contract?: VerifiedContract | undefined;
  /** Why the job failed, as far as the codes and the answer tell. */
  readonly explanation?: Explanation | undefined;
  /** "4,812 bytes, 212 differ in 9 places": how much of the deployed code is another. */
  readonly difference?: string | undefined;
  /** Why the last request about this job failed. */
  readonly problem?: { readonly code: string; readonly message: string } | undefined;
  /** The job that this one was sent again for, with all that the build compiled. */
  readonly secondTryOf?: SecondTry;
  /** The job with which this one was sent again. */
  readonly secondTry?: SecondTry;
}

/** The other one of two jobs of which the second sends all that the build compiled. */
interface SecondTry {
  readonly id: string;
  /** The `customCode` with which the first job failed. */
  readonly because: string;
  /** True where the second one was not sent by itself, since the configured service is no longer the agreed one. */
  readonly isWithheld?: boolean;
}

/** The part of a compiler input that a record keeps; the input itself is kept beside it. */
export interface SubmittedInput extends Pick<
  CompilerInput,
  "compilerVersion" | "contractIdentifier" | "source"
> {
  /** Absolute path of the contract's file. */
  readonly path: string;
  readonly contractName: string;
  readonly fileCount: number;
  /** Where the code carries its metadata hash; absent in what an earlier version kept. */
  readonly metadataHashIn?: MetadataHashPlace;
}

/**
 * Where a verification stands. A job that failed because the contract is verified already counts as what the
 * service has on record.
 */
export function recordStatus(record: JobRecord): VerificationStatus {
  const recorded = toMatch(record.contract?.match);
  if (recorded) return recorded;
  if (record.job) return jobStatusOf(record.job);
  return record.stage === "refused" ? "failed" : "pending";
}

/** Whether nothing of a submission was accepted, since the contract was verified before, as well as it can be or better. */
export function isRefusedAsVerified(record: JobRecord): boolean {
  return record.stage === "refused" && isMatch(record.contract?.match);
}

/** Whether the contract is known to be verified by an earlier submission, and how well is not. */
export function isVerifiedBefore({ job, contract }: JobRecord): boolean {
  return isOfEarlier(job) && !toMatch(contract?.match) && !toMatch(job?.contract?.match);
}

/**
 * Whether a person agreed here to what was submitted; not so of a job that was only followed by its id, for which even its
 * kind is not known: one without an input may be a similarity search or another one's sources.
 */
export function wasAgreedHere({ submission, requestSha256 }: JobRecord): boolean {
  return submission !== undefined || requestSha256 !== undefined;
}

/** Whether it is known which contract a record is about: the service need not say it of a job that was taken up by its id. */
export function hasPlace({ chainId, address }: Pick<JobRecord, "chainId" | "address">): boolean {
  return chainId !== "" && address !== "";
}

/** Whether it is unknown if the service got a submission. */
export function isInDoubt({ stage, contract }: JobRecord): boolean {
  return (stage === "submitting" || stage === "unconfirmed") && !contract;
}

/** True when no further answer of the service is to be expected. */
export function isFinished(record: JobRecord): boolean {
  return recordStatus(record) !== "pending";
}

/** No contract's name is longer; a record of a deployment may say anything. */
const MAX_TITLE_CHARACTERS = 100;

/** The contract's name, or what stands for it in a similarity search. */
export function recordTitle({ submission, address }: JobRecord): ShownText {
  // A job that was taken up by its id may not say which contract it is for.
  const place = address === "" ? t`The contract` : shortAddress(address);
  return foreign(submission?.contractName ?? place, MAX_TITLE_CHARACTERS);
}
