import { isCompilerVersion, shortVersion } from "../versions.ts";
import { t } from "@vscode/l10n";
import { LedgerLensError } from "../errors.ts";
import type { AdmittedSources } from "../sources/admittedSources.ts";
import { lastSegment, relativePath } from "../files/fileReader.ts";
import { ownValue } from "../json/ownValue.ts";
import type { FolderReader } from "../files/folderReader.ts";
import type { Project } from "../tools/project.ts";
import { solidityTools, type SolidityTool } from "./toolChoice.ts";
import type { UnknownSetting } from "../tools/unknownSettings.ts";
import type { ChosenCompiler } from "../languages/compilerChoice.ts";
import { chooseSolc } from "../languages/solidity/solcChoice.ts";
import { deployedBy, type ContractInputOptions } from "./contractInputOptions.ts";
import type { OpenedContract } from "../sources/contractReference.ts";
import type { ToolCompilation } from "../tools/toolCompilation.ts";
import type { Recorder } from "../tools/toolShape.ts";
import { findBuildRecords } from "./recordSearch.ts";
import { LANGUAGES } from "../languages/language.ts";
import { shapedSettings } from "../languages/settingsShape.ts";
import { SOLC_SETTINGS } from "../languages/solidity/solcSettingsShape.ts";
import { solidityClosure, type SourceUnit } from "../languages/solidity/solidityClosure.ts";
import {
  byteOrderMarks,
  inputFilesOf,
  requireConcrete,
  solidityInput,
} from "../languages/solidity/solidityCompilation.ts";
import { solcReleases } from "../languages/solidity/solcReleases.ts";
import type { CompilerInput, CompilerSettings, StandardJsonInput } from "../sources/standardJsonInput.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import { compareMarks, marksAgainst } from "./deploymentMarks.ts";
import type { JudgedInput } from "../matching/deployedSigns.ts";
import { UnknownConfigurationError, type ConfigurationProposal } from "./unknownConfiguration.ts";

/** What an input is derived from. */
export interface InputContext {
  readonly files: FolderReader;
  readonly project: Project;
  readonly sources: AdmittedSources;
  readonly contract: OpenedContract;
  readonly options: ContractInputOptions;
}

/** What a tool says of the compilation of the contract; of its build profiles that one counts by which it was deployed. */
export function compilationBy(one: SolidityTool, context: InputContext): Promise<ToolCompilation> {
  const { sources, contract } = context;
  const profile = one.place.profile ?? recorderOf(one, context)?.profile;
  return one.solidity.compilation({ ...one.place, profile }, sources, contract);
}

/** What recorded the deployment of the contract, if it belongs to a tool. */
function recorderOf({ tool }: SolidityTool, { options }: InputContext): Recorder | undefined {
  const by = deployedBy(options);
  return by?.tool === tool ? by.recorder : undefined;
}

/** That the settings are those of the build profile that the recorder of the deployment chooses by itself. */
function profileFindings(
  one: SolidityTool,
  { profile }: ToolCompilation,
  context: InputContext,
): readonly InputFinding[] {
  const recorder = one.place.profile === undefined ? recorderOf(one, context) : undefined;
  if (profile === undefined || recorder?.profile !== profile) return [];
  return [
    {
      code: "several_profiles",
      severity: "note",
      sentence: t`${recorder.title} compiles with the build profile ${profile}, so its settings are taken.`,
    },
  ];
}

/**
 * The input as one tool makes it.
 *
 * @throws UnknownConfigurationError, and what `contractInput` throws
 */
export async function inputBy(tool: SolidityTool, context: InputContext): Promise<CompilerInput> {
  const { project, contract } = context;
  const compilation = await compilationBy(tool, context);
  const closure = await solidityClosure(
    compilation.resolver,
    { name: compilation.name, source: contract.source },
    project.root,
  );
  const [entry] = closure;
  if (entry) requireConcrete(entry.name, entry.content, contract.contractName);
  const { compiler, settings } = await knownConfiguration(tool, compilation, closure, context);
  const others = compilation.otherSettings?.(compiler.version, closure) ?? [];
  const contractIdentifier = `${compilation.name}:${contract.contractName}`;
  const { chosen, findings } = bySeveralSettings(
    [settings, ...others].map((one) => ({
      compilerVersion: compiler.version,
      stdJsonInput: solidityInput(closure, one),
      contractIdentifier,
    })),
    compilation,
    context,
  );
  return {
    compilerVersion: compiler.version,
    compilerReason: compiler.reason,
    contractIdentifier,
    stdJsonInput: chosen,
    source: "derived",
    files: inputFilesOf(closure),
    findings: [
      ...findings,
      ...profileFindings(tool, compilation, context),
      ...compilation.findings,
      ...(compilation.findingsOf?.(closure) ?? []),
      ...compiler.findings,
      ...byteOrderMarks(closure),
    ],
    warnings: [],
    project: project.root,
    changedSinceBuild: [],
  };
}

