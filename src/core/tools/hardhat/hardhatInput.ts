import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../errors.ts";
import type { AdmittedSources } from "../../sources/admittedSources.ts";
import { isInside, joinPath, lastSegment, relativePath } from "../../files/fileReader.ts";
import { walkFiles } from "../../files/walk.ts";
import type { FolderReader } from "../../files/folderReader.ts";
import { readHardhatConfig, type ConfiguredCompiler, type HardhatConfig } from "./hardhatConfig.ts";
import type { ToolPlace } from "../toolShape.ts";
import { chooseSolc } from "../../languages/solidity/solcChoice.ts";
import type { OpenedContract } from "../../sources/contractReference.ts";
import { computedFindings, type InputFinding } from "../../sources/inputFinding.ts";
import type { ToolCompilation } from "../toolCompilation.ts";
import { importedName } from "../../languages/solidity/remapping.ts";
import { pluginRemappings, hardhat2Resolver } from "./hardhat2Remappings.ts";
import { Hardhat3Resolver, packagePath } from "./hardhat3Remappings.ts";
import { shortVersion } from "../../versions.ts";
import { Turns } from "../../concurrency/turns.ts";
import { packageImport } from "../../sources/packagedPath.ts";
import { RememberedResults } from "../../sources/rememberedResults.ts";
import {
  solidityClosure,
  type ClosureEntry,
  type SourceUnit,
} from "../../languages/solidity/solidityClosure.ts";
import { JobNames } from "../../languages/solidity/jobNames.ts";
import { sourceGraph } from "../../languages/solidity/sourceGraph.ts";
import { SourceFinder } from "../../sources/sourceLookup.ts";
import type { CompilerSettings } from "../../sources/standardJsonInput.ts";
import { ownValue } from "../../json/ownValue.ts";
import { DEFAULT_OPTIMIZER } from "../../languages/solidity/solcCode.ts";

/**
 * How Hardhat compiles a contract. Hardhat 2: names relative to the root, packages by their names, no
 * remappings. Hardhat 3: see {@link Hardhat3Resolver}.
 */
export async function hardhatCompilation(
  { files, root, opened, configuration: path = joinPath(root, "hardhat.config.js"), profile }: ToolPlace,
  sources: AdmittedSources,
  contract: OpenedContract,
): Promise<ToolCompilation> {
  const config = await readHardhatConfig(files, root, path, profile, opened);
  const configuration = lastSegment(path);
  const userName = relativePath(contract.path, config.root) ?? contract.path;
  const override = ownValue(config.overrides, userName);
  const compilers = override ? [override] : config.compilers;
  const common = {
    configured: compilers.flatMap(({ version }) => (version === "" ? [] : [version])),
    configuration,
    findings: [
      ...computedFindings(config.problems, path),
      ...config.assumptions.map(
        (sentence) => ({ code: "environment_unset", severity: "note", sentence, path }) as const,
      ),
    ],
    open: {
      version: (override?.unknown ?? config.unknownCompilers).filter(({ setting }) => setting === "version"),
      settings: (version: string) =>
        (compilerOfVersion(config, compilers, version)?.unknown ?? []).filter(
          ({ setting }) => setting !== "version",
        ),
    },
  };
  if (config.major === 3) {
    const resolver = new Hardhat3Resolver(files, config, sources);
    const name = await resolver.entryName(contract.path);
    const entry = { name, source: contract.source };
    const { remappings, beyond } = await jobRemappings(files, sources, config, resolver, entry);
    return {
      ...common,
      findings: [...common.findings, ...beyond.map((sentence) => remappingMissing(sentence, path))],
      name,
      profile: config.profile,
      resolver,
      settings: (version) => ({ ...settingsFor(config, compilers, version), remappings }),
    };
  }
  const isBelow = relativePath(contract.path, config.root) !== undefined;
  const inJob = isBelow ? undefined : await nameInHardhatsJob(files, sources, config, contract.path);
  const packaged = packageImport(contract.path);
  const remappings = await pluginRemappings(files, config);
  const finder = new SourceFinder(sources, { project: config.root });
  return {
    ...common,
    name:
      inJob ??
      packaged ??
      (isHardhatSource(config, contract.path) ? userName : importedName(remappings, userName)),
    resolver: hardhat2Resolver(finder, remappings),
    settings: (version) => settingsFor(config, compilers, version),
  };
}

/** What decides the remappings of a compilation. */
interface JobRemappings {
  readonly remappings: readonly string[];
  /** Of imports that lead outside the open folders, whose remappings are not known: one sentence each. */
  readonly beyond: readonly string[];
}

function remappingMissing(sentence: string, path: string): InputFinding {
  return {
    code: "outside_project",
    severity: "warning",
    sentence: t`${sentence} Hardhat writes the remapping of it into the metadata of all that it compiles together; without it an exact match is not possible.`,
    path,
  };
}

/** What was learnt of projects, until one of their files is written. */
const knownJobs = new RememberedResults<{
  /** By the version of the compiler, or the file, that all files of a compilation have in common. */
  readonly jobs: ReadonlyMap<string, readonly string[]>;
  readonly beyond: readonly string[];
}>();

/**
 * The remappings of the compilation that a file takes part in. Unless a profile isolates its files, Hardhat 3
 * compiles all roots of one compiler together, and the remappings of them all are in the metadata of each.
 */
