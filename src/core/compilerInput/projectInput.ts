import { lastSegment, relativePath } from "../files/fileReader.ts";
import { languageOfPath } from "../languages/language.ts";
import { RULES } from "../languages/rules.ts";
import type { FolderReader } from "../files/folderReader.ts";
import type { AdmittedSources } from "../sources/admittedSources.ts";
import type { OpenedContract } from "../sources/contractReference.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import type { CompilerInput } from "../sources/standardJsonInput.ts";
import type { Project } from "../tools/project.ts";
import { toolOfBuild } from "../tools/tool.ts";
import { deployerOf } from "./competingTools.ts";
import { mayBeFrom, type ContractInputOptions } from "./contractInputOptions.ts";
import { derivedInput } from "./derivedInput.ts";
import { fromMetadata, inputOfMetadata, staleMetadata } from "./metadataBuild.ts";
import { inputOfBuild, type Build } from "./inputOfBuild.ts";
import { recordedInput } from "./recordedInput.ts";
import { staleBuildError } from "./staleBuild.ts";
import type { InputContext } from "./toolInput.ts";

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
  const context: InputContext = { files, project, sources, contract, options };
  const recorded = mayBeFrom("build-info", options)
    ? await recordedInput(files, sources, project, contract, options)
    : { findings: [] };
  const { findings } = recorded;
  if (recorded.build) {
    const { input, metadata, format } = recorded.build;
    const deployer = deployerOf(options);
    const isOfOther = deployer !== undefined && toolOfBuild(format) !== deployer;
    return { input: await settled(context, { input, metadata, isOfOther }), findings };
  }
  const language = languageOfPath(contract.path);
  if (!mayBeFrom("metadata", options) || (language && RULES[language].ownInput)) return { findings };
  const built = await fromMetadata(context);
  if (!built) return { findings };
  const { changed, isOfOther, found } = built;
  const isStale = changed.length > 0;
  if (!built.input || (isStale && options.staleBuild === "skip")) {
    if (isStale && options.staleBuild === "refuse" && !isOfOther)
      throw staleBuildError(changed, lastSegment(found.path));
    return { findings: [...findings, ...staleMetadata(built)] };
  }
  const rebuilt = inputOfMetadata(built, project, contract);
  const input = { ...rebuilt, findings: [...findings, ...rebuilt.findings] };
  return { input: await settled(context, { input, metadata: found.text, isOfOther }), findings };
}

/**
 * The input to take where there is a build.
 *
 * @throws LedgerLensError `stale_build`
 */
async function settled(context: InputContext, build: Build): Promise<CompilerInput> {
  const input = await inputOfBuild(context, build);
  const { changedSinceBuild: changed, record = "", source } = input;
  if (changed.length === 0 || context.options.staleBuild !== "refuse") return input;
  const shown = source === "metadata" ? lastSegment(record) : relativePath(record, context.project.root);
  throw staleBuildError(changed, shown ?? record);
}

/**
 * The input of a contract in a project by its configuration and the imports.
 *
 * @param left why no build gives it
 */
export async function unbuiltInput(
  files: FolderReader,
  one: ContractOfProject,
  options: ContractInputOptions,
  left: readonly InputFinding[],
): Promise<CompilerInput> {
  const input = await derivedInput({ files, ...one, options });
  return { ...input, findings: [...left, ...input.findings] };
}
