import { joinPath, parentFolder, relativePath } from "../files/fileReader.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import { walkFolders } from "../files/walk.ts";
import { LARGEST_RECORD_BYTES } from "../json/dataFile.ts";
import { filesEnding, type FolderReader } from "../files/folderReader.ts";
import { readFoundryProfiles } from "../tools/foundry/foundryConfig.ts";
import { hardhat2Remappings, importedName } from "../tools/hardhat/hardhatInput.ts";
import { readHardhatConfig } from "../tools/hardhat/hardhatConfig.ts";
import { asItems, asRecord, asText, field, fieldAt, parseJson, readJson } from "../json/looseData.ts";
import { isSamePath, machinePath } from "../files/machinePath.ts";
import type { Project } from "../tools/project.ts";
import { completed, type BuildRecord } from "./buildRecord.ts";
import type { WorkspaceContract } from "../sources/contractReference.ts";
import { readBuildRecord } from "./recordFile.ts";
import { standardInputIn } from "./recordedStandardInput.ts";

/** The most records that are opened to find a contract that no artifact leads to. */
const MAX_RECORDS = 40;

/** A record that may hold a contract, and whether the tool itself says that it does. */
export interface RecordCandidate {
  readonly record: BuildRecord;
  /** The contract's artifact, or the tool's own index, names this very record. */
  readonly named: boolean;
}

/** Where a project's tools keep what they made. */
interface Places {
  readonly records: readonly string[];
  readonly named: readonly string[];
}

/**
 * The build records of a project that may hold a contract. A record that the contract's artifact names stands
 * alone; without one every record of the project is opened, up to a limit.
 */
export async function findBuildRecords(
  files: FolderReader,
  project: Project,
  contract: WorkspaceContract,
  releases?: readonly string[],
): Promise<RecordCandidate[]> {
  const places: Places[] = [];
  if (project.tools.includes("hardhat")) places.push(await hardhatPlaces(files, project, contract));
  if (project.tools.includes("foundry")) places.push(await foundryPlaces(files, project, contract));
  places.push(await foldersOfRecords(files, project, contract));

  const opened = new Map<string, BuildRecord | undefined>();
  const open = async (path: string) => {
    if (!opened.has(path))
      opened.set(path, await readBuildRecord(files, path, contract.contractName, releases));
    return opened.get(path);
  };
  const candidates: RecordCandidate[] = [];
  for (const { named } of places) {
    for (const path of named) {
      const record = await open(path);
      if (record) candidates.push({ record, named: true });
    }
  }
  for (const candidate of await hardhatDeployRecords(files, project, contract, releases))
    candidates.push(candidate);
  if (candidates.some(({ named }) => named)) return candidates;
  const records = [...new Set(places.flatMap((place) => place.records))];
  const [tooMany] = records.slice(MAX_RECORDS);
  if (tooMany !== undefined) {
    const others = (records.length - MAX_RECORDS).toLocaleString("en");
    noteSkipped(files, parentFolder(tooMany), `holds too many build records (${others} were not opened)`);
  }
  for (const path of records.slice(0, MAX_RECORDS)) {
    const record = await open(path);
    if (record) candidates.push({ record, named: false });
  }
  return candidates;
}

async function jsonFilesIn(files: FolderReader, folder: string): Promise<string[]> {
  const names = await filesEnding(files, folder, ".json");
  return names.filter((name) => !name.endsWith(".output.json")).map((name) => joinPath(folder, name));
}

