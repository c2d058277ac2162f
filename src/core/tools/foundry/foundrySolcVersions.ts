import { t } from "@vscode/l10n";
import type { AdmittedSources } from "../../sources/admittedSources.ts";
import { relativePath } from "../../files/fileReader.ts";
import { walkFiles } from "../../files/walk.ts";
import type { FolderReader } from "../../files/folderReader.ts";
import { configuredPath, type FoundryConfig } from "./foundryConfig.ts";
import { foundryGlobCovers } from "./foundryGlob.ts";
import type { InputFinding } from "../../sources/inputFinding.ts";
import type { JobVersions } from "../toolCompilation.ts";
import { asText, field } from "../../json/looseData.ts";
import {
  parseSolidityVersionExpression,
  satisfiesSolidity,
} from "../../languages/solidity/solidityPragma.ts";
import type { ImportResolver } from "../../languages/solidity/solidityClosure.ts";
import { RememberedResults } from "../../sources/rememberedResults.ts";
import { sourceGraph, type SourceGraph } from "../../languages/solidity/sourceGraph.ts";

/** What forge compiles in one go. */
export interface FoundryJob {
  readonly files: FolderReader;
  readonly sources: AdmittedSources;
  readonly config: FoundryConfig;
  /** How far links are followed that lie among the sources. */
  readonly opened: string;
  readonly resolverOn: (sources: AdmittedSources) => ImportResolver;
  readonly remappings: readonly string[];
  /** Whether forge has a release already. */
  readonly isInstalled: (release: string) => boolean;
}

/** A file of the job and the releases that it may be compiled with, oldest first. */
interface InputFile {
  readonly name: string;
  /** The names of the sources that it needs, its own first. */
  readonly closure: readonly string[];
  readonly versions: readonly string[];
}

/** What a job comes to. */
interface KnownJob {
  /** The releases of each file, by source unit name. */
  readonly versions: ReadonlyMap<string, readonly string[]>;
  readonly outside: SourceGraph["outside"];
}

const knownJobs = new RememberedResults<KnownJob>();

/**
 * The releases of solc by which forge compiles a file where no configuration names one, oldest first. It takes the
 * sources, tests and scripts together: each file may have the releases that all its imports allow; if there are any for
 * all files, all have the newest of them, and otherwise each in its turn has the newest one that is in use already, or
 * else its own newest; newest of what is installed, as far as anything is. What is imported is compiled with every file that imports it (`Graph::get_input_node_versions`
 * and `resolve_multiple_versions` in foundry-rs/compilers, crates/compilers/src/resolver/mod.rs).
 *
 * @param name the source unit name of the file
 * @param releases those that forge can choose from, oldest first
 * @returns no releases for a file that forge does not compile
 */
export async function foundrySolcVersions(
  job: FoundryJob,
  name: string,
  releases: readonly string[],
): Promise<JobVersions> {
  const { root, src, test, script, skip, compilationRestrictions } = job.config;
  const key = JSON.stringify([
    root,
    [src, test, script],
    skip,
    compilationRestrictions,
    job.remappings,
    releases,
    releases.filter(job.isInstalled),
  ]);
  const { versions, outside } = await knownJobs.get(job.files, key, async (asked) => {
    const sources = asked.sources(job.sources);
    const graph = await graphOfForge(asked.files, sources, job, job.resolverOn(sources));
    return { versions: versionsOf(graph, job, graph.inputs, releases), outside: graph.outside };
  });
  return {
    releases: versions.get(name) ?? [],
    findings: outsideJob(
      outside,
      t`the pragmas of all files that forge compiles together decide which compiler it takes`,
    ),
  };
}

/**
 * That files of a job are not read, which may change what it comes to.
 *
 * @param because why that matters, without a full stop
 */
export function outsideJob(outside: SourceGraph["outside"], because: string): InputFinding[] {
  const [first] = outside;
  if (!first) return [];
  const [name, path] = first;
  const what = outside.size === 1 ? name : t`${name} (and ${outside.size - 1} more)`;
  return [
    {
      code: "outside_project",
      severity: "warning",
      sentence: t`${what} of the same project ${outside.size === 1 ? t`lies` : t`lie`} outside the open folders and can't be read, but ${because}; open the folder that holds all of it.`,
      path,
    },
  ];
}

