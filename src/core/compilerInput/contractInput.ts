import { LedgerLensError } from "../errors.ts";
import { AdmittedSources } from "../sources/admittedSources.ts";
import { boundedReader } from "../sources/boundedReader.ts";
import { skippedFiles } from "../files/skippedFiles.ts";
import { SourceBoundary } from "../sources/sourceBoundary.ts";
import { relativePath } from "../files/fileReader.ts";
import { declaredDependencies } from "../tools/declaredDependencies.ts";
import { rememberingReader, type FolderReader } from "../files/folderReader.ts";
import { findProject, saidByTools, type Project } from "../tools/project.ts";
import { admittedInput } from "./admittedInput.ts";
import { chooseSolc } from "../languages/solidity/solcChoice.ts";
import type { OpenedContract, WorkspaceContract } from "../sources/contractReference.ts";
import type { CompilerLists } from "../languages/compilerLists.ts";
import { languageOfPath, LANGUAGES } from "../languages/language.ts";
import type { SolcCompilation } from "../languages/compilationContext.ts";
import { RULES } from "../languages/rules.ts";
import type { ContractInputOptions } from "./contractInputOptions.ts";
import { derivedInput } from "./derivedInput.ts";
import { checkInputInPieces } from "./inputChecks.ts";
import { inTurns } from "../concurrency/turns.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import { findMetadata, metadataInput, type RebuiltInput } from "./metadataInput.ts";
import { filesOfOtherFolders, leadOutside } from "../sources/outsideFindings.ts";
import { recordedInput } from "./recordedInput.ts";
import { leftOutWords, skippedFindings, skippedSentences } from "../sources/skippedFindings.ts";
import { UnresolvedImportError } from "../languages/solidity/solidityClosure.ts";
import { isCompilerVersion } from "../languages/solidity/solcReleases.ts";
import { staleBuildError, staleBuildFinding, staleSentence } from "./staleBuild.ts";
import type { CompilerInput, InputSource, StandardJsonInput } from "../sources/standardJsonInput.ts";
import { compareMarks, marksAgainst } from "./deploymentMarks.ts";
import { candidateTools, solidityTools } from "./toolChoice.ts";
import { compilationBy, knownConfiguration, type InputContext } from "./toolInput.ts";
import { UnknownConfigurationError } from "./unknownConfiguration.ts";
import { languageConfig } from "../tools/languageConfig.ts";
import { searchPathsOf } from "../tools/searchPaths.ts";
import { ownValue } from "../json/ownValue.ts";

/**
 * The compiler input of a contract: the record of the build that made it, else its metadata with every file
 * checked against the disk, else what the project's configuration and the imports come to.
 *
 * `stdJsonInput` is what to submit first: what the contract needs. Where a build compiled more, `wholeBuild` has
 * all of it, for an export and for a second submission (see `wholeBuildMayHelp` in `errorCodes.ts`).
 *
 * @param folders The open folders. Nothing outside them goes, but for dependencies.
 * @throws LedgerLensError `contract_not_found`, `abstract_contract`, `no_compiler`, `invalid_compiler_version`,
 * `source_not_utf8`, `stale_build`, and what the closure throws (`import_not_found`, `import_outside_project`).
 */
export async function contractInput(
  reader: FolderReader,
  folders: readonly string[],
  contract: WorkspaceContract,
  options: ContractInputOptions = {},
): Promise<CompilerInput> {
  const all = rememberingReader(reader);
  const bounded = boundedReader(all, await SourceBoundary.around(all, { folders }));
  try {
    const input = await inputFrom(all, rememberingReader(bounded), folders, contract, options);
    const skipped = skippedFindings(skippedFiles(all), [...folders, contract.folder], input);
    const left = leadOutside(bounded.refused, input.project);
    return await finished({ ...input, findings: [...left, ...skipped, ...input.findings] }, options);
  } catch (error) {
    const left = leadOutside(bounded.refused, contract.folder);
    throw withSkipped(error, [
      ...left.map(({ sentence }) => sentence.replace(/\.$/, "")),
      ...skippedSentences(skippedFiles(all), [...folders, contract.folder]).map(({ sentence }) => sentence),
    ]);
  }
}