/** Of what a tool compiles a file to, where it does so by several settings, what the deployed code shows; else the first. */
function bySeveralSettings(
  inputs: readonly JudgedInput[],
  { name, configuration }: ToolCompilation,
  { options }: InputContext,
): { readonly chosen: StandardJsonInput; readonly findings: readonly InputFinding[] } {
  const judged = inputs
    .map((input) => ({ ...input, marks: marksAgainst(input, options) }))
    .sort((a, b) => compareMarks(a.marks, b.marks));
  const [best, next] = judged;
  if (!best) throw new Error("A tool compiles a file by some settings.");
  if (!next) return { chosen: best.stdJsonInput, findings: [] };
  const isKnown = compareMarks(best.marks, next.marks) < 0;
  const sentence = isKnown
    ? t`${name} is compiled by several settings of ${configuration}; those are taken that the deployed code fits best.`
    : t`${name} is compiled by several settings of ${configuration}, since sources of several compiler profiles import it, and nothing that is known of the deployment tells them apart; those of the first are taken.`;
  return {
    chosen: best.stdJsonInput,
    findings: [{ code: "several_profiles", severity: isKnown ? "note" : "warning", sentence }],
  };
}

/**
 * The compiler of a compilation and its settings, nothing of which is guessed.
 *
 * @throws UnknownConfigurationError
 */
export async function knownConfiguration(
  tool: SolidityTool,
  compilation: ToolCompilation,
  closure: readonly SourceUnit[],
  context: InputContext,
): Promise<{ readonly compiler: ChosenCompiler; readonly settings: CompilerSettings }> {
  const { options, contract } = context;
  const compiler = await knownCompiler(tool, compilation, closure, context);
  const unknown = openSettings(compilation, compiler.version, options);
  if (unknown.length > 0) throw await unknownConfiguration(tool, compilation, unknown, context);
  const units = closure.length > 0 ? closure : [{ path: contract.path }];
  const answers = answersOf(compilation, compiler.version, options);
  return { compiler, settings: { ...compilation.settings(compiler.version, units), ...answers } };
}

/** The compiler of a compilation; where the configuration computes it, only what is given or deployed says it. */
async function knownCompiler(
  tool: SolidityTool,
  compilation: ToolCompilation,
  closure: readonly SourceUnit[],
  context: InputContext,
): Promise<ChosenCompiler> {
  const { compilerVersion: given, deployedCompilerVersion: deployed } = context.options;
  const releases = context.options.releases?.solc ?? solcReleases;
  const { configuration, prefersDeployed } = compilation;
  const named = compilation.configured.filter(
    (one) => deployed !== undefined && isCompilerVersion(deployed, one),
  );
  const configured = prefersDeployed && named.length > 0 ? named : compilation.configured;
  const isOpen = (compilation.open?.version.length ?? 0) > 0;
  if (!isOpen || given !== undefined) {
    const chosen = chooseSolc(closure, { given, configured, configuration, deployed }, releases);
    return chosen.isByPragmas ? ofJob(compilation, chosen, releases, context.options) : chosen;
  }
  const chosen = deployed === undefined ? undefined : chooseSolc(closure, { deployed }, releases);
  if (chosen && deployed !== undefined && isCompilerVersion(chosen.version, deployed)) return chosen;
  const version = chosen?.version ?? "";
  const unknown = [
    ...(compilation.open?.version ?? []),
    ...openSettings(compilation, version, context.options),
  ];
  throw await unknownConfiguration(tool, compilation, unknown, context);
}

