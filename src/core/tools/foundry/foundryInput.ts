import { t } from "@vscode/l10n";
import { applyRemappings, parseRemapping } from "../../languages/solidity/remapping.ts";
import type { AdmittedSources } from "../../sources/admittedSources.ts";
import { joinPath, relativePath } from "../../files/fileReader.ts";
import { asRecord } from "../../json/looseData.ts";
import type { LooseObject } from "../../json/shape.ts";
import { isRelativeImport } from "../../sources/sourceUnitName.ts";
import { listed } from "../../text/counted.ts";
import {
  configuredPath,
  readFoundryConfig,
  readFoundryProfiles,
  type FoundryConfig,
} from "./foundryConfig.ts";
import {
  configForFile,
  DEFAULT_EVM_VERSION,
  hasCompilerProfiles,
  isOptimizerOn,
} from "./foundryCompilerProfiles.ts";
import { ENVIRONMENT_FILE } from "./foundryEnvironment.ts";
import { OPTIMIZER_SWITCHES } from "./foundryForms.ts";
import { foundryRemappings } from "./foundryRemappings.ts";
import { atLeast } from "../../versions.ts";
import { isAddress } from "../../evm/address.ts";
import { supportedEvmVersion } from "../../evm/evmVersion.ts";
import type { ToolPlace } from "../toolShape.ts";
import type { ToolCompilation } from "../toolCompilation.ts";
import type { OpenedContract } from "../../sources/contractReference.ts";
import { foundrySolcVersions, graphOfForge, outsideJob, type FoundryJob } from "./foundrySolcVersions.ts";
import { RememberedResults } from "../../sources/rememberedResults.ts";
import { JobNames } from "../../languages/solidity/jobNames.ts";
import type { SourceGraph } from "../../languages/solidity/sourceGraph.ts";
import { computedFindings, type InputFinding } from "../../sources/inputFinding.ts";
import {
  remappingResolver,
  type ImportResolver,
  type SourceUnit,
} from "../../languages/solidity/solidityClosure.ts";
import { SourceFinder } from "../../sources/sourceLookup.ts";
import { SOLC_SINCE } from "../../languages/solidity/solcCode.ts";
import type { CompilerSettings } from "../../sources/standardJsonInput.ts";
import { librariesByFile } from "../../languages/solidity/librariesByFile.ts";

/**
 * How forge compiles a contract: names relative to the root, its own and its libraries' remappings, its
 * defaults, and line feeds for every line ending (foundry-rs/compilers, crates/artifacts/solc/src/sources.rs).
 */
export async function foundryCompilation(
  place: ToolPlace,
  sources: AdmittedSources,
  contract: OpenedContract,
): Promise<ToolCompilation> {
  const { files, root, opened = root, profile } = place;
  const config = await readFoundryConfig(files, root, { profile });
  const remappings = await foundryRemappings(files, config);
  const name =
    relativePath(contract.path, root) ??
    (await nameInForgesJob(place, sources, contract.path)) ??
    contract.path;
  const resolverOn = resolverFor(config, remappings);
  const { named, outside } = await namedInJob({ files, sources, config, opened, remappings });
  const resolver = resolverOn(sources, named);
  const configsFor = await configsOfFile({ files, sources, config, opened, resolverOn, remappings }, name);
  return {
    name,
    resolver,
    versionsOfJob: (releases, isInstalled) =>
      foundrySolcVersions(
        { files, sources, config, opened, resolverOn, remappings, isInstalled },
        name,
        releases,
      ),
    configured: config.solc === undefined ? [] : [config.solc],
    configuration: config.file,
    settings: (version, closure) => {
      const [first = config] = configsFor(closure.map(({ path }) => path));
      return foundrySettings(first, remappings, version);
    },
    otherSettings: (version, closure) =>
      configsFor(closure.map(({ path }) => path))
        .slice(1)
        .map((one) => foundrySettings(one, remappings, version)),
    open: {
      file: ENVIRONMENT_FILE,
      version: config.unknown.filter(({ setting }) => setting === "version"),
      settings: () => config.unknown.filter(({ setting }) => setting !== "version"),
    },
    findings: foundryFindings(config, profile),
    findingsOf: (closure) => lineEndsByOthers(closure, named, outside),
  };
}

/**
 * The configurations by which forge compiles a file, by the paths that the file needs, that of `forge build` first. One of
 * a library is compiled with each source, test or script that imports it, by what holds for that one and all that it needs:
 * once in every compiler profile that those come to. A source has its own, also where another one that imports it makes it
 * be compiled once more; but `forge script` starts from the script alone, and a source is then an import like any other
 * (measured with forge 1.7).
 */