/** What was left out may be why there is no input. */
function withSkipped(error: unknown, skipped: readonly string[]): unknown {
  if (skipped.length === 0 || !(error instanceof LedgerLensError)) return error;
  if (error instanceof UnresolvedImportError || error instanceof UnknownConfigurationError)
    return error.withLeftOut(skipped);
  return new LedgerLensError(error.code, `${error.message}${leftOutWords(skipped)}`, {
    detail: [...(error.detail === undefined ? [] : [error.detail]), ...skipped].join("\n"),
    cause: error,
  });
}

/**
 * The input by the best source of truth that there is.
 *
 * @param all reads everything, for sources to be judged; `files` what lies inside
 */
async function inputFrom(
  all: FolderReader,
  files: FolderReader,
  folders: readonly string[],
  contract: WorkspaceContract,
  options: ContractInputOptions,
): Promise<CompilerInput> {
  const project = await findProject(files, contract.folder, contract.path);
  const dependencies = await declaredDependencies(files, project, options.profile);
  const sources = await AdmittedSources.of(all, { folders, project: project.root, dependencies });
  const source = await sources.at(contract.path);
  if (!source) {
    throw new LedgerLensError("file_not_found", `There is no file ${contract.path}. Check the path.`);
  }
  if ("forbidden" in source) {
    throw new LedgerLensError(
      "contract_outside_folders",
      `${relativePath(contract.path, contract.folder) ?? contract.path} leads to ${source.forbidden}, outside the open folders, so it can't be sent. Open the folder that holds it.`,
    );
  }
  const input = await inputOfContract(files, sources, project, { ...contract, source }, options);
  const admitted = await inTurns(admittedInput(input, sources));
  const own = await all.realPath(contract.folder);
  const besides = filesOfOtherFolders((admitted.wholeBuild ?? admitted).files, own);
  return { ...admitted, findings: [...besides, ...admitted.findings] };
}

/** The input by the best source of truth that there is. */
async function inputOfContract(
  files: FolderReader,
  sources: AdmittedSources,
  project: Project,
  contract: OpenedContract,
  options: ContractInputOptions,
): Promise<CompilerInput> {
  const may = (source: InputSource) => options.sources?.includes(source) ?? true;
  const recorded = may("build-info")
    ? await recordedInput(files, sources, project, contract, options)
    : { findings: [] };
  if (recorded.input)
    return (await otherTool(files, sources, project, contract, options, recorded.input)) ?? recorded.input;
  const input = await unrecordedInput(files, sources, project, contract, options);
  return { ...input, findings: [...recorded.findings, ...input.findings] };
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
  const marks = marksAgainst(other, options, JSON.stringify(built.found.metadata));
  return compareMarks(marks, marksAgainst(recorded, options)) < 0 ? other : undefined;
}

/** The input where no record of a build gives it. */
async function unrecordedInput(
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
        releases: releasesOf(options),
      },
      configured: () => languageConfig(files, project, language, options.profile),
      searchPaths: () => searchPathsOf(files, project, contract.folder),
      bySolc: () => solcCompilation({ files, project, sources, contract, options }),
    });
  const mayBeBuilt = options.sources?.includes("metadata") ?? true;
  const built = mayBeBuilt ? await fromMetadata(files, project, sources, contract, options) : undefined;
  const isStale = built !== undefined && built.changed.length > 0;
  if (isStale && options.staleBuild === "refuse") throw staleBuildError(built.changed, nameOfRecord(built));
  if (built?.input && !(isStale && options.staleBuild === "skip"))
    return inputOfMetadata(built, project, contract);
  const derived = await derivedInput(files, project, sources, contract, options);
  const stale = built ? staleMetadata(built) : [];
  return { ...derived, findings: [...stale, ...derived.findings] };
}

