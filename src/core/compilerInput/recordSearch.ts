import type { CompilerLists } from "../languages/compilerLists.ts";
import { t } from "@vscode/l10n";
import { isInside, joinPath, lastSegment, parentFolder } from "../files/fileReader.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import { LARGEST_RECORD_BYTES, readJson } from "../json/dataFile.ts";
import { filesEnding, type FolderReader } from "../files/folderReader.ts";
import { asItems, asRecord, asText, field, fieldAt } from "../json/looseData.ts";
import { languageOfPath, LANGUAGES } from "../languages/language.ts";
import type { KeptInput, ToolPlace, ToolRules } from "../tools/toolShape.ts";
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
 * The build records of a project that may hold a contract. Of a tool whose index or artifact of the contract names a
 * record that one alone counts; of every other tool all of its records are opened, up to a limit, and where no record is
 * named, those that lie about as well.
 */
export async function findBuildRecords(
  files: FolderReader,
  project: Project,
  contract: WorkspaceContract,
  releases?: Partial<CompilerLists>,
): Promise<RecordCandidate[]> {
  const opened = new Map<string, BuildRecord | undefined>();
  const open = async (path: string) => {
    if (!opened.has(path))
      opened.set(path, await readBuildRecord(files, path, contract.contractName, releases));
    return opened.get(path);
  };
  const candidates: RecordCandidate[] = [];
  let unnamed: string[] = [];
  for (const { rules, place } of await toolsOf(files, project)) {
    const { named, records } = (await rules.buildRecords?.(place, contract)) ?? { named: [], records: [] };
    const before = candidates.length;
    for (const path of named) {
      const record = await open(path);
      if (record) candidates.push({ record, named: true });
    }
    if (candidates.length === before) unnamed = [...unnamed, ...records];
  }
  const isAnyNamed = candidates.length > 0;
  for (const candidate of await keptInputRecords(files, project, contract, releases))
    candidates.push(candidate);
  const about = isAnyNamed ? [] : await recordsLyingAbout(files, project, contract);
  const records = [...new Set([...unnamed, ...about])].filter((path) => !opened.has(path));
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
async function recordsLyingAbout(
  files: FolderReader,
  { root }: Project,
  { path, contractName }: WorkspaceContract,
): Promise<string[]> {
  const records: string[] = [];
  // Above the root, and beside it, lie the records of other projects.
  const start = isInside(path, root) ? parentFolder(path) : root;
  for (let folder = start; ; folder = parentFolder(folder)) {
    for (const place of RECORD_FOLDERS)
      for (const record of await recordsIn(files, joinPath(folder, place))) records.push(record);
    if (folder === root || folder === "/") break;
  }
  const language = languageOfPath(path);
  const bundles = (language && LANGUAGES[language].bundlesOf?.(contractName)) ?? [];
  // These are the places that need no search.
  for (const folder of [start, root, joinPath(root, "out"), joinPath(root, "build")]) {
    for (const name of bundles) {
      if ((await filesEnding(files, folder, name)).includes(name)) records.push(joinPath(folder, name));
    }
  }
  return records;
}

/** The inputs that recorders kept of what they deployed. */
async function keptInputRecords(
  files: FolderReader,
  project: Project,
  contract: WorkspaceContract,
  releases?: Partial<CompilerLists>,
): Promise<RecordCandidate[]> {
  const found: RecordCandidate[] = [];
  const seen = new Set<string>();
  for (const { recorder, kept } of await keptInputs(files, project, contract)) {
    // Each network has the same input once more.
    if (seen.has(lastSegment(kept.input))) continue;
    seen.add(lastSegment(kept.input));
    const recorded = standardInputIn(await readJson(files, kept.input, LARGEST_RECORD_BYTES));
    if (!recorded || "reason" in recorded) {
      if (recorded) noteSkipped(files, kept.input, recorded.reason);
      continue;
    }
    const { input } = recorded;
    const compilerVersion = fullVersion(input.language, kept.compilerVersion ?? "", releases);
    if (compilerVersion === undefined) {
      noteSkipped(files, kept.deployment, t`names no release of a compiler`);
      continue;
    }
    found.push({
      named: false,
      record: {
        path: kept.input,
        format: recorder,
        compilerVersion,
        input,
        userNames: {},
        output: undefined,
      },
    });
  }
  return found;
}

/** Those that the tools of the project keep, else those of any tool that was used at another time, where it usually keeps them. */
async function keptInputs(
  files: FolderReader,
  project: Project,
  contract: WorkspaceContract,
): Promise<readonly { readonly recorder: string; readonly kept: KeptInput }[]> {
  const own = (await toolsOf(files, project)).flatMap(({ rules, place }) => keepers(rules, place));
  const usual: ToolPlace = { files, root: project.root, configuration: undefined };
  const rulesOfAll = () => Promise.all(TOOLS.map((tool) => tool.rules()));
  const all = own.length > 0 ? own : (await rulesOfAll()).flatMap((rules) => keepers(rules, usual));
  const found: { recorder: string; kept: KeptInput }[] = [];
  for (const { reader, place } of all)
    for (const folder of await reader.places(place))
      for (const kept of (await reader.keptInputs?.(files, folder, contract)) ?? [])
        found.push({ recorder: reader.recorder, kept });
  return found;
}

/** The recorders of a tool that keep inputs. */
function keepers({ deployments = [] }: ToolRules, place: ToolPlace) {
  return deployments.filter((reader) => reader.keptInputs !== undefined).map((reader) => ({ reader, place }));
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
