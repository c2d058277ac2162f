import { findMetadata } from "../compilerInput/metadataInput.ts";
import { isInside, joinPath, parentFolder } from "../files/fileReader.ts";
import { skippedFiles, type SkippedFile } from "../files/skippedFiles.ts";
import { eachInPieces, inTurns, mapOfInPieces, type Pieces } from "../concurrency/turns.ts";
import { supportingLast } from "./contractOrder.ts";
import type { DefinedContract } from "./contracts.ts";
import type { RecordedDeployment } from "../tools/deployment.ts";
import { rememberingReader, type FolderReader } from "../files/folderReader.ts";
import { asText, fieldAt, readJson } from "../json/looseData.ts";
import { isSamePath, machinePath } from "../files/machinePath.ts";
import { findProject, type Project } from "../tools/project.ts";
import { ownPath } from "../tools/tool.ts";
import { deploymentPlaces, projectDeployments } from "../tools/projectDeployments.ts";

/** A recorded deployment, and the contract of the workspace that it is of. */
export interface FoundDeployment extends RecordedDeployment {
  /** Absent where the workspace has no such contract, or several and the record does not say which. */
  readonly defined?: DefinedContract;
}

/** What the records of a workspace came to. */
interface WorkspaceDeployments {
  /** The newest first in each project; scripts, tests and mocks stand last, in every list that is made of them. */
  readonly found: FoundDeployment[];
  /** What could not be read on the way: records, and the configurations that tell where they are. */
  readonly skipped: readonly SkippedFile[];
  /** The files, and the folders of the files, that hold records or would hold them; absolute. */
  readonly places: readonly string[];
}

/**
 * What the records of all projects of the workspace say was deployed.
 *
 * @param contracts the workspace's concrete contracts
 */
export async function workspaceDeployments(
  reader: FolderReader,
  folders: readonly string[],
  contracts: readonly DefinedContract[],
): Promise<WorkspaceDeployments> {
  const files = rememberingReader(reader);
  const projects = new Map<string, Project>();
  // What lies in one folder belongs to one project.
  const places = await inTurns(mapOfInPieces(contracts, ({ path }) => [parentFolder(path), path]));
  for (const path of places.values()) {
    const folder = folders.find((one) => isInside(path, one));
    if (folder === undefined) continue;
    const project = await findProject(files, folder, path);
    projects.set(project.root, project);
  }
  const byName = await inTurns(groupedByName(contracts));
  const recorded = await Promise.all(
    [...projects.values()].map(async (project) => ({
      project,
      deployments: await projectDeployments(files, project),
      places: await deploymentPlaces(files, project),
    })),
  );
  // Before builds are looked into to tell contracts of one name apart: those are no records of deployments.
  const skipped = skippedFiles(files);
  const found = await Promise.all(
    recorded.map(({ project, deployments }) =>
      Promise.all(
        deployments.map(async ({ creationCode, ...deployment }) => {
          const defined = await contractOf(
            { ...deployment, ...(creationCode && { creationCode }) },
            files,
            project,
            byName,
          );
          return { ...deployment, ...(defined && { defined }) };
        }),
      ),
    ),
  );
  return {
    found: supportingLast(found.flat(), ({ defined }) => defined, folders),
    skipped,
    places: recorded.flatMap(({ places }) => places),
  };
}

function* groupedByName(contracts: readonly DefinedContract[]): Pieces<Map<string, DefinedContract[]>> {
  const groups = new Map<string, DefinedContract[]>();
  yield* eachInPieces(contracts, (one) => {
    const group = groups.get(one.name);
    if (group) group.push(one);
    else groups.set(one.name, [one]);
  });
  return groups;
}

async function contractOf(
  { contract, creationCode }: RecordedDeployment,
  files: FolderReader,
  project: Project,
  contracts: ReadonlyMap<string, readonly DefinedContract[]>,
): Promise<DefinedContract | undefined> {
  const { root } = project;
  const colon = contract.lastIndexOf(":");
  const name = contract.slice(colon + 1);
  const all = contracts.get(name) ?? [];
  const named = all.filter((one) => isInside(one.path, root));
  const path = colon < 0 ? undefined : joinPath(root, ownPath(machinePath(contract.slice(0, colon))));
  const exact = all.find((one) => one.path === path || (path !== undefined && isSamePath(path, one.path)));
  if (exact || named.length === 1) return exact ?? named[0];
  if (named.length === 0) return builtFrom(all, files, project);
  if (creationCode === undefined) return undefined;
  for (const one of named) {
    if (await isCodeOf(one, creationCode, files, project)) return one;
  }
  return undefined;
}

/** Of contracts that lie elsewhere the one that a build of the project was made from: a project compiles what it imports. */
async function builtFrom(
  contracts: readonly DefinedContract[],
  files: FolderReader,
  project: Project,
): Promise<DefinedContract | undefined> {
  for (const { path, name } of contracts) {
    const found = await findMetadata(files, project, { path, contractName: name });
    if (found.some((one) => joinPath(project.root, one.name) === path)) return { path, name };
  }
  return undefined;
}

/** True when the build of a contract gave the code that a creation begins with. */
async function isCodeOf(
  { path, name }: DefinedContract,
  creationCode: string,
  files: FolderReader,
  project: Project,
): Promise<boolean> {
  const found = await findMetadata(files, project, { path, contractName: name });
  for (const artifact of found) {
    const code = asText(fieldAt(await readJson(files, artifact.path), "bytecode", "object"));
    // The place of a library that is linked later holds no digits.
    const start = code?.split("__", 1)[0] ?? "";
    if (start.length > 2 && creationCode.startsWith(start.toLowerCase())) return true;
  }
  return false;
}
