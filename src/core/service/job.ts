import { writtenChainId } from "../chainId.ts";
import { t } from "@vscode/l10n";
import {
  anyJson,
  either,
  flag,
  ifReadable,
  isObject,
  mapped,
  nullable,
  numberFrom,
  numeral,
  openObject,
  text,
  type Shape,
} from "../json/shape.ts";

/** How well code and sources agree, as the interface says it. */
export type Match = "exact_match" | "match";

/** What became of a verification, as our commands answer it. */
export type VerificationStatus = Match | "failed" | "pending";

/** The error of a failed job (GenericErrorResponse); bytecodes are 0x-prefixed hex. */
export interface JobError {
  /** Empty where the service gave none. */
  readonly customCode: string;
  /** Empty where the service gave none. */
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
  readonly compilationTime?: string | number | null;
  readonly contract?: VerifiedContract | null;
  readonly externalVerifications?: unknown;
  readonly [field: string]: unknown;
}

/** A word, an id or a time that a service says; none of them is long. */
const word = text(200);

/** An id that some services say as a number. */
const idText = either(
  word,
  mapped(numberFrom(0, Number.MAX_SAFE_INTEGER), (id) => String(id)),
);

/** A chain id in any form: "0x128" and "296" are one. What is no chain id is kept, as it is of no chain that was asked for. */
export const chainIdText = mapped(idText, (id) => writtenChainId(id) ?? id);

/** Reads a verified contract, of a service or of a record: what can't be read of it is left out. */
export const verifiedContract: Shape<VerifiedContract> = openObject({
  match: ifReadable(nullable(word)),
  creationMatch: ifReadable(nullable(word)),
  runtimeMatch: ifReadable(nullable(word)),
  chainId: ifReadable(chainIdText),
  address: ifReadable(word),
  verifiedAt: ifReadable(word),
  matchId: ifReadable(idText),
});

const knownError = openObject({
  customCode: ifReadable(word),
  message: ifReadable(text()),
  errorId: ifReadable(word),
  recompiledCreationCode: ifReadable(nullable(text())),
  recompiledRuntimeCode: ifReadable(nullable(text())),
  onchainCreationCode: ifReadable(nullable(text())),
  onchainRuntimeCode: ifReadable(nullable(text())),
  creationTransactionHash: ifReadable(nullable(word)),
  errorData: ifReadable(anyJson),
});

/** Reads the error of a job: anything that a service puts there says that the job failed. */
const jobError: Shape<JobError> = (value) =>
  isObject(value)
    ? mapped(knownError, (error): JobError => ({ customCode: "", message: "", ...error }))(value)
    : { customCode: "", message: typeof value === "string" ? value : "" };

/**
 * Reads a job status, of a service or of a record. Only whether it is completed has to be there; what else can't be read
 * is left out, and further fields are kept as they came.
 */
export const verificationJob: Shape<VerificationJob> = mapped(
  openObject({
    isJobCompleted: flag,
    verificationId: ifReadable(word),
    error: ifReadable(nullable(jobError)),
    jobStartTime: ifReadable(word),
    jobFinishTime: ifReadable(nullable(word)),
    compilationTime: ifReadable(nullable(numeral)),
    contract: ifReadable(nullable(verifiedContract)),
    externalVerifications: ifReadable(anyJson),
  }),
  (job): VerificationJob => ({ verificationId: "", ...job }),
);

/**
 * What a job came to. Completed without an error is not enough: only `contract.match` says that the
 * contract is verified. What fails since the contract is verified already is a match at least.
 */
export function jobStatusOf(job: VerificationJob): VerificationStatus {
  if (!job.isJobCompleted) return "pending";
  const match = toMatch(job.contract?.match);
  if (isOfEarlier(job)) return match ?? "match";
  return job.error ? "failed" : (match ?? "failed");
}

/** Whether a job ended because the contract is verified, as well as by this submission or better. */
export function isOfEarlier(job: VerificationJob | undefined): boolean {
  return job?.isJobCompleted === true && job.error?.customCode === "already_verified";
}

/** Whether it says that a contract is verified: of a match, and of a status that is one. */
export function isMatch(value: unknown): value is Match {
  return value === "exact_match" || value === "match";
}

/** The match, or `undefined` for null and words of another kind. */
export function toMatch(value: unknown): Match | undefined {
  return isMatch(value) ? value : undefined;
}

/** Words for a status: "verified: exact match", "not verified". */
export function statusInWords(status: VerificationStatus): string {
  switch (status) {
    case "exact_match":
      return t`verified: exact match`;
    case "match":
      return t`verified: match`;
    case "failed":
      return t`not verified`;
    case "pending":
      return t`pending`;
  }
}