async function configsOfFile(
  job: Omit<FoundryJob, "isInstalled">,
  name: string,
): Promise<(paths: readonly string[]) => readonly FoundryConfig[]> {
  const { config, files, sources, resolverOn } = job;
  const own = (paths: readonly string[]) => configForFile(config, paths);
  if (!hasCompilerProfiles(config)) return (paths) => [own(paths)];
  const key = JSON.stringify([config, job.remappings]);
  const importers = await knownImporters.get(files, key, async (asked) => {
    const admitted = asked.sources(sources);
    const graph = await graphOfForge(asked.files, admitted, job, resolverOn(admitted));
    return importersOf(graph, graph.inputs);
  });
  const all = importers.get(name);
  return (paths) => {
    const configs = [...(all?.isSource === false ? [] : [paths]), ...(all?.paths ?? [])].map(own);
    const written = configs.map((one) => JSON.stringify(one));
    return configs.filter((_one, at) => written.indexOf(written[at] ?? "") === at);
  };
}

/** What makes forge compile a file besides itself. */
interface Importers {
  /** Whether it is a source, a test or a script itself. */
  readonly isSource: boolean;
  /** The paths that each of those needs that import it: what one of them creates has its settings, too. */
  readonly paths: readonly (readonly string[])[];
}

/** Of each file that is imported, what imports it. */
function importersOf(graph: SourceGraph, inputs: readonly string[]): ReadonlyMap<string, Importers> {
  const importers = new Map<string, Importers>();
  const sources = new Set(inputs);
  for (const input of inputs) {
    const closure = graph.closureOf(input);
    const paths = closure.map((one) => graph.units.get(one)?.path ?? one);
    for (const one of closure) {
      const isSource = sources.has(one);
      if (one === input) continue;
      importers.set(one, { isSource, paths: [...(importers.get(one)?.paths ?? []), paths] });
    }
  }
  return importers;
}

const knownImporters = new RememberedResults<ReadonlyMap<string, Importers>>();

