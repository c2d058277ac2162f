import { t } from "@vscode/l10n";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { MAX_SUBMISSION_BYTES } from "../sources/submissionSize.ts";
import { LedgerLensError } from "../errors.ts";
import { megabytes } from "../text/counted.ts";
import { jsonInPieces } from "../json/jsonPieces.ts";
import { type Pieces } from "../concurrency/turns.ts";
import { acceptedInput } from "./acceptedInput.ts";
import {
  checkAddress,
  checkChainId,
  checkCompilerVersion,
  checkContractIdentifier,
  checkTransactionHash,
} from "./parameters.ts";

/** Where a contract is deployed. */
export interface Deployment {
  /** Decimal digits. */
  readonly chainId: string;
  readonly address: string;
  readonly creationTransactionHash?: string;
}

/** The deployment alone of what holds more, or of what is known of one; an empty transaction hash is none, as to the service. */
export function deploymentOf({
  chainId,
  address,
  creationTransactionHash,
}: Omit<Deployment, "creationTransactionHash"> & {
  readonly creationTransactionHash?: string | undefined;
}): Deployment {
  return { chainId, address, ...(creationTransactionHash && { creationTransactionHash }) };
}

/** A submission with full standard JSON input. */
interface Submission extends Deployment {
  readonly stdJsonInput: StandardJsonInput;
  readonly compilerVersion: string;
  readonly contractIdentifier: string;
}

/** A request to verify as it goes, to the byte. */
export interface SubmissionRequest {
  /** Below the service's base address. */
  readonly path: string;
  /** The whole body: JSON. */
  readonly body: string;
}

/**
 * The request of a submission with full standard JSON input.
 *
 * @throws LedgerLensError for a parameter that the interface would refuse (see parameters.ts).
 */
export function* submissionRequestInPieces(submission: Submission): Pieces<SubmissionRequest> {
  return {
    path: `/v2/verify/${deploymentPath(submission)}`,
    body: yield* jsonInPieces({
      stdJsonInput: acceptedInput(submission.stdJsonInput, submission.compilerVersion),
      compilerVersion: checkCompilerVersion(submission.compilerVersion),
      contractIdentifier: checkContractIdentifier(submission.contractIdentifier),
      ...creationTransaction(submission),
    }),
  };
}

/** The request of a search for the same code; throws as {@link submissionRequestInPieces}. */
export function similarityRequest(deployment: Deployment): SubmissionRequest {
  return {
    path: `/v2/verify/similarity/${deploymentPath(deployment)}`,
    // An object even when it is empty: the service reads a field of it.
    body: JSON.stringify(creationTransaction(deployment)),
  };
}

/** @throws LedgerLensError `too_large` for a body over {@link MAX_SUBMISSION_BYTES}. */
export function checkSize({ body }: SubmissionRequest): void {
  const bytes = Buffer.byteLength(body);
  if (bytes <= MAX_SUBMISSION_BYTES) return;
  throw new LedgerLensError(
    "too_large",
    t`The compiler input is ${megabytes(bytes)}, and the verification service takes at most ${megabytes(MAX_SUBMISSION_BYTES)}. Submit fewer sources.`,
  );
}

/** A deployment as the paths of the interface have it. */
export function deploymentPath({ chainId, address }: Deployment): string {
  return `${checkChainId(chainId)}/${checkAddress(address)}`;
}

function creationTransaction({ creationTransactionHash }: Deployment): { creationTransactionHash?: string } {
  return creationTransactionHash
    ? { creationTransactionHash: checkTransactionHash(creationTransactionHash) }
    : {};
}
