import { t } from "@vscode/l10n";
import { byCodeUnits } from "../../concurrency/sortInPieces.ts";
import { RememberedResults } from "../../sources/rememberedResults.ts";
import { parseRemapping, type Remapping } from "../../languages/solidity/remapping.ts";
import { REMAPPINGS_FILE } from "../../languages/solidity/solidity.ts";
import { NO_REMAPPING, readRemappingsFile } from "../../languages/solidity/remappingsFile.ts";
import { isInside, joinPath, lastSegment, relativePath } from "../../files/fileReader.ts";
import { noteSkipped } from "../../files/skippedFiles.ts";
import { LARGEST_CONFIGURATION_BYTES, readBytes } from "../../json/dataFile.ts";
import { isFolder, type FolderReader } from "../../files/folderReader.ts";
import { ENVIRONMENT_FILE } from "./foundryEnvironment.ts";
import { configuredPath, readFoundryConfig, type FoundryConfig } from "./foundryConfig.ts";
import { scanLibraries } from "./libraryScan.ts";

/** Projects that are libraries of projects. */
interface Nesting {
  /** Those whose libraries are looked through now. */
  readonly above: ReadonlySet<string>;
  /** How many more are read: where each names the others, there are as many ways through them as orders. */
  readonly budget: { projects: number };
}

const MAX_PROJECTS = 1_000;

/** Each is compared with every other one; no project has a tenth of it. */
const MAX_REMAPPINGS = 2_000;

/** Names that would catch a project's own imports. */
const TOO_GENERAL = new Set(["lib/", "src/", "contracts/"]);

/**
 * The remappings with which Foundry compiles a project, in its order and form: those of `remappings.txt`, those
 * of `foundry.toml`, then those that the libraries call for (foundry-rs/foundry,
 * crates/config/src/providers/remappings.rs, as forge 1.7.1 has it). Paths inside the root are relative to it.
 *
 * A library's own configuration counts with its remappings; of two for one name the shorter path wins, and none
 * is taken that overlaps one of the project's own.
 */
export async function foundryRemappings(
  files: FolderReader,
  config: FoundryConfig,
): Promise<readonly string[]> {
  // All folders of all libraries have their say, so that there is much to look through.
  return knownRemappings.get(files, JSON.stringify(config), (asked) => remappingsOf(asked.files, config));
}

const knownRemappings = new RememberedResults<readonly string[]>();

async function remappingsOf(files: FolderReader, config: FoundryConfig): Promise<string[]> {
  const found = await absoluteRemappings(files, config, {
    above: new Set(),
    budget: { projects: MAX_PROJECTS },
  });
  // `forge remappings` lists more than forge compiles with: there the first of two that overlap counts.
  const inForce: Remapping[] = [];
  for (const remapping of found) if (!overlaps(inForce, remapping)) inForce.push(remapping);
  // A remapping that has just the name of one of the project's own folders is left out.
  const own = [config.src, config.test, config.script].map((folder) => `${folder}/`);
  return inForce
    .filter(({ prefix }) => !own.includes(prefix))
    .map(withSlashes)
    .map((remapping) => written(remapping, config.root));
}

/** The remappings as `forge remappings` lists them: more than forge compiles with, for what reads them from there. */
export async function listedRemappings(files: FolderReader, config: FoundryConfig): Promise<string[]> {
  const nesting = { above: new Set<string>(), budget: { projects: MAX_PROJECTS } };
  const found = await absoluteRemappings(files, config, nesting);
  return found.map(withSlashes).map((remapping) => written(remapping, config.root));
}

/** As `forge remappings` lists them, names and targets not yet closed by slashes. */
async function absoluteRemappings(
  files: FolderReader,
  config: FoundryConfig,
  nesting: Nesting,
): Promise<Remapping[]> {
  const own = await ownRemappings(files, config);
  const all = own.slice(0, MAX_REMAPPINGS);
  let isCut = all.length < own.length;
  if (config.autoDetectRemappings) {
    for (const remapping of await libraryRemappings(files, config, nesting)) {
      if (overlaps(all, remapping)) continue;
      isCut ||= all.length >= MAX_REMAPPINGS;
      if (isCut) break;
      all.push(remapping);
    }
  }
  if (isCut) {
    const most = MAX_REMAPPINGS.toLocaleString("en");
    noteSkipped(
      files,
      config.path,
      t`comes to more than ${most} remappings, and what comes after these can't be compared`,
    );
  }
  const seen = new Set<string>();
  return all.filter(({ context, prefix }) => {
    const key = context + prefix;
    return !seen.has(key) && seen.add(key);
  });
}

/** Those of `.env`, `remappings.txt` and `foundry.toml`; what is none is noted as left out, since forge builds nothing with it. */
async function ownRemappings(
  files: FolderReader,
  { root, path, remappings, environment }: FoundryConfig,
): Promise<Remapping[]> {
  const readFrom = (from: string, texts: readonly string[]) =>
    texts.flatMap((text) => {
      const remapping = parseRemapping(text);
      if (!remapping) noteSkipped(files, from, NO_REMAPPING, t`the remapping "${text}"`);
      return remapping ?? [];
    });
  const ofEnvironment = readFrom(joinPath(root, ENVIRONMENT_FILE), environment.remappings);
  const configured = readFrom(path, remappings);
  const listed = await readRemappingsFile(files, joinPath(root, REMAPPINGS_FILE));
  return [...ofEnvironment, ...listed, ...configured].filter(({ target }) => target.trim() !== "");
}

