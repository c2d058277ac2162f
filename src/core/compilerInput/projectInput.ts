import { t } from "@vscode/l10n";
import { lastSegment } from "../files/fileReader.ts";
import { isMachinePath } from "../files/machinePath.ts";
import { LANGUAGES, languageOfPath } from "../languages/language.ts";
import type { SolcCompilation } from "../languages/compilationContext.ts";
import { RULES } from "../languages/rules.ts";
import { chooseSolc } from "../languages/solidity/solcChoice.ts";
import { isCompilerVersion } from "../languages/solidity/solcReleases.ts";
import type { FolderReader } from "../files/folderReader.ts";
import type { AdmittedSources } from "../sources/admittedSources.ts";
import type { OpenedContract, WorkspaceContract } from "../sources/contractReference.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import type { CompilerInput, InputSource } from "../sources/standardJsonInput.ts";
import { languageConfig } from "../tools/languageConfig.ts";
import { saidByTools, type Project } from "../tools/project.ts";
import { searchPathsOf } from "../tools/searchPaths.ts";
import type { ContractInputOptions } from "./contractInputOptions.ts";
import { compareMarks, marksAgainst } from "./deploymentMarks.ts";
import { derivedInput } from "./derivedInput.ts";
import { findMetadata, metadataInput, type RebuiltInput } from "./metadataInput.ts";
import { recordedInput } from "./recordedInput.ts";
import { staleBuildError, staleBuildFinding, staleSentence } from "./staleBuild.ts";
import { candidateTools, solidityTools } from "./toolChoice.ts";
import { compilationBy, knownConfiguration, type InputContext } from "./toolInput.ts";

/** A contract, with a project that may be its own. */
export interface ContractOfProject {
  readonly project: Project;
  readonly sources: AdmittedSources;
  readonly contract: OpenedContract;
}

/** The input of a contract in a project, by the best source of truth that there is. */
export async function inputInProject(
  files: FolderReader,
  one: ContractOfProject,
  options: ContractInputOptions,
): Promise<CompilerInput> {
  const built = await builtInput(files, one, options);
  return built.input ?? unbuiltInput(files, one, options, built.findings);
}

/** What the builds of a project come to. */
interface BuiltInput {
  /** Missing where none gives the input. */
  readonly input?: CompilerInput;
  /** Why the one that fits best is not used; among those of `input`, too. */
  readonly findings: readonly InputFinding[];
}

/** The input by the records of builds, else by the metadata in artifacts. */
export async function builtInput(
  files: FolderReader,
  { project, sources, contract }: ContractOfProject,
  options: ContractInputOptions,
): Promise<BuiltInput> {
  const may = (source: InputSource) => options.sources?.includes(source) ?? true;
  const { input, findings } = may("build-info")
    ? await recordedInput(files, sources, project, contract, options)
    : { findings: [] };
  if (input)
    return {
      input: (await otherTool(files, sources, project, contract, options, input)) ?? input,
      findings,
    };
  const language = languageOfPath(contract.path);
  if (!may("metadata") || (language && RULES[language].ownInput)) return { findings };
  const built = await fromMetadata(files, project, sources, contract, options);
  if (!built) return { findings };
  const isStale = built.changed.length > 0;
  if (isStale && options.staleBuild === "refuse")
    throw staleBuildError(built.changed, lastSegment(built.found.path));
  if (!built.input || (isStale && options.staleBuild === "skip"))
    return { findings: [...findings, ...staleMetadata(built)] };
  const rebuilt = inputOfMetadata(built, project, contract);
  return { input: { ...rebuilt, findings: [...findings, ...rebuilt.findings] }, findings };
}

/**
 * The input of a contract in a project by its configuration and the imports.
 *
 * @param left why no build gives it
 */
export async function unbuiltInput(
  files: FolderReader,
  { project, sources, contract }: ContractOfProject,
  options: ContractInputOptions,
  left: readonly InputFinding[],
): Promise<CompilerInput> {
  const input = await derivedByLanguage(files, sources, project, contract, options);
  return { ...input, findings: [...left, ...input.findings] };
}

/**
 * Where two tools build a project and one alone keeps records of its builds, the metadata that the other one wrote, if
 * the deployed code fits it better.
 */
async function otherTool(
  files: FolderReader,
  sources: AdmittedSources,
  project: Project,
  contract: OpenedContract,
  options: ContractInputOptions,
  recorded: CompilerInput,
): Promise<CompilerInput | undefined> {
  const { hasMetadata = false } = LANGUAGES[recorded.stdJsonInput.language];
  if (!hasMetadata || !options.deployedSigns || !(options.sources?.includes("metadata") ?? true))
    return undefined;
  const compiling = await solidityTools(files, project);
  if (compiling.filter(({ solidity }) => solidity.standing !== undefined).length < 2) return undefined;
  const built = await fromMetadata(files, project, sources, contract, options);
  if (!built?.input || built.changed.length > 0) return undefined;
  const other = inputOfMetadata(built, project, contract);
  const marks = marksAgainst(other, options, built.found.text);
  return compareMarks(marks, marksAgainst(recorded, options)) < 0 ? other : undefined;
}