/** The name of a file that is a source, a test or a script of a profile or that these import; of the chosen one first. */
export async function nameInForgesJob(
  place: ToolPlace,
  sources: AdmittedSources,
  path: string,
): Promise<string | undefined> {
  const { files, root, profile } = place;
  const chosen = await readFoundryConfig(files, root, { profile });
  const seen = new Set<string>();
  for (const config of [chosen, ...(await readFoundryProfiles(files, root))]) {
    const key = JSON.stringify(config);
    if (seen.has(key)) continue;
    seen.add(key);
    const name = await nameInJobOf(config, place, sources, path);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** True for a file that is a source, a test or a script of the chosen profile or that these import. */
export async function isInChosenJob(
  place: ToolPlace,
  sources: AdmittedSources,
  path: string,
): Promise<boolean> {
  const { files, root, profile } = place;
  const chosen = await readFoundryConfig(files, root, { profile });
  return (await nameInJobOf(chosen, place, sources, path)) !== undefined;
}

function nameInJobOf(
  config: FoundryConfig,
  { files, root, opened = root }: ToolPlace,
  sources: AdmittedSources,
  path: string,
): Promise<string | undefined> {
  return jobNames.of(path, { files, sources, key: JSON.stringify(config) }, async (asked, admitted) => {
    const resolver = resolverFor(config, await foundryRemappings(asked, config))(admitted);
    return graphOfForge(asked, admitted, { config, opened }, resolver);
  });
}

const jobNames = new JobNames();

/** Finds what is imported as forge does, among some sources. */
function resolverFor(
  config: FoundryConfig,
  remappings: readonly string[],
): (some: AdmittedSources, namedInJob?: ReadonlySet<string>) => ImportResolver {
  return (some, namedInJob) => {
    const finder = new SourceFinder(some, { project: config.root, include: foundryIncludes(config) });
    const resolver = remappingResolver(finder, remappings);
    const named = new Set(namedInJob);
    return {
      find: (name) => resolver.find(name),
      nameOf: async (importPath, importer) => {
        const name = await resolver.nameOf(importPath, importer);
        if (!isRelativeImport(importPath)) named.add(name);
        return name;
      },
      // What lies above the root and is only imported relative to another file there has another name for forge than
      // for the compiler, which therefore reads it from the disk itself.
      text: (text, name) =>
        name.startsWith("../") && !named.has(name) ? text : text.replaceAll("\r\n", "\n"),
    };
  };
}

/**
 * That line endings of a file above the root depend on whether any other file imports it by its name, where not all others
 * can be read.
 */
function lineEndsByOthers(
  closure: readonly SourceUnit[],
  named: ReadonlySet<string>,
  outside: SourceGraph["outside"],
): InputFinding[] {
  const kept = closure.find(
    ({ name, content }) => name.startsWith("../") && !named.has(name) && content.includes("\r\n"),
  );
  return kept
    ? outsideJob(
        outside,
        t`all files that forge compiles together decide whether it keeps the line endings (CRLF) of ${kept.name}`,
      )
    : [];
}

/** How the files of a job import each other. */
interface NamesInJob {
  readonly named: ReadonlySet<string>;
  readonly outside: SourceGraph["outside"];
}

/**
 * What lies above the root and is imported by its name, not relative to the importer, by any file that forge compiles with
 * the others: it is handed to the compiler for them all.
 */
async function namedInJob({
  files,
  sources,
  config,
  opened,
  remappings,
}: Omit<FoundryJob, "isInstalled" | "resolverOn">): Promise<NamesInJob> {
  if (!remappings.some((one) => one.includes("=../"))) return { named: new Set(), outside: new Map() };
  return knownNames.get(files, JSON.stringify([config, remappings, opened]), async (asked) => {
    const admitted = asked.sources(sources);
    const named = new Set<string>();
    const resolver = resolverFor(config, remappings)(admitted);
    const noting: ImportResolver = {
      ...resolver,
      nameOf: async (importPath, importer) => {
        const name = await resolver.nameOf(importPath, importer);
        if (!isRelativeImport(importPath) && name.startsWith("../")) named.add(name);
        return name;
      },
    };
    const { outside } = await graphOfForge(asked.files, admitted, { config, opened }, noting);
    return { named, outside };
  });
}

const knownNames = new RememberedResults<NamesInJob>();

/** The folders in which forge looks for what is not below the root: absolute. */
export function foundryIncludes({ root, includePaths, libs }: FoundryConfig): string[] {
  return [...includePaths, ...libs].map((path) => configuredPath(root, path));
}

function foundrySettings(
  config: FoundryConfig,
  remappings: readonly string[],
  version: string,
): CompilerSettings {
  const parsed = remappings.map(parseRemapping).filter((one) => one !== undefined);
  const libraries = config.libraries.flatMap((library) => {
    const [, path = "", name = "", address = ""] = /^(.*):([^:]+):([^:]+)$/.exec(library) ?? [];
    // Named as an import of a file in the root (foundry-rs/compilers, `ProjectPathsConfig::apply_lib_remappings`).
    const file = joinPath("/", applyRemappings(parsed, path, "")).slice(1);
    return !isAddress(address) ? [] : [{ file, name, address }];
  });
  const evmVersion = supportedEvmVersion(config.evmVersion ?? DEFAULT_EVM_VERSION, version);
  const details = optimizerDetailsOf(config);
  return {
    ...(remappings.length > 0 && { remappings }),
    optimizer: {
      enabled: isOptimizerOn(config),
      runs: config.optimizerRuns ?? 200,
      ...(details && { details }),
    },
    metadata: {
      useLiteralContent: config.useLiteralContent ?? false,
      ...(atLeast(version, SOLC_SINCE.bytecodeHash) && { bytecodeHash: config.bytecodeHash ?? "ipfs" }),
      ...(atLeast(version, SOLC_SINCE.appendCBOR) && { appendCBOR: config.cborMetadata ?? true }),
    },
    ...(evmVersion !== undefined && { evmVersion }),
    ...(atLeast(version, SOLC_SINCE.viaIR) && { viaIR: config.viaIr ?? false }),
    ...(config.revertStrings !== undefined &&
      atLeast(version, SOLC_SINCE.revertStrings) && { debug: { revertStrings: config.revertStrings } }),
    libraries: librariesByFile(libraries),
  };
}

/**
 * What forge takes of `optimizer_details`, by the names that these have in standard JSON input as well: it passes over every
 * other one, those in the style of foundry.toml among them (foundry-rs/compilers, crates/artifacts/solc/src/lib.rs,
 * OptimizerDetails; measured with forge 1.7.1).
 */
function optimizerDetailsOf({ optimizerDetails: details }: FoundryConfig): LooseObject | undefined {
  if (!details) return undefined;
  const ofYul = asRecord(details["yulDetails"]);
  return {
    ...withNames(details, [...OPTIMIZER_SWITCHES, "simpleCounterForLoopUncheckedIncrement"]),
    ...(ofYul && { yulDetails: withNames(ofYul, ["stackAllocation", "optimizerSteps"]) }),
  };
}

function withNames(table: LooseObject, names: readonly string[]): LooseObject {
  return Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name)));
}

/** What could not be read of a configuration. */
export function unreadOfFoundry({ path, problems }: FoundryConfig): InputFinding[] {
  return computedFindings(problems, path);
}

function foundryFindings(config: FoundryConfig, profile: string | undefined): InputFinding[] {
  const { file, path } = config;
  const findings = unreadOfFoundry(config);
  const others = config.profiles.filter((name) => name !== config.profile);
  if (profile === undefined && others.length > 0) {
    findings.push({
      code: "several_profiles",
      severity: "note",
      sentence: t`${file} has the ${others.length === 1 ? t`profile` : t`profiles`} ${listed(others, 5)} besides ${config.profile}, whose settings are taken.`,
      path,
    });
  }
  return [...findings, ...defaultEvmFindings(config)];
}

/** Of forge's own EVM version, which stands where the configuration names none. */
export function defaultEvmFindings({ evmVersion, file, path }: FoundryConfig): InputFinding[] {
  if (evmVersion !== undefined) return [];
  const sentence = t`${file} names no evm_version, and forge's own default changes from release to release; ${DEFAULT_EVM_VERSION} is taken, as far as the compiler knows it. Run forge build to use its record instead.`;
  return [{ code: "default_settings", severity: "note", sentence, path }];
}