/** What the libraries call for: the closest for each name, in the order of names. */
async function libraryRemappings(
  files: FolderReader,
  config: FoundryConfig,
  nesting: Nesting,
): Promise<Remapping[]> {
  const closest = new Map<string, Remapping>();
  const insert = (remapping: Remapping) => {
    const key = `${remapping.context}:${remapping.prefix}`;
    const before = closest.get(key);
    if (!before || depth(before.target) > depth(remapping.target)) closest.set(key, remapping);
  };
  const libs = config.libs.map((lib) => ({ path: configuredPath(config.root, lib), written: lib }));
  for (const { path } of libs) {
    for (const remapping of await nestedRemappings(files, path, config, nesting)) insert(remapping);
  }
  for (const { path, written: lib } of libs) {
    for (const { name, folder } of await scanLibraries(files, path)) {
      // What is found in a folder outside the root is named as the configuration climbs there.
      const found = isInside(path, config.root)
        ? folder
        : `${within(config.root, lib).replace(/\/$/, "")}${folder.slice(path.length)}`;
      if (!TOO_GENERAL.has(name)) insert({ context: "", prefix: name, target: `${found}/` });
    }
  }
  return [...closest.values()].sort((a, b) =>
    a.context === b.context ? byCodeUnits(a.prefix, b.prefix) : byCodeUnits(a.context, b.context),
  );
}

/** The remappings of the libraries in a folder that are Foundry projects themselves. */
async function nestedRemappings(
  files: FolderReader,
  lib: string,
  { profile, environment }: FoundryConfig,
  { above, budget }: Nesting,
): Promise<Remapping[]> {
  const found: Remapping[] = [];
  for (const folder of await projectsIn(files, lib)) {
    if (above.has(folder)) continue;
    if (budget.projects-- <= 0) {
      noteSkipped(files, folder, t`is one of too many projects that name each other as libraries`);
      return found;
    }
    const nested = await readFoundryConfig(files, folder, { profile, environment });
    const remappings = await absoluteRemappings(files, nested, {
      above: new Set([...above, folder]),
      budget,
    });
    for (const remapping of remappings.map(withSlashes))
      found.push({ ...remapping, target: within(folder, remapping.target) });
    const name = `${lastSegment(folder)}/`;
    found.push({ context: "", prefix: name, target: await sourceFolder(files, folder, nested.src) });
  }
  return found;
}

/** The folder of a library's sources with its closing slash: behind all links where it is there, else as it is written. */
async function sourceFolder(files: FolderReader, library: string, src: string): Promise<string> {
  const path = joinPath(library, src);
  if (!(await isFolder(files, path))) return `${library}/${src}`.replace(/\/?$/, "/");
  const real = (await files.realPath(path)) ?? path;
  const realLibrary = (await files.realPath(library)) ?? library;
  const below = relativePath(real, realLibrary);
  return `${below === undefined ? real : joinPath(library, below)}/`;
}

/**
 * A folder of libraries itself and the folders in it, as far as they are Foundry projects. Of two libraries that call
 * for one name at one depth forge takes the one that the file system lists first (`foundry_toml_dirs` in
 * foundry-rs/foundry, crates/config/src/utils.rs); where that order is not known, it is the order of names.
 */
async function projectsIn(files: FolderReader, lib: string): Promise<string[]> {
  const entries = (await files.list(lib)) ?? [];
  const folders = entries
    .filter(({ kind, link }) => kind === "folder" && !link)
    .map(({ name }) => name)
    .sort(byCodeUnits);
  const areProjects = await Promise.all(
    ["", ...folders].map((name) =>
      readBytes(files, joinPath(lib, `${name}/foundry.toml`), LARGEST_CONFIGURATION_BYTES),
    ),
  );
  const projects = folders.filter((_name, at) => areProjects[at + 1]);
  if (projects.length > 1) {
    const names = (await files.namesInDiskOrder?.(lib)) ?? [];
    const places = new Map(names.map((name, at) => [name, at]));
    projects.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  }
  return [...(areProjects[0] ? [lib] : []), ...projects.map((name) => joinPath(lib, name))];
}

/** True when a remapping says something about names that one in force already covers, or a file stands for a folder. */
function overlaps(inForce: readonly Remapping[], { context, prefix, target }: Remapping): boolean {
  if (prefix.endsWith(".sol")) {
    return (
      !target.endsWith(".sol") ||
      inForce.some((one) => one.prefix === prefix && one.context === context && one.target === target)
    );
  }
  return inForce.some((one) => {
    if (one.context !== context) return false;
    const covered = one.prefix.endsWith("/") ? one.prefix : `${one.prefix}/`;
    return prefix.startsWith(covered) || one.prefix.startsWith(prefix);
  });
}

/** Foundry closes names and targets with a slash unless they name a file. */
function withSlashes({ context, prefix, target }: Remapping): Remapping {
  const isFile = prefix.endsWith(".sol");
  const closed = (text: string) => (isFile || text.endsWith("/") ? text : `${text}/`);
  return { context, prefix: closed(prefix), target: closed(target) };
}

/** A path of a library from its folder on, as it is written: forge keeps what climbs out of the folder. */
function within(folder: string, target: string): string {
  return target.startsWith("/") ? target : `${folder}/${target}`;
}

function written({ context, prefix, target }: Remapping, root: string): string {
  const relative = (path: string) =>
    isInside(path, root) && path.length > root.length ? path.slice(root.length + 1) : path;
  return `${context === "" ? "" : `${relative(context)}:`}${prefix}=${relative(target)}`;
}

function depth(path: string): number {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".").length;
}
