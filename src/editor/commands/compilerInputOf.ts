import type { Parts } from "../../container.ts";
import { findWorkspaceContract } from "../../core/compilerInput/contractReference.ts";
import type { Deployment } from "../../core/projects/deployment.ts";
import type { CompilerSettings } from "../../core/compilerInput/standardJsonInput.ts";
import type { ReviewedInput } from "../../core/verification/reviewedSubmission.ts";
import { settings } from "../settings.ts";
import { uriOf, workspaceFiles, workspaceFolderReader, workspaceFolders } from "../workspaceFiles.ts";

/** What is known of the deployment that an input is for. */
export interface KnownDeployment {
  /** As the project's records have it: the build that they keep goes first. */
  readonly deployment?: Pick<Deployment, "recordedBy" | "record"> | undefined;
  /** What the deployed code names as its compiler, for a project that says none. */
  readonly deployedCompilerVersion?: string | undefined;
}

/** What a person or a caller fixed, and what the deployment tells. */
export interface CompilerChoice extends KnownDeployment {
  readonly compilerVersion?: string | undefined;
  readonly settings?: CompilerSettings | undefined;
  /** What to do with a build that is older than the files; it is used, and the files are named, unless said. */
  readonly staleBuild?: "use" | "refuse" | undefined;
}

/** The compiler input of a contract of the open folders, and the file it is in. */
export type WorkspaceInput = ReviewedInput;

/** Builds the compiler input of a contract of the open folders. */
export async function compilerInputOf(
  { compilers }: Pick<Parts, "compilers">,
  contract: string,
  choice: CompilerChoice = {},
): Promise<WorkspaceInput> {
  // A quarter of the code, which activation has no use for.
  const { contractInput } = await import("../../core/compilerInput/contractInput.ts");
  const found = await findWorkspaceContract(workspaceFiles, workspaceFolders(), contract);
  const input = await contractInput(workspaceFolderReader, workspaceFolders(), found, {
    defaultSettings: settings.compilerSettings(uriOf(found.path)),
    settings: choice.settings,
    compilerVersion: choice.compilerVersion,
    deployedCompilerVersion: choice.deployedCompilerVersion,
    deployment: choice.deployment,
    staleBuild: choice.staleBuild,
    releases: compilers().solc,
    vyperReleases: compilers().vyper,
  });
  return { ...input, path: found.path, contractName: found.contractName };
}