async function jobRemappings(
  files: FolderReader,
  sources: AdmittedSources,
  config: HardhatConfig,
  resolver: Hardhat3Resolver,
  entry: ClosureEntry,
): Promise<JobRemappings> {
  const ownUnits = await solidityClosure(resolver, entry, config.root);
  const own = resolver.remappingsOf(ownUnits);
  if (config.isolated) return { remappings: own, beyond: [] };
  const { jobs, beyond } = await knownJobs.get(files, JSON.stringify(config), (asked) =>
    remappingsOfJob(asked.files, asked.sources(sources), config),
  );
  const ofJob = jobs.get(compilationOf(config, entry.source.path, ownUnits)) ?? [];
  return { remappings: [...new Set([...ofJob, ...own])].sort(), beyond };
}

/** The remappings of every compilation of a project. */
async function remappingsOfJob(
  files: FolderReader,
  sources: AdmittedSources,
  config: HardhatConfig,
): Promise<{ readonly jobs: ReadonlyMap<string, readonly string[]>; readonly beyond: readonly string[] }> {
  const paths = await rootsOf(files, config);
  const resolver = new Hardhat3Resolver(files, config, sources);
  const units = new Map<string, Map<string, SourceUnit>>();
  let beyond: readonly string[] = [];
  const turns = new Turns();
  for (const source of await sources.allReadable(paths)) {
    // What is read already is followed without waiting for anything.
    if (turns.isOver) await turns.next();
    try {
      const entry = { name: await resolver.entryName(source.path), source };
      const closure = await solidityClosure(resolver, entry, config.root);
      const compilation = compilationOf(config, source.path, closure);
      const together = units.get(compilation) ?? new Map<string, SourceUnit>();
      units.set(compilation, together);
      for (const unit of closure) together.set(unit.name, unit);
    } catch (error) {
      // A file that can't be compiled stops Hardhat, so that it was not there when the contract was built.
      if (!(error instanceof LedgerLensError)) throw error;
      if (error.code === "import_outside_project") beyond = [error.message];
    }
  }
  const jobs = new Map([...units].map(([one, all]) => [one, resolver.remappingsOf(all.values())]));
  return { jobs, beyond };
}

/** Names the compilation that a file takes part in: that of a compiler, or of an override. */
function compilationOf(config: HardhatConfig, path: string, closure: readonly SourceUnit[]): string {
  const name = relativePath(path, config.root) ?? path;
  if (Object.hasOwn(config.overrides, name)) return `override of ${name}`;
  const { version } = chooseSolc(closure, { configured: config.compilers.map((one) => one.version) });
  return `compiler ${config.compilers.findIndex((one) => version.startsWith(`${one.version}+`))}`;
}

function settingsFor(
  config: HardhatConfig,
  compilers: readonly ConfiguredCompiler[],
  version: string,
): CompilerSettings {
  const compiler = compilerOfVersion(config, compilers, version) ?? compilers[0];
  return compiler?.settings ?? { optimizer: DEFAULT_OPTIMIZER };
}

/** The configured compiler of this version, or the one whose version is computed. */
function compilerOfVersion(
  config: HardhatConfig,
  compilers: readonly ConfiguredCompiler[],
  version: string,
): ConfiguredCompiler | undefined {
  const short = shortVersion(version);
  const found = compilers.find((one) => one.version === short);
  return found ?? (config.unknownCompilers.length > 0 ? config.unversioned(short) : compilers[0]);
}

/** True when a file lies in the folders that Hardhat compiles. */
export function isHardhatSource(config: HardhatConfig, path: string): boolean {
  return foldersOf(config).some((folder) => isInside(path, folder));
}

/** The source unit name of a file that is one of the project's own or that these import. */
export async function nameInHardhatsJob(
  files: FolderReader,
  sources: AdmittedSources,
  config: HardhatConfig,
  path: string,
): Promise<string | undefined> {
  return jobNames.of(path, { files, sources, key: JSON.stringify(config) }, async (asked, admitted) => {
    const resolver =
      config.major === 3
        ? new Hardhat3Resolver(asked, config, admitted)
        : hardhat2Resolver(
            new SourceFinder(admitted, { project: config.root }),
            await pluginRemappings(asked, config),
          );
    const entries: ClosureEntry[] = [];
    for (const source of await admitted.allReadable(await rootsOf(asked, config))) {
      const name =
        resolver instanceof Hardhat3Resolver
          ? await resolver.entryName(source.path)
          : (relativePath(source.path, config.root) ?? source.path);
      entries.push({ name, source });
    }
    return sourceGraph(resolver, entries);
  });
}

const jobNames = new JobNames();

/** The files that Hardhat compiles for themselves. */
async function rootsOf(files: FolderReader, config: HardhatConfig): Promise<string[]> {
  const found = await Promise.all(
    // Hardhat follows links.
    foldersOf(config).map((folder) => walkFiles(files, folder, ".sol", { within: config.root })),
  );
  const packaged = await Promise.all(
    config.packageFiles.map((file) => packagePath(files, config.root, file)),
  );
  return [...new Set([...found.flat(), ...packaged.filter((path) => path !== undefined)])];
}

/** The folders that Hardhat compiles; Hardhat 2 has no tests in Solidity. */
function foldersOf({ major, sources, tests }: HardhatConfig): string[] {
  return [...sources, ...(major === 3 && tests !== undefined ? [tests] : [])];
}
