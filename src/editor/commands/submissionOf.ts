import type { InputFile } from "../../core/compilerInput/standardJsonInput.ts";
import type { SubmittedFile } from "../../core/verification/jobStore.ts";
import type { NewSubmission } from "../../core/verification/verificationJobs.ts";
import type { Deployment } from "../../core/verification/verificationService.ts";
import type { WorkspaceInput } from "./compilerInputOf.ts";

/** A submission of a compiler input for a deployed contract. */
export function submissionOf(
  { chainId, address, creationTransactionHash }: Deployment,
  input: WorkspaceInput,
): NewSubmission & Required<Pick<NewSubmission, "input">> {
  const { compilerVersion, contractIdentifier, source, stdJsonInput, path, contractName, files } = input;
  const { wholeBuild } = input;
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
      files: placesOf(files),
      ...(wholeBuild && {
        wholeBuild: { stdJsonInput: wholeBuild.stdJsonInput, files: placesOf(wholeBuild.files) },
      }),
    },
  };
}

function placesOf(files: readonly InputFile[]): SubmittedFile[] {
  return files.map(({ name, path }) => ({ name, path }));
}
