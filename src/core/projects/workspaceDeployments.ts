import type { DefinedContract } from "../workspace/contracts.ts";
import type { Deployment } from "./deployment.ts";
import { rememberingReader, type FolderReader } from "./folderReader.ts";
import { findProject, type Project } from "./project.ts";
import { projectDeployments } from "./projectDeployments.ts";
import { isInside, joinPath } from "../files.ts";

/** A recorded deployment, and the contract of the workspace that it is of. */
export interface FoundDeployment extends Deployment {
  /** Absent where the workspace has no such contract, or several and the record does not say which. */
  readonly defined?: DefinedContract;
}

/**
 * What the records of all projects of the workspace say was deployed, the newest first in each project.
 *
 * @param contracts the workspace's concrete contracts
 */
export async function workspaceDeployments(
  reader: FolderReader,
  folders: readonly string[],
  contracts: readonly DefinedContract[],
): Promise<FoundDeployment[]> {
  const files = rememberingReader(reader);
  const projects = new Map<string, Project>();
  for (const { path } of contracts) {
    const folder = folders.find((one) => isInside(path, one));
    if (folder === undefined) continue;
    const project = await findProject(files, folder, path);
    projects.set(project.root, project);
  }
  const found = await Promise.all(
    [...projects.values()].map(async (project) =>
      (await projectDeployments(files, project)).map((deployment) => {
        const defined = contractOf(deployment, project, contracts);
        return { ...deployment, ...(defined && { defined }) };
      }),
    ),
  );
  return found.flat();
}

function contractOf(
  { contract }: Deployment,
  { root }: Project,
  contracts: readonly DefinedContract[],
): DefinedContract | undefined {
  const colon = contract.lastIndexOf(":");
  const name = contract.slice(colon + 1);
  const named = contracts.filter((one) => one.name === name && isInside(one.path, root));
  const path = colon < 0 ? undefined : joinPath(root, contract.slice(0, colon));
  const exact = named.find((one) => one.path === path);
  return exact ?? (named.length === 1 ? named[0] : undefined);
}
