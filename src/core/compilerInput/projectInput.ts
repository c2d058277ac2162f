import { t } from "@vscode/l10n";
import { lastSegment } from "../files/fileReader.ts";
import { languageOfPath } from "../languages/language.ts";
import type { SolcCompilation } from "../languages/compilationContext.ts";
import { RULES } from "../languages/rules.ts";
import { chooseSolc } from "../languages/solidity/solcChoice.ts";
import type { FolderReader } from "../files/folderReader.ts";
import type { AdmittedSources } from "../sources/admittedSources.ts";
import type { OpenedContract } from "../sources/contractReference.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import type { CompilerInput, InputSource } from "../sources/standardJsonInput.ts";
import { languageConfig } from "../tools/languageConfig.ts";
import type { Project } from "../tools/project.ts";
import { searchPathsOf } from "../tools/searchPaths.ts";
import { deployerOf, severalCompile } from "./competingTools.ts";
import type { ContractInputOptions } from "./contractInputOptions.ts";
import { derivedInput } from "./derivedInput.ts";
import { fromMetadata, inputOfMetadata, staleMetadata } from "./metadataBuild.ts";
import { builtByOther, otherBuildFinding, unbuiltByOther, type Build } from "./otherTool.ts";
import { recordedInput } from "./recordedInput.ts";
import { staleBuildError } from "./staleBuild.ts";
import { candidateTools } from "./toolChoice.ts";
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
  const context: InputContext = { files, project, sources, contract, options };
  const recorded = may("build-info")
    ? await recordedInput(files, sources, project, contract, options)
    : { findings: [] };
  const { findings } = recorded;
  if (recorded.build) {
    const { input, metadata, format } = recorded.build;
    // A tool may record its deployments in more than one way, and builds of any of them are its own.
    const isOfOther = deployerOf(options)?.recorders.every(({ builds }) => !builds.includes(format)) ?? false;
    const build = { input, metadata, isOfOther };
    const other = (await builtByOther(context, build)) ?? (await unbuiltByOther(context, build));
    return { input: other ?? (await withDoubt(build, context)), findings };
  }
  const language = languageOfPath(contract.path);
  if (!may("metadata") || (language && RULES[language].ownInput)) return { findings };
  const built = await fromMetadata(context);
  if (!built) return { findings };
  const isStale = built.changed.length > 0;
  if (isStale && options.staleBuild === "refuse")
    throw staleBuildError(built.changed, lastSegment(built.found.path));
  if (!built.input || (isStale && options.staleBuild === "skip"))
    return { findings: [...findings, ...staleMetadata(built)] };
  const rebuilt = inputOfMetadata(built, project, contract);
  const build = { input: rebuilt, metadata: built.found.text, isOfOther: built.isOfOther };
  const unbuilt = isStale ? undefined : await unbuiltByOther(context, build);
  if (unbuilt) return { input: unbuilt, findings };
  const input = await withDoubt(build, context);
  return { input: { ...input, findings: [...findings, ...input.findings] }, findings };
}

/** The input of a build, with what is told where it is another tool's than the one that deployed the contract. */
async function withDoubt(build: Build, context: InputContext): Promise<CompilerInput> {
  const { input } = build;
  const doubt = await otherBuildFinding(context, build);
  return doubt ? { ...input, findings: [doubt, ...input.findings] } : input;
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
      configured: () =>
        languageConfig(files, project, language, {
          profile: options.profile,
          deployer: deployerOf(options),
        }),
      searchPaths: () => searchPathsOf(files, project, contract.folder),
      bySolc: () => solcCompilation({ files, project, sources, contract, options }),
    });
  return derivedInput(files, project, sources, contract, options);
}

/** How solc compiles a file of another language than Solidity in a project: as its tool has it for Solidity. */
async function solcCompilation(context: InputContext): Promise<SolcCompilation> {
  const { files, project, sources, contract, options } = context;
  const tools = await candidateTools(files, project, sources, contract.path, options.profile);
  const deployer = deployerOf(options);
  const byDeployer = tools.find(({ tool }) => tool === deployer);
  const tool = byDeployer ?? tools[0];
  if (tool === undefined) {
    const { compilerVersion: given, deployedCompilerVersion: deployed, releases } = options;
    const compiler = chooseSolc([], { given, deployed }, releases?.solc);
    return { compiler, settings: options.defaultSettings, findings: [] };
  }
  const compilation = await compilationBy(tool, context);
  const known = await knownConfiguration(tool, compilation, [], context);
  const titles = tools.map((one) => one.tool.title);
  const findings: InputFinding[] = byDeployer || tools.length < 2 ? [] : [undecidedFinding(titles, context)];
  return { name: compilation.name, findings: [...findings, ...compilation.findings], ...known };
}

function undecidedFinding(titles: readonly string[], context: InputContext): InputFinding {
  return {
    code: "two_tools",
    severity: "warning",
    sentence: t`${severalCompile(titles, context)}, there is no build of either, and ${titles[0] ?? ""}'s settings are taken. Build with the tool that deployed it.`,
    path: context.contract.path,
  };
}
