import type { CompilerLists } from "../languages/compilerLists.ts";
import { t } from "@vscode/l10n";
import type { AdmittedSources } from "../sources/admittedSources.ts";
import { isInside, parentFolder, relativePath } from "../files/fileReader.ts";
import type { RecordedDeployment } from "../tools/deployment.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import type { FolderReader } from "../files/folderReader.ts";
import type { Project } from "../tools/project.ts";
import { isMachinePath } from "../files/machinePath.ts";
import { isCompilerVersion } from "../versions.ts";
import { namesInRecord, type BuildRecord } from "./buildRecord.ts";
import type { WorkspaceContract } from "../sources/contractReference.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import { listed } from "../text/counted.ts";
import { importedName } from "../languages/solidity/remapping.ts";
import { recordRemappings } from "../tools/recordRemappings.ts";
import { recorderNamed, toolOfBuild } from "../tools/tool.ts";
import { filesOfRecord, type RecordFiles, type StrangeSource } from "./recordFiles.ts";
import { comparableSettings } from "./competingInputs.ts";
import { orderedJson } from "../matching/compilerMetadata.ts";
import { compareMarks, marksAgainst, type DeployedEvidence } from "./deploymentMarks.ts";
import { findBuildRecords, mayDefine, metadataInRecord, type RecordCandidate } from "./recordSearch.ts";
import { LANGUAGES } from "../languages/language.ts";
import { RULES } from "../languages/rules.ts";
import { severalBuilds } from "./severalBuilds.ts";
import { staleBuildFinding, staleSentence } from "./staleBuild.ts";
import type { ChangedFile, CompilerInput, StandardJsonInput } from "../sources/standardJsonInput.ts";
import { divideInput } from "./wholeBuild.ts";
import { jsonInPieces } from "../json/jsonPieces.ts";
import { ownValue } from "../json/ownValue.ts";
import { filterInPieces, inTurns, type Pieces } from "../concurrency/turns.ts";

/** What a caller knows or wants of a recorded build. */
export interface RecordedInputOptions extends DeployedEvidence {
  /** The compiler that the record should name, short or full. */
  readonly compilerVersion?: string | undefined;
  /** What to do when the best record is older than the files; `use` unless said. */
  readonly staleBuild?: "use" | "skip" | "refuse" | undefined;
  /**
   * The deployment that is to be verified: a build that its tool keeps with it goes before all others, and a build of
   * that tool before one of another.
   */
  readonly deployment?: Pick<RecordedDeployment, "recordedBy" | "record"> | undefined;
  readonly releases?: Partial<CompilerLists> | undefined;
}