function releasesOf({ releases, vyperReleases }: ContractInputOptions): Partial<CompilerLists> {
  return { ...(releases && { solc: releases }), ...(vyperReleases && { vyper: vyperReleases }) };
}

/** How solc compiles a file of another language than Solidity in a project: as its tool has it for Solidity. */
async function solcCompilation(context: InputContext): Promise<SolcCompilation> {
  const { files, project, sources, contract, options } = context;
  const [tool] = await candidateTools(files, project, sources, contract.path, options.profile);
  if (tool === undefined) {
    const { compilerVersion: given, deployedCompilerVersion: deployed, releases } = options;
    const compiler = chooseSolc([], { given, deployed }, releases);
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
    const [otherHash, ...marks] = marksAgainst(compiled, options, JSON.stringify(found.metadata));
    const isWanted = wanted !== undefined && isCompilerVersion(compilerVersion, wanted);
    return { one, marks: [input ? 0 : 1, otherHash, isWanted ? 0 : 1, ...marks, changed.length] };
  });
  return preferred.sort((a, b) => compareMarks(a.marks, b.marks))[0]?.one;
}

/** What stands for an input that can't be rebuilt. */
const NO_SOURCES = { language: "Solidity", sources: {} } as const;

function inputOfMetadata(built: RebuiltInput, project: Project, contract: WorkspaceContract): CompilerInput {
  const { found, compilerVersion, input, files, changed } = built;
  return {
    compilerVersion,
    compilerReason: "the one that built it",
    contractIdentifier: `${found.name}:${contract.contractName}`,
    stdJsonInput: input ?? { ...NO_SOURCES, settings: {} },
    source: "metadata",
    files,
    // Metadata may hold the sources themselves, which then go as they were compiled.
    findings: changed.length > 0 ? [staleBuildFinding(changed, nameOfRecord(built))] : [],
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
      sentence: `${staleSentence(changed, nameOfRecord(built))} The input is made from the files as they are now.`,
      ...(changed[0] && { path: changed[0].path }),
    },
  ];
}

/** The artifact that holds the metadata, as a person knows it. */
function nameOfRecord({ found: { path } }: RebuiltInput): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The input with what the caller fixed, and everything that there is to say of it. */
async function finished(input: CompilerInput, options: ContractInputOptions): Promise<CompilerInput> {
  const asked =
    options.compilerVersion === undefined
      ? undefined
      : RULES[input.stdJsonInput.language].completeVersion(options.compilerVersion, releasesOf(options));
  const isOther = asked !== undefined && asked !== input.compilerVersion;
  const settings = Object.entries(options.settings ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(ownValue(input.stdJsonInput.settings, name)),
  );
  const changes = [
    ...(isOther ? [`compiler ${asked} instead of ${input.compilerVersion}`] : []),
    ...settings.map(([name]) => name),
  ];
  const withSettings = (part: StandardJsonInput): StandardJsonInput => ({
    ...part,
    settings: { ...part.settings, ...options.settings },
  });
  const result: CompilerInput = {
    ...input,
    ...(asked !== undefined && { compilerVersion: asked, compilerReason: "as given" }),
    stdJsonInput: withSettings(input.stdJsonInput),
    ...(input.wholeBuild && {
      wholeBuild: { ...input.wholeBuild, stdJsonInput: withSettings(input.wholeBuild.stdJsonInput) },
    }),
  };
  const findings: InputFinding[] = [
    ...input.findings,
    ...(changes.length > 0 && input.source !== "derived"
      ? [
          {
            code: "settings_changed",
            severity: "warning",
            sentence: `The build is not taken as it was: ${changes.join(", ")} ${changes.length === 1 ? "was" : "were"} set by hand.`,
          } as const,
        ]
      : []),
    ...(await inTurns(checkInputInPieces(result))),
  ].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  return { ...result, findings, warnings: findings.map(({ sentence }) => sentence) };
}

const SEVERITIES: readonly InputFinding["severity"][] = ["error", "warning", "note"];
