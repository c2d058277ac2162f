import type { NewSubmission } from "../../core/verification/verificationJobs.ts";
import type { Deployment } from "../../core/verification/verificationService.ts";
import type { compilerInputOf } from "./compilerInputOf.ts";

/** A submission of a compiler input for a deployed contract. */
export function submissionOf(
  { chainId, address, creationTransactionHash }: Deployment,
  input: Awaited<ReturnType<typeof compilerInputOf>>,
): NewSubmission {
  const { compilerVersion, contractIdentifier, source, stdJsonInput, path, contractName, files } = input;
  return {
    chainId,
    address,
    ...(creationTransactionHash !== undefined && { creationTransactionHash }),
    input: {
      compilerVersion,
      contractIdentifier,
      source,
      stdJsonInput,
      path,
      contractName,
      fileCount: files.length,
      files: files.map(({ name, path: onDisk }) => ({ name, path: onDisk })),
    },
  };
}