/** A record that holds the contract's file, and how it compares with the files on disk. */
interface FittingRecord {
  readonly record: BuildRecord;
  /** The source unit name of the contract's file. */
  readonly name: string;
  /** The tool's own index or the artifact names this record. */
  readonly named: boolean;
  /** The sources that the contract needs. */
  readonly needed: StandardJsonInput["sources"];
  readonly compared: RecordFiles;
  /** Sources that the contract needs and that stand for no file that may go: the record can't be used. */
  readonly strange: readonly StrangeSource[];
  /** Changes of files that the contract needs; what else the build compiled says nothing about it. */
  readonly changed: readonly ChangedFile[];
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/**
 * The input of the build record that fits a contract best: of the tool that deployed it, with the files as they
 * are now, named by the artifact, with the fewest changed files, the newest. What the contract does not need of it
 * stands apart, in `wholeBuild`.
 *
 * A record of which a needed source stands for no file of the project or its dependencies is passed over.
 *
 * @throws LedgerLensError `contract_not_found`, `abstract_contract`.
 */
export async function recordedInput(
  files: FolderReader,
  sources: AdmittedSources,
  project: Project,
  contract: WorkspaceContract,
  options: RecordedInputOptions,
): Promise<RecordedInput> {
  const { contractName } = contract;
  const fitting = await fittingRecords(files, sources, project, contract, options);
  const isOne = fitting.length < 2;
  const preferences = new Map(
    fitting.map((one) => [one, preferenceOf(one, options, isOne ? [] : marksOf(one, contractName, options))]),
  );
  const preference = (one: FittingRecord) => preferences.get(one) ?? NO_PREFERENCE;
  const sorted = fitting.sort((a, b) => comparePreferences(preference(a), preference(b)));
  const usable = sorted.filter(({ strange }) => strange.length === 0);
  const [best] = usable;
  const passedOver = sorted[0] && sorted[0] !== best ? [notUsed(sorted[0], project.root)] : [];
  if (!best) return { findings: passedOver };
  const { record, name, needed, compared, changed } = best;
  const shownRecord = relativePath(record.path, project.root) ?? record.path;
  if (changed.length > 0 && options.staleBuild === "skip") return { findings: passedOver };
  const { requireConcrete } = RULES[record.input.language];
  if (requireConcrete)
    await inTurns(requireConcrete(name, ownValue(record.input.sources, name)?.content ?? "", contractName));
  const findings: InputFinding[] = [...passedOver];
  if (changed.length > 0) findings.push(staleBuildFinding(changed, shownRecord));
  const rival = await rivalOf(best, usable.slice(1), preference, contractName);
  if (rival) {
    const isUnchanged = changed.length === 0 && rival.changed.length > 0;
    findings.push(
      severalBuilds({
        contractName,
        root: project.root,
        taken: record.path,
        other: rival.record.path,
        reason: isUnchanged ? "unchanged" : best.modified > rival.modified ? "newest" : undefined,
      }),
    );
  }
  const isNeeded = (name: string) =>
    Object.hasOwn(needed, name) || !Object.hasOwn(record.input.sources, name);
  const unneeded = await inTurns(filterInPieces(compared.files, (file) => !isNeeded(file.name)));
  if (compared.strange.length > 0) {
    findings.push({
      code: "not_on_disk",
      severity: "note",
      sentence: t`${strangeWords(compared.strange, shownRecord)} So the whole build can't be sent, only what ${contractName} needs.`,
      path: record.path,
    });
  }
  if (unneeded.length > 0) {
    const count = unneeded.length.toLocaleString("en");
    findings.push({
      code: "unneeded_sources",
      severity: "note",
      sentence:
        unneeded.length === 1
          ? t`The build also compiled ${unneeded[0]?.name ?? ""}, which ${contractName} does not need; it is left out.`
          : t`The build also compiled ${count} files that ${contractName} does not need; they are left out.`,
    });
  }
  const changedBesides = compared.changed.filter((file) => !isNeeded(file.name));
  // The second try is sent by itself, so it may hold nothing that a program was not told of.
  const hasSecondTry =
    unneeded.length > 0 &&
    compared.strange.length === 0 &&
    (changedBesides.length === 0 || options.staleBuild !== "refuse");
  if (hasSecondTry && changedBesides.length > 0) {
    findings.push({
      code: "stale_whole_build",
      severity: "warning",
      sentence: t`${staleSentence(changedBesides, shownRecord)} ${contractName} does not need it; in a second try with all files of the build goes what the build compiled.`,
      ...(changedBesides[0] && { path: changedBesides[0].path }),
    });
  }
  const input: CompilerInput = {
    compilerVersion: record.compilerVersion,
    compilerReason: t`the one that built it`,
    contractIdentifier: `${name}:${contractName}`,
    stdJsonInput: { ...record.input, sources: needed },
    source: "build-info",
    files: await inTurns(filterInPieces(compared.files, (file) => isNeeded(file.name))),
    ...(hasSecondTry && { wholeBuild: { stdJsonInput: record.input, files: compared.files } }),
    findings,
    warnings: [],
    project: project.root,
    record: record.path,
    changedSinceBuild: changed,
  };
  const metadata = metadataInRecord(record, name, contractName);
  return { build: { input, format: record.format, metadata }, findings: passedOver };
}

/** What the records of builds come to. */
interface RecordedInput {
  /** `undefined` when no record holds the contract, or the only one is stale and to be skipped, or can't be used. */
  readonly build?: {
    readonly input: CompilerInput;
    /** The form of the record. */
    readonly format: string;
    /** The contract's metadata in the record. */
    readonly metadata: string | undefined;
  };
  /** Why the record that fits best is not used; among those of the input, too. */
  readonly findings: readonly InputFinding[];
}

function notUsed({ record, strange }: FittingRecord, root: string): InputFinding {
  return {
    code: "not_on_disk",
    severity: "warning",
    sentence: t`${strangeWords(strange, relativePath(record.path, root) ?? record.path)} So that build is not used; restore the files or build again.`,
    path: record.path,
  };
}

/** "out/build-info/1.json holds src/B.sol, which is not on disk." */
function strangeWords(strange: readonly StrangeSource[], record: string): string {
  const outside = strange.filter(({ reason }) => reason === "outside");
  const told = outside.length > 0 ? outside : strange;
  const what =
    outside.length > 0
      ? t`outside the open folders`
      : t`neither in the project nor in its dependencies on disk`;
  return t`${record} holds ${listed(told.map(({ name }) => name))}, which ${told.length === 1 ? t`is` : t`are`} ${what}.`;
}

async function fittingRecords(
  files: FolderReader,
  sources: AdmittedSources,
  project: Project,
  contract: WorkspaceContract,
  { releases }: RecordedInputOptions,
): Promise<FittingRecord[]> {
  const fitting: FittingRecord[] = [];
  const imported = importedName(
    await recordRemappings(files, project),
    relativePath(contract.path, project.root) ?? contract.path,
  );
  for (const { record, named } of await findBuildRecords(files, project, contract, releases)) {
    for (const name of await inTurns(namesInRecord(record, project.root, contract.path, imported))) {
      const one = await fittingAs(name, { record, named });
      if (one) fitting.push(one);
    }
  }
  return fitting;

  async function fittingAs(
    name: string,
    { record, named }: RecordCandidate,
  ): Promise<FittingRecord | undefined> {
    if (!mayDefine(record, name, contract.contractName)) return undefined;
    // A text without the contract was not what it was compiled from.
    const text = ownValue(record.input.sources, name)?.content ?? "";
    const { defines } = RULES[record.input.language];
    if (defines && !(await inTurns(defines(text, contract.contractName)))) {
      noteSkipped(files, record.path, t`holds no contract ${contract.contractName} in ${name}`);
      return undefined;
    }
    const divided = await inTurns(divideInput(record.input, name, project.root));
    if (!divided) return undefined;
    const { whole, needed } = divided;
    const compared = await filesOfRecord(
      files,
      sources,
      { ...record, input: whole },
      { project, folder: contract.folder },
      (one) => !Object.hasOwn(record.input.sources, one),
    );
    const asCompiled = (some: StandardJsonInput["sources"]) => withTexts(some, compared.compiled);
    const input = compared.compiled.size === 0 ? whole : { ...whole, sources: asCompiled(whole.sources) };
    const isUnneeded = ({ name: one }: { readonly name: string }) =>
      Object.hasOwn(whole.sources, one) && !Object.hasOwn(needed, one);
    return {
      record: { ...record, input },
      name,
      named,
      needed: asCompiled(needed),
      compared,
      strange: compared.strange.filter((one) => !isUnneeded(one)),
      changed: compared.changed.filter((one) => !isUnneeded(one)),
      modified: (await files.modified?.(record.path)) ?? 0,
    };
  }
}

/** Sources with other texts for some of them. */
function withTexts(
  sources: StandardJsonInput["sources"],
  texts: ReadonlyMap<string, string>,
): StandardJsonInput["sources"] {
  const others = [...texts].filter(([name]) => Object.hasOwn(sources, name));
  if (others.length === 0) return sources;
  return { ...sources, ...Object.fromEntries(others.map(([name, content]) => [name, { content }])) };
}

/** What the deployed code says of a record: of several tools' and profiles' builds one was deployed. */
function marksOf(
  { record, name, needed }: FittingRecord,
  contractName: string,
  deployment: DeployedEvidence,
): readonly number[] {
  if (!deployment.deployedSigns || LANGUAGES[record.input.language].hasMetadata !== true) return [];
  const { compilerVersion, input } = record;
  return marksAgainst(
    {
      compilerVersion,
      stdJsonInput: { ...input, sources: needed },
      contractIdentifier: `${name}:${contractName}`,
    },
    deployment,
    metadataInRecord(record, name, contractName),
  );
}

/** Why a record goes before others: the smaller, the better, the first list before the others. */
interface Preference {
  /** What is known of the deployment. */
  readonly evidence: readonly number[];
  /** How it stands to the files and the artifacts of today, which says little of what was deployed. */
  readonly standing: readonly number[];
  /** Milliseconds since 1970; the clock says nothing of it. */
  readonly modified: number;
}

const NO_PREFERENCE: Preference = { evidence: [], standing: [], modified: 0 };

function comparePreferences(a: Preference, b: Preference): number {
  return (
    compareMarks(a.evidence, b.evidence) || compareMarks(a.standing, b.standing) || b.modified - a.modified
  );
}

function preferenceOf(
  { record, name, changed, named, modified }: FittingRecord,
  { compilerVersion, deployedCompilerVersion, deployment }: RecordedInputOptions,
  marks: readonly number[],
): Preference {
  const wanted = compilerVersion ?? deployedCompilerVersion;
  const recorder = deployment && recorderNamed(deployment.recordedBy)?.recorder;
  const formats = recorder?.builds ?? [];
  const isKeptWithIt =
    deployment !== undefined &&
    recorder?.keepsBuilds === true &&
    isInside(record.path, parentFolder(deployment.record));
  return {
    evidence: [
      wanted !== undefined && isCompilerVersion(record.compilerVersion, wanted) ? 0 : 1,
      isKeptWithIt ? 0 : 1,
      formats.includes(record.format) ? 0 : 1,
      ...marks,
    ],
    standing: [
      changed.length > 0 ? 1 : 0,
      named ? 0 : 1,
      changed.length,
      // That tells where files lie on this machine.
      isMachinePath(name) ? 1 : 0,
    ],
    modified,
  };
}

/**
 * Another record by which the contract may as well have been deployed: of one tool only one that stands as well to the
 * files as they are now, since each build of a tool takes the place of the one before.
 */
async function rivalOf(
  best: FittingRecord,
  others: readonly FittingRecord[],
  preference: (one: FittingRecord) => Preference,
  contractName: string,
): Promise<FittingRecord | undefined> {
  const { evidence, standing } = preference(best);
  const tool = toolOfBuild(best.record.format);
  for (const one of others) {
    const other = preference(one);
    if (compareMarks(evidence, other.evidence) !== 0) break;
    const isOfSameTool = toolOfBuild(one.record.format) === tool;
    if (isOfSameTool && compareMarks(standing, other.standing) !== 0) continue;
    if (await inTurns(differs(best, one, contractName))) return one;
  }
  return undefined;
}

/** True when two records would give different code. */
function* differs(a: FittingRecord, b: FittingRecord, contractName: string): Pieces<boolean> {
  const [metadata, other] = [a, b].map(({ record, name }) => metadataInRecord(record, name, contractName));
  if (metadata !== undefined && other !== undefined) return metadata !== other;
  const plain = ({ record, needed }: FittingRecord): Pieces<string> => {
    const { compilerVersion, input } = record;
    const settings = orderedJson(comparableSettings(input.language, input.settings, compilerVersion));
    const sources = Object.entries(needed).sort(([one], [other]) => (one < other ? -1 : 1));
    return jsonInPieces([compilerVersion, settings, sources]);
  };
  return (yield* plain(a)) !== (yield* plain(b));
}