/** The compiler by what the tool compiles with the contract, where nothing but pragmas speaks for one. */
async function ofJob(
  compilation: ToolCompilation,
  chosen: ChosenCompiler,
  releases: readonly string[],
  { installedSolc }: ContractInputOptions,
): Promise<ChosenCompiler> {
  const installed = new Set(await installedSolc?.());
  const isInstalled = (release: string) => installed.has(shortVersion(release));
  const job = await compilation.versionsOfJob?.(releases, isInstalled);
  const version = job?.releases.at(-1) ?? chosen.version;
  const findings = [...chosen.findings, ...(job?.findings ?? [])];
  if (version === chosen.version) return { ...chosen, findings };
  const newest = isInstalled(version) ? t`newest installed release` : t`newest release`;
  return { ...chosen, version, findings, reason: t`the ${newest} for all files that are compiled together` };
}

/** What the configuration computes of the settings for a compiler, and no answer said. */
function openSettings(
  { open }: ToolCompilation,
  version: string,
  options: ContractInputOptions,
): UnknownSetting[] {
  const said = { ...options.defaultSettings, ...options.settings };
  return (open?.settings(version) ?? []).filter(({ setting }) => ownValue(said, setting) === undefined);
}

/** The settings that were said for what the configuration computes. */
function answersOf(
  { open }: ToolCompilation,
  version: string,
  { defaultSettings = {}, settings = {} }: ContractInputOptions,
): CompilerSettings {
  const said: CompilerSettings = {
    ...shapedSettings(defaultSettings, "", SOLC_SETTINGS).settings,
    ...settings,
  };
  const names = new Set((open?.settings(version) ?? []).map(({ setting }) => setting));
  return Object.fromEntries(Object.entries(said).filter(([name]) => names.has(name)));
}

async function unknownConfiguration(
  tool: SolidityTool,
  { open, configuration: usual }: ToolCompilation,
  unknown: readonly UnknownSetting[],
  context: InputContext,
): Promise<UnknownConfigurationError> {
  const names = new Set(unknown.map(({ setting }) => setting));
  const proposals = await proposalsFor(tool, names, context);
  const { project, contract } = context;
  return new UnknownConfigurationError(
    { configuration: open?.file ?? usual, project: project.root, unknown, proposals },
    contract.contractName,
  );
}

/** What else may know: the configuration of another tool, builds of other contracts, and the deployed code. */
async function proposalsFor(
  tool: SolidityTool,
  names: ReadonlySet<string>,
  context: InputContext,
): Promise<ConfigurationProposal[]> {
  const { files, project, contract, options } = context;
  const isVersionOpen = names.has("version");
  const proposal = (
    from: string,
    version: string | undefined,
    settings: CompilerSettings,
  ): ConfigurationProposal[] => {
    const known = Object.fromEntries(Object.entries(settings).filter(([name]) => names.has(name)));
    if (isVersionOpen ? version === undefined : Object.keys(known).length === 0) return [];
    return [
      { from, ...(isVersionOpen && version !== undefined && { compilerVersion: version }), settings: known },
    ];
  };
  let found: ConfigurationProposal[] = [];
  for (const one of await solidityTools(files, project, options.profile)) {
    if (one.tool === tool.tool || one.solidity.saysAll !== true) continue;
    const other = await orFailure(inputBy(one, context));
    const { configuration = one.tool.title } = one.place;
    const name = lastSegment(configuration);
    if (!(other instanceof LedgerLensError))
      found = [...found, ...proposal(name, other.compilerVersion, other.stdJsonInput.settings)];
  }
  const records = await findBuildRecords(files, project, contract, options.releases);
  const dated = await Promise.all(
    records.map(async ({ record }) => ({ record, modified: (await files.modified?.(record.path)) ?? 0 })),
  );
  const [newest] = dated
    .filter(({ record }) => LANGUAGES[record.input.language].hasMetadata)
    .sort((a, b) => b.modified - a.modified);
  if (newest) {
    const { path, compilerVersion, input } = newest.record;
    const from = relativePath(path, project.root) ?? path;
    found = [...found, ...proposal(from, compilerVersion, input.settings)];
  }
  const { deployedCompilerVersion, deployedSigns } = options;
  return [
    ...found,
    ...proposal(t`the deployed code`, deployedCompilerVersion, deployedSigns?.settings ?? {}),
  ];
}

/** The input, or why there is none. */
export async function orFailure<T>(made: Promise<T>): Promise<T | LedgerLensError> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof LedgerLensError) return error;
    throw error;
  }
}
