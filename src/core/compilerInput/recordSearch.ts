import type { CompilerLists } from "../languages/compilerLists.ts";
import { t } from "@vscode/l10n";
import { joinPath, parentFolder } from "../files/fileReader.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import { walkFolders, type WalkedFolder } from "../files/walk.ts";
import { LARGEST_RECORD_BYTES } from "../json/dataFile.ts";
import { filesEnding, type FolderReader } from "../files/folderReader.ts";
import { asItems, asRecord, asText, field, fieldAt, parseJson, readJson } from "../json/looseData.ts";
import { languageOfPath, LANGUAGES } from "../languages/language.ts";
import type { RecordFolders } from "../tools/toolShape.ts";
import { toolsOf, type Project } from "../tools/project.ts";
import { recordsIn } from "../tools/recordsIn.ts";
import { TOOLS } from "../tools/tool.ts";
import { fullVersion } from "../languages/rules.ts";
import type { BuildRecord } from "./buildRecord.ts";
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

/** Where tools keep records unless told otherwise, relative to any folder. */
const RECORD_FOLDERS = [...new Set([...TOOLS.flatMap((tool) => tool.recordFolder ?? []), "build-info"])];

/**
 * The build records of a project that may hold a contract. A record that the contract's artifact names stands
 * alone; without one every record of the project is opened, up to a limit.
 */
export async function findBuildRecords(
  files: FolderReader,
  project: Project,
  contract: WorkspaceContract,
  releases?: Partial<CompilerLists>,
): Promise<RecordCandidate[]> {
  const places: RecordFolders[] = [];
  for (const { rules, place } of await toolsOf(files, project)) {
    const found = await rules.buildRecords?.(place, contract);
    if (found) places.push(found);
  }
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
    noteSkipped(files, parentFolder(tooMany), t`holds too many build records (${others} were not opened)`);
  }
  for (const path of records.slice(0, MAX_RECORDS)) {
    const record = await open(path);
    if (record) candidates.push({ record, named: false });
  }
  return candidates;
}

/** The `build-info` folders that lie about: Remix writes one beside the folder of a contract. */
async function foldersOfRecords(
  files: FolderReader,
  { root }: Project,
  { path, contractName }: WorkspaceContract,
): Promise<RecordFolders> {
  const records: string[] = [];
  for (let folder = parentFolder(path); ; folder = parentFolder(folder)) {
    for (const place of RECORD_FOLDERS)
      for (const record of await recordsIn(files, joinPath(folder, place))) records.push(record);
    if (folder === root || folder === "/") break;
  }
  const language = languageOfPath(path);
  const bundles = (language && LANGUAGES[language].bundlesOf?.(contractName)) ?? [];
  // These are the places that need no search.
  for (const folder of [parentFolder(path), root, joinPath(root, "out"), joinPath(root, "build")]) {
    for (const name of bundles) {
      if ((await filesEnding(files, folder, name)).includes(name)) records.push(joinPath(folder, name));
    }
  }
  return { named: [], records };
}

/** The format of what hardhat-deploy keeps. */
const KEPT_INPUT = "hardhat-deploy";

/**
 * hardhat-deploy keeps the input of each deployed contract: `deployments/<network>/<Name>.json` names it by hash
 * in `solcInputs`, and its metadata names the compiler.
 */
async function hardhatDeployRecords(
  files: FolderReader,
  project: Project,
  { contractName, path }: WorkspaceContract,
  releases?: Partial<CompilerLists>,
): Promise<RecordCandidate[]> {
  const found: RecordCandidate[] = [];
  const seen = new Set<string>();
  for (const { path: network } of await networkFolders(files, project)) {
    for (const file of await recordsIn(files, network)) {
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
      const compilerVersion = fullVersion(input.language, version ?? "", releases);
      if (compilerVersion === undefined) {
        noteSkipped(files, file, t`names no release of a compiler`);
        continue;
      }
      found.push({
        named: false,
        record: {
          path: recordPath,
          format: KEPT_INPUT,
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

/** The folders of networks below those in which a tool of the project, or one of another time, keeps such inputs. */
async function networkFolders(files: FolderReader, project: Project): Promise<readonly WalkedFolder[]> {
  const said = await Promise.all(
    (await toolsOf(files, project)).flatMap(({ tool, rules, place }) =>
      (rules.deployments ?? [])
        .filter(({ recorder }) =>
          tool.recorders.some(({ name, builds }) => name === recorder && builds.includes(KEPT_INPUT)),
        )
        .map((one) => one.places(place)),
    ),
  );
  const folders = said.length > 0 ? said.flat() : [joinPath(project.root, "deployments")];
  const walked = await Promise.all(folders.map((folder) => walkFolders(files, folder, { deepest: 1 })));
  return walked.flatMap((found) => found.slice(1));
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
