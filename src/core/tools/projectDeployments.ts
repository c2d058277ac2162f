import { LOCAL_CHAINS } from "../chainId.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { UnreadableFile } from "../files/unreadableFile.ts";
import type { DeploymentReader, ToolPlace } from "./toolShape.ts";
import type { RecordedDeployment } from "./deployment.ts";
import { toolsOf, type Project } from "./project.ts";

/**
 * What the records of a project's tools say was deployed, each contract once, the newest first. Records of
 * local chains come last: what was deployed there can be verified on a node alone that a person runs. What can't be read is noted as skipped.
 */
export async function projectDeployments(
  files: FolderReader,
  project: Project,
): Promise<RecordedDeployment[]> {
  const found = await fromEachReader(files, project, (reader, place) => reader.read(place));

  const byPlace = new Map<string, RecordedDeployment>();
  for (const deployment of found) {
    const place = `${deployment.chainId}:${deployment.address.toLowerCase()}`;
    const before = byPlace.get(place);
    if (!before || (deployment.when ?? 0) > (before.when ?? 0)) byPlace.set(place, deployment);
  }
  return [...byPlace.values()].sort(
    (a, b) =>
      Number(LOCAL_CHAINS.has(a.chainId)) - Number(LOCAL_CHAINS.has(b.chainId)) ||
      (b.when ?? 0) - (a.when ?? 0),
  );
}

/** The files, and the folders of the files, in which a project's tools record what was deployed; absolute. */
export function deploymentPlaces(files: FolderReader, project: Project): Promise<string[]> {
  return fromEachReader(files, project, (reader, place) => reader.places(place));
}

async function fromEachReader<T>(
  files: FolderReader,
  project: Project,
  read: (reader: DeploymentReader, place: ToolPlace) => Promise<readonly T[]>,
): Promise<T[]> {
  const readers = (await toolsOf(files, project)).flatMap(({ rules, place }) =>
    (rules.deployments ?? []).map((one) => withoutUnreadable(files, () => read(one, place))),
  );
  return (await Promise.all(readers)).flat();
}

/** What one tool left may not be read, which says nothing about the others. An error of ours is no such thing. */
async function withoutUnreadable<T>(
  files: FolderReader,
  read: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    noteSkipped(files, error.path, error.reason);
    return [];
  }
}