/** Hardhat: `X.dbg.json` beside the artifact (2) or the artifact itself (3) names the record. */
async function hardhatPlaces(
  files: FolderReader,
  project: Project,
  { path, contractName }: WorkspaceContract,
): Promise<Places> {
  const { root, configurations } = project;
  const config = await readHardhatConfig(files, root, configurations.hardhat ?? "");
  const artifacts = joinPath(root, config.artifacts);
  const records = joinPath(artifacts, "build-info");
  const sourceName = relativePath(path, root) ?? "";
  const packaged = /^.*\/node_modules\/(.+)$/.exec(path)?.[1];
  const named: string[] = [];
  const imported = importedName(await hardhat2Remappings(files, project), sourceName);
  for (const name of new Set([sourceName, packaged, imported])) {
    if (name === undefined || name === "") continue;
    const folder = joinPath(artifacts, name);
    const debug = asText(
      field(await readJson(files, joinPath(folder, `${contractName}.dbg.json`)), "buildInfo"),
    );
    // On Windows the path has backslashes.
    if (debug !== undefined) named.push(joinPath(folder, machinePath(debug)));
    const id = asText(field(await readJson(files, joinPath(folder, `${contractName}.json`)), "buildInfoId"));
    if (id !== undefined) named.push(joinPath(records, `${id}.json`));
  }
  for (const record of await ignitionRecords(
    files,
    joinPath(root, config.ignition),
    sourceName,
    contractName,
  ))
    named.push(record);
  return { named, records: await jsonFilesIn(files, records) };
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
    for (const path of await jsonFilesIn(files, artifacts)) {
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

/** Foundry: its cache names the record of each artifact. */
async function foundryPlaces(
  files: FolderReader,
  { root }: Project,
  { path, contractName }: WorkspaceContract,
): Promise<Places> {
  const [records, named]: [string[], string[]] = [[], []];
  for (const config of await readFoundryProfiles(files, root)) {
    const folder = joinPath(root, config.buildInfoFolder);
    for (const record of await jsonFilesIn(files, folder)) records.push(record);
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

/** The `build-info` folders that lie about: Remix writes one beside the folder of a contract. */
async function foldersOfRecords(
  files: FolderReader,
  { root }: Project,
  { path, contractName }: WorkspaceContract,
): Promise<Places> {
  const records: string[] = [];
  for (let folder = parentFolder(path); ; folder = parentFolder(folder)) {
    for (const place of ["artifacts/build-info", "build-info", "out/build-info"])
      for (const record of await jsonFilesIn(files, joinPath(folder, place))) records.push(record);
    if (folder === root || folder === "/") break;
  }
  // `vyper -f solc_json` writes where it is told to; these are the places that need no search.
  const stem = contractName;
  for (const folder of [parentFolder(path), root, joinPath(root, "out"), joinPath(root, "build")]) {
    for (const name of [`${stem}.json`, `${stem}.solc.json`, `${stem}.vy.json`, `${stem}_solc.json`]) {
      if (path.endsWith(".vy") && (await filesEnding(files, folder, name)).includes(name))
        records.push(joinPath(folder, name));
    }
  }
  return { named: [], records };
}

/**
 * hardhat-deploy keeps the input of each deployed contract: `deployments/<network>/<Name>.json` names it by hash
 * in `solcInputs`, and its metadata names the compiler.
 */
async function hardhatDeployRecords(
  files: FolderReader,
  { root }: Project,
  { contractName, path }: WorkspaceContract,
  releases?: readonly string[],
): Promise<RecordCandidate[]> {
  const found: RecordCandidate[] = [];
  const seen = new Set<string>();
  const folder = joinPath(root, "deployments");
  for (const { path: network } of (await walkFolders(files, folder, { deepest: 1 })).slice(1)) {
    for (const file of await jsonFilesIn(files, network)) {
      const deployment = await readJson(files, file);
      const hash = asText(field(deployment, "solcInputHash"));
      const metadata = parseJson(asText(field(deployment, "metadata")) ?? "");
      const target = Object.entries(asRecord(fieldAt(metadata, "settings", "compilationTarget")) ?? {})[0];
      if (hash === undefined || target?.[1] !== contractName || !path.endsWith(`/${target[0]}`)) continue;
      const recordPath = joinPath(network, `solcInputs/${hash}.json`);
      if (seen.has(hash)) continue;
      seen.add(hash);
      const recorded = standardInputIn(await readJson(files, recordPath, LARGEST_RECORD_BYTES));
      if (!recorded || "reason" in recorded) {
        if (recorded) noteSkipped(files, recordPath, recorded.reason);
        continue;
      }
      const { input } = recorded;
      const version = asText(fieldAt(metadata, "compiler", "version"));
      const compilerVersion = completed(version ?? "", input.language, releases);
      if (compilerVersion === undefined) {
        noteSkipped(files, file, "names no release of a compiler");
        continue;
      }
      found.push({
        named: false,
        record: {
          path: recordPath,
          format: "hardhat-deploy",
          compilerVersion,
          input,
          userNames: {},
          output: undefined,
        },
      });
    }
  }
  return found;
}

/** The metadata of a contract in a record's own output, to tell two builds of one contract apart. */
export function metadataInRecord(
  record: BuildRecord,
  name: string,
  contractName: string,
): string | undefined {
  return asText(fieldAt(record.output, "contracts", name, contractName, "metadata"));
}

/** True when the record's output has the contract, or the record holds no output that could say. */
export function mayDefine(record: BuildRecord, name: string, contractName: string): boolean {
  const contracts = asRecord(fieldAt(record.output, "contracts", name));
  if (!contracts) return true;
  const found = field(contracts, contractName);
  // Foundry's records hold a list of builds by version and profile.
  return found !== undefined || asItems(found).length > 0;
}
