/** How well code and sources agree, as the interface says it. */
export type Match = "exact_match" | "match";

/** What became of a verification, as our commands answer it. */
export type VerificationStatus = Match | "failed" | "pending";

/** The error of a failed job (GenericErrorResponse); bytecodes are 0x-prefixed hex. */
export interface JobError {
  readonly customCode: string;
  readonly message: string;
  readonly errorId?: string;
  readonly recompiledCreationCode?: string | null;
  readonly recompiledRuntimeCode?: string | null;
  readonly onchainCreationCode?: string | null;
  readonly onchainRuntimeCode?: string | null;
  readonly creationTransactionHash?: string | null;
  readonly errorData?: unknown;
}

/** The verified-contract object (VerifiedContractMinimal). */
export interface VerifiedContract {
  readonly match?: string | null;
  readonly creationMatch?: string | null;
  readonly runtimeMatch?: string | null;
  readonly chainId?: string;
  readonly address?: string;
  readonly verifiedAt?: string;
  readonly matchId?: string;
}

/** A job status; further fields of the server are kept. */
export interface VerificationJob {
  readonly isJobCompleted: boolean;
  readonly verificationId: string;
  readonly error?: JobError | null;
  readonly jobStartTime?: string;
  readonly jobFinishTime?: string | null;
  /** Milliseconds the server took to compile. */
  readonly compilationTime?: string | null;
  readonly contract?: VerifiedContract | null;
  readonly externalVerifications?: unknown;
  readonly [field: string]: unknown;
}

/**
 * What a job came to. Completed without an error is not enough: only `contract.match` says that the
 * contract is verified.
 */
export function statusOf(job: VerificationJob): VerificationStatus {
  if (!job.isJobCompleted) return "pending";
  if (job.error) return "failed";
  return toMatch(job.contract?.match) ?? "failed";
}

/** The match, or `undefined` for null and words of another kind. */
export function toMatch(value: unknown): Match | undefined {
  return value === "exact_match" || value === "match" ? value : undefined;
}

/** Words for a status: "verified: exact match", "not verified". */
export function statusInWords(status: VerificationStatus): string {
  switch (status) {
    case "exact_match":
      return "verified: exact match";
    case "match":
      return "verified: match";
    case "failed":
      return "not verified";
    case "pending":
      return "pending";
  }
}
