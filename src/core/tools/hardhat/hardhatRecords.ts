import { joinPath, relativePath } from "../../files/fileReader.ts";
import type { FolderReader } from "../../files/folderReader.ts";
import { machinePath } from "../../files/machinePath.ts";
import { walkFolders } from "../../files/walk.ts";
import { readJson } from "../../json/dataFile.ts";
import { asText, field } from "../../json/looseData.ts";
import type { WorkspaceContract } from "../../sources/contractReference.ts";
import { packageImport } from "../../sources/packagedPath.ts";
import type { RecordFolders, ToolPlace } from "../toolShape.ts";
import { recordsIn } from "../recordsIn.ts";
import { hardhatConfigOf } from "./hardhatConfig.ts";
import { importedName } from "../../languages/solidity/remapping.ts";
import { hardhat2Remappings } from "./hardhat2Remappings.ts";

/** The folders, absolute, in which the artifacts of a file's contracts may lie. */
export async function hardhatArtifactFolders(place: ToolPlace, path: string): Promise<string[]> {
  const { artifacts, root } = await hardhatConfigOf(place);
  const sourceName = relativePath(path, root) ?? "";
  const packaged = packageImport(path);
  const imported = importedName(await hardhat2Remappings(place), sourceName);
  return [...new Set([sourceName, packaged, imported])].flatMap((name) =>
    name === undefined || name === "" ? [] : [joinPath(artifacts, name)],
  );
}

/** Hardhat: `X.dbg.json` beside the artifact (2) or the artifact itself (3) names the record. */
export async function hardhatRecords(
  place: ToolPlace,
  { path, contractName }: WorkspaceContract,
): Promise<RecordFolders> {
  const { files } = place;
  const { root, artifacts, ignition } = await hardhatConfigOf(place);
  const records = joinPath(artifacts, "build-info");
  const sourceName = relativePath(path, root) ?? "";
  const named: string[] = [];
  for (const folder of await hardhatArtifactFolders(place, path)) {
    const debug = asText(
      field(await readJson(files, joinPath(folder, `${contractName}.dbg.json`)), "buildInfo"),
    );
    // On Windows the path has backslashes.
    if (debug !== undefined) named.push(joinPath(folder, machinePath(debug)));
    const id = asText(field(await readJson(files, joinPath(folder, `${contractName}.json`)), "buildInfoId"));
    if (id !== undefined) named.push(joinPath(records, `${id}.json`));
  }
  for (const record of await ignitionRecords(files, ignition, sourceName, contractName)) named.push(record);
  return { named, records: await recordsIn(files, records) };
}

/** Ignition keeps the build record of what it deployed beside the artifact of each contract. */
async function ignitionRecords(
  files: FolderReader,
  ignition: string,
  sourceName: string,
  contractName: string,
): Promise<string[]> {
  const named = new Set<string>();
  const deployments = joinPath(ignition, "deployments");
  for (const { path: deployment } of (await walkFolders(files, deployments, { deepest: 1 })).slice(1)) {
    const artifacts = joinPath(deployment, "artifacts");
    for (const path of await recordsIn(files, artifacts)) {
      if (path.endsWith(".dbg.json")) continue;
      const artifact = await readJson(files, path);
      if (field(artifact, "contractName") !== contractName || field(artifact, "sourceName") !== sourceName)
        continue;
      const build = asText(field(artifact, "buildInfoId"));
      const debug = asText(field(await readJson(files, path.replace(/\.json$/, ".dbg.json")), "buildInfo"));
      if (build !== undefined) named.add(joinPath(deployment, `build-info/${build}.json`));
      else if (debug !== undefined) named.add(joinPath(artifacts, machinePath(debug)));
    }
  }
  return [...named];
}
