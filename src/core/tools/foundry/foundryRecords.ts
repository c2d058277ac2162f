import { joinPath, relativePath } from "../../files/fileReader.ts";
import { isSamePath, machinePath } from "../../files/machinePath.ts";
import { readJson } from "../../json/dataFile.ts";
import { asRecord, asText, field, fieldAt } from "../../json/looseData.ts";
import type { WorkspaceContract } from "../../sources/contractReference.ts";
import type { RecordFolders, ToolPlace } from "../toolShape.ts";
import { recordsIn } from "../recordsIn.ts";
import { readFoundryProfiles } from "./foundryConfig.ts";

/** Foundry: its cache names the record of each artifact. */
export async function foundryRecords(
  { files, root }: ToolPlace,
  { path, contractName }: WorkspaceContract,
): Promise<RecordFolders> {
  const [records, named]: [string[], string[]] = [[], []];
  for (const config of await readFoundryProfiles(files, root)) {
    const folder = joinPath(root, config.buildInfoFolder);
    for (const record of await recordsIn(files, folder)) records.push(record);
    const cache = await readJson(files, joinPath(root, `${config.cachePath}/solidity-files-cache.json`));
    const versions = asRecord(fieldAt(cacheEntry(cache, path, root), "artifacts", contractName));
    const artifacts = Object.values(versions ?? {}).flatMap((profiles) =>
      Object.values(asRecord(profiles) ?? {}),
    );
    for (const id of artifacts.flatMap((artifact) => asText(field(artifact, "build_id")) ?? []))
      named.push(joinPath(folder, `${id}.json`));
  }
  return { named: [...new Set(named)], records: [...new Set(records)] };
}

/** What forge's index says of a file, which it names relative to the root, or from the root of the machine. */
function cacheEntry(cache: unknown, path: string, root: string): unknown {
  const entries = asRecord(field(cache, "files")) ?? {};
  const relative = relativePath(path, root) ?? path;
  const name = Object.hasOwn(entries, relative)
    ? relative
    : Object.keys(entries).find((key) => machinePath(key) === relative || isSamePath(key, path));
  return name === undefined ? undefined : field(entries, name);
}
