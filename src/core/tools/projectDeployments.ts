import { LOCAL_CHAINS } from "../chainId.ts";
import { t } from "@vscode/l10n";
import { sortInPieces } from "../concurrency/sortInPieces.ts";
import { eachInPieces, inTurns } from "../concurrency/turns.ts";
import { deploymentKey } from "../evm/deploymentKey.ts";
import { isInside } from "../files/fileReader.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { UnreadableFile } from "../files/unreadableFile.ts";
import { openedFolders, type OpenedFolders } from "../sources/boundedReader.ts";
import type { DeploymentReader, ToolPlace } from "./toolShape.ts";
import type { RecordedDeployment } from "./deployment.ts";
import { toolsOf, type Project } from "./project.ts";

/** More deployments of a project are not looked at: no person reads more, and one record can hold any number. */
export const MAX_DEPLOYMENTS = 10_000;

/**
 * What the records of a project's tools say was deployed, each contract once, the newest first. Records of
 * local chains come last: what was deployed there can be verified on a node alone that a person runs. What can't be read is
 * noted as skipped, and so is what lies outside the open folders, and what comes behind the first {@link MAX_DEPLOYMENTS}.
 *
 * @param folders the open ones; the one that holds the project unless said
 */
export async function projectDeployments(
  files: FolderReader,
  project: Project,
  folders: readonly string[] = openedOf(project),
): Promise<RecordedDeployment[]> {
  const opened = await openedFolders(files, folders);
  const found = await fromEachReader(opened.files, project, (reader, place) => reader.read(place));
  if (opened.refused.size > 0) await noteOutside(files, opened, project);

  const byPlace = new Map<string, RecordedDeployment>();
  const keepNewest = (deployment: RecordedDeployment) => {
    const place = deploymentKey(deployment);
    const before = byPlace.get(place);
    if (!before || (deployment.when ?? 0) > (before.when ?? 0)) byPlace.set(place, deployment);
  };
  await inTurns(eachInPieces(found, keepNewest));
  const sorted = await inTurns(
    sortInPieces(
      [...byPlace.values()],
      (a, b) =>
        Number(LOCAL_CHAINS.has(a.chainId)) - Number(LOCAL_CHAINS.has(b.chainId)) ||
        (b.when ?? 0) - (a.when ?? 0),
    ),
  );
  const leftOut = sorted[MAX_DEPLOYMENTS];
  if (leftOut) {
    const [most, others] = [MAX_DEPLOYMENTS, sorted.length - MAX_DEPLOYMENTS].map((count) =>
      count.toLocaleString("en"),
    );
    noteSkipped(
      files,
      leftOut.record,
      t`holds deployments behind the first ${most ?? ""} of its project (${others ?? ""} are left out)`,
    );
  }
  return sorted.slice(0, MAX_DEPLOYMENTS);
}

/**
 * The files, and the folders of the files, in which a project's tools record what was deployed; absolute. Those outside the
 * open folders are none.
 *
 * @param folders the open ones; the one that holds the project unless said
 */
export async function deploymentPlaces(
  files: FolderReader,
  project: Project,
  folders: readonly string[] = openedOf(project),
): Promise<string[]> {
  const opened = await openedFolders(files, folders);
  const places = await placesOf(opened, project);
  const areInside = await Promise.all(places.map(opened.hold));
  return places.filter((_place, at) => areInside[at]);
}

function openedOf({ opened, root }: Project): string[] {
  return [opened ?? root];
}

/** Notes what would hold records and lies outside the open folders. */
async function noteOutside(files: FolderReader, opened: OpenedFolders, project: Project): Promise<void> {
  const places = await placesOf(opened, project);
  for (const path of opened.refused.keys())
    if (places.some((place) => isInside(path, place)))
      noteSkipped(files, path, t`lies outside the open folders and is not read`);
}

function placesOf(opened: OpenedFolders, project: Project): Promise<string[]> {
  return fromEachReader(opened.files, project, (reader, place) => reader.places(place));
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