/** The input where no build gives it. */
function derivedByLanguage(
  files: FolderReader,
  sources: AdmittedSources,
  project: Project,
  contract: OpenedContract,
  options: ContractInputOptions,
): Promise<CompilerInput> {
  const { path } = contract;
  const language = languageOfPath(path);
  const ownInput = language && RULES[language].ownInput;
  if (ownInput)
    return ownInput({
      files,
      sources,
      contract,
      root: project.root,
      options: {
        compilerVersion: options.compilerVersion,
        deployedCompilerVersion: options.deployedCompilerVersion,
        defaultSettings: options.defaultSettings,
        releases: options.releases ?? {},
      },
      configured: () => languageConfig(files, project, language, options.profile),
      searchPaths: () => searchPathsOf(files, project, contract.folder),
      bySolc: () => solcCompilation({ files, project, sources, contract, options }),
    });
  return derivedInput(files, project, sources, contract, options);
}

/** How solc compiles a file of another language than Solidity in a project: as its tool has it for Solidity. */
async function solcCompilation(context: InputContext): Promise<SolcCompilation> {
  const { files, project, sources, contract, options } = context;
  const [tool] = await candidateTools(files, project, sources, contract.path, options.profile);
  if (tool === undefined) {
    const { compilerVersion: given, deployedCompilerVersion: deployed, releases } = options;
    const compiler = chooseSolc([], { given, deployed }, releases?.solc);
    return { compiler, settings: options.defaultSettings, findings: [] };
  }
  const compilation = await compilationBy(tool, context);
  const known = await knownConfiguration(tool, compilation, [], context);
  return { name: compilation.name, findings: compilation.findings, ...known };
}

async function fromMetadata(
  files: FolderReader,
  project: Project,
  sources: AdmittedSources,
  contract: OpenedContract,
  options: ContractInputOptions,
): Promise<RebuiltInput | undefined> {
  const found = await findMetadata(files, project, contract);
  const include = await saidByTools(
    files,
    project,
    ({ rules, place }) => rules.solidity?.includes?.(place),
    options.profile,
  );
  const made = await Promise.all(
    found.map((one) =>
      metadataInput(files, sources, project.root, one, { include, releases: options.releases }),
    ),
  );
  const rebuilt = made.filter((one) => one !== undefined);
  if (rebuilt.length < 2) return rebuilt[0];
  const wanted = options.compilerVersion ?? options.deployedCompilerVersion;
  const preferred = rebuilt.map((one) => {
    const { found, compilerVersion, settings, input, changed } = one;
    const compiled = { compilerVersion, stdJsonInput: input ?? { ...NO_SOURCES, settings } };
    const [otherHash, ...marks] = marksAgainst(compiled, options, found.text);
    const isWanted = wanted !== undefined && isCompilerVersion(compilerVersion, wanted);
    const isNamedByMachine = isMachinePath(found.name) ? 1 : 0;
    return {
      one,
      marks: [input ? 0 : 1, otherHash, isWanted ? 0 : 1, ...marks, changed.length, isNamedByMachine],
    };
  });
  return preferred.sort((a, b) => compareMarks(a.marks, b.marks))[0]?.one;
}

/** What stands for an input that can't be rebuilt. */
const NO_SOURCES = { language: "Solidity", sources: {} } as const;

function inputOfMetadata(built: RebuiltInput, project: Project, contract: WorkspaceContract): CompilerInput {
  const { found, compilerVersion, input, files, changed } = built;
  return {
    compilerVersion,
    compilerReason: t`the one that built it`,
    contractIdentifier: `${found.name}:${contract.contractName}`,
    stdJsonInput: input ?? { ...NO_SOURCES, settings: {} },
    source: "metadata",
    files,
    // Metadata may hold the sources themselves, which then go as they were compiled.
    findings: changed.length > 0 ? [staleBuildFinding(changed, lastSegment(built.found.path))] : [],
    warnings: [],
    project: project.root,
    record: found.path,
    changedSinceBuild: changed,
  };
}

function staleMetadata(built: RebuiltInput): InputFinding[] {
  const { changed } = built;
  if (changed.length === 0) return [];
  return [
    {
      code: "stale_metadata",
      severity: "warning",
      sentence: t`${staleSentence(changed, lastSegment(built.found.path))} The input is made from the files as they are now.`,
      ...(changed[0] && { path: changed[0].path }),
    },
  ];
}