function versionsOf(
  graph: SourceGraph,
  { config, isInstalled }: FoundryJob,
  inputs: readonly string[],
  releases: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const requirementsOf = requirements(graph, config);
  const satisfyingReleases = satisfying(releases);
  const files = inputs.flatMap((name): InputFile[] => {
    if (!graph.units.has(name)) return [];
    const closure = graph.closureOf(name);
    const allowed = [...new Set(closure.flatMap(requirementsOf))].map(satisfyingReleases);
    const versions = releases.filter((release) => allowed.every((some) => some.has(release)));
    return versions.length > 0 ? [{ name, closure, versions }] : [];
  });
  const chosen = chosenVersions(files, isInstalled);
  const used = new Map<string, Set<string>>();
  for (const { name, closure } of files) {
    const version = chosen.get(name);
    for (const one of version === undefined ? [] : closure)
      used.set(one, (used.get(one) ?? new Set<string>()).add(version ?? ""));
  }
  return new Map(
    [...used].map(([name, versions]) => {
      const own = chosen.get(name);
      return [name, own === undefined ? releases.filter((release) => versions.has(release)) : [own]];
    }),
  );
}

/** What forge compiles of a project in one go, with the names of its sources, tests and scripts in their order. */
export async function graphOfForge(
  files: FolderReader,
  sources: AdmittedSources,
  { config, opened }: Pick<FoundryJob, "config" | "opened">,
  resolver: ImportResolver,
): Promise<SourceGraph & { readonly inputs: readonly string[] }> {
  const paths = await inputPaths(files, config, opened);
  const entries = (await sources.allReadable(paths)).map((source) => ({
    name: relativePath(source.path, config.root) ?? source.path,
    source,
  }));
  const graph = await sourceGraph(resolver, entries);
  return { ...graph, inputs: paths.map((path) => relativePath(path, config.root) ?? path) };
}

/** The Solidity files of the sources, tests and scripts that are not skipped, in forge's order of paths. */
async function inputPaths(
  files: FolderReader,
  { root, src, test, script, skip }: FoundryConfig,
  opened: string,
): Promise<string[]> {
  const found = await Promise.all(
    [src, test, script].map((folder) =>
      walkFiles(files, configuredPath(root, folder), ".sol", { within: opened }),
    ),
  );
  return [...new Set(found.flat())]
    .filter((path) => !skip.some((pattern) => foundryGlobCovers(pattern, path, root)))
    .sort(byComponents);
}

/** The requirements on the compiler that a source makes: its pragmas, and the project's restrictions of its file. */
function requirements(graph: SourceGraph, config: FoundryConfig): (name: string) => readonly string[] {
  const restrictions = config.compilationRestrictions.flatMap((restriction) => {
    const [paths, version] = [asText(field(restriction, "paths")), asText(field(restriction, "version"))];
    return paths === undefined || version === undefined ? [] : [{ paths, version: asPragma(version) }];
  });
  const known = new Map<string, readonly string[]>();
  for (const [name, { path, directives }] of graph.units) {
    const restricted = restrictions.filter(({ paths }) => foundryGlobCovers(paths, path, config.root));
    known.set(name, [
      ...directives.versionPragmas.map(({ expression }) => expression),
      ...restricted.map(({ version }) => version),
    ]);
  }
  return (name) => known.get(name) ?? [];
}

/** Finds the releases that satisfy a requirement, each once. */
function satisfying(releases: readonly string[]): (requirement: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (requirement) => {
    let found = known.get(requirement);
    if (!found) {
      const expression = parseSolidityVersionExpression(requirement);
      found = new Set(releases.filter((release) => expression && satisfiesSolidity(release, expression)));
      known.set(requirement, found);
    }
    return found;
  };
}

/** A version requirement of Cargo, whose conditions stand between commas and which takes `0.8.1` for `^0.8.1`. */
function asPragma(requirement: string): string {
  return requirement
    .split(",")
    .map((condition) => condition.trim().replace(/^(?=\d+(?:\.\d+)*$)/, "^"))
    .join(" ");
}

function chosenVersions(
  inputs: readonly InputFile[],
  isInstalled: (release: string) => boolean,
): ReadonlyMap<string, string> {
  const [first, ...others] = inputs;
  const newest = (versions: readonly string[]) => versions.findLast(isInstalled) ?? versions.at(-1);
  const common = newest(
    first?.versions.filter((version) => others.every(({ versions }) => versions.includes(version))) ?? [],
  );
  const chosen = new Map<string, string>();
  const inUse = new Set<string>();
  for (const { name, versions } of inputs) {
    const version = common ?? versions.findLast((one) => inUse.has(one)) ?? newest(versions);
    if (version === undefined) continue;
    inUse.add(version);
    chosen.set(name, version);
  }
  return chosen;
}

/** Paths are compared folder by folder. */
function byComponents(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  const at = left.findIndex((part, index) => part !== right[index]);
  const [one = "", other = ""] = at < 0 ? [] : [left[at], right[at]];
  return one < other ? -1 : one > other ? 1 : 0;
}
