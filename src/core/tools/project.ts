import { REMAPPINGS_FILE } from "../languages/solidity/solidity.ts";
import { inInstalledFolder, INSTALLED_FOLDERS } from "../sources/packagedPath.ts";
import { isInside, joinPath, parentFolder, relativePath, type FileReader } from "../files/fileReader.ts";
import type { FolderEntry, FolderReader } from "../files/folderReader.ts";
import { LARGEST_CONFIGURATION_BYTES, readData, readText } from "../json/dataFile.ts";
import { fieldAt } from "../json/looseData.ts";
import { toml } from "../json/toml.ts";
import type { BuildTool, ToolPlace, ToolRules } from "./toolShape.ts";
import { DEPENDENCY_FOLDERS, TOOLS } from "./tool.ts";

/** A project: a folder that a build tool, or none, treats as the root of source names. */
export interface Project {
  /** Absolute path of the root folder. */
  readonly root: string;
  /** The open folder that holds it; absent where only the root is known. */
  readonly opened?: string;
  /** The tools it is set up for, as the table has them; a plain folder has none. */
  readonly tools: readonly BuildTool[];
  /** The configuration file of each tool that has one, absolute. */
  readonly configurations: ReadonlyMap<BuildTool, string>;
  /** No configuration tells it, not even one that tools share: only folders that a tool makes. */
  readonly isOnlyMarked?: boolean;
}

/** In a folder of such a name people keep what they depend on, whatever tool they use. */
const DEPENDENCIES: ReadonlySet<string> = new Set([...INSTALLED_FOLDERS, ...DEPENDENCY_FOLDERS]);

/**
 * The project that a file belongs to: the nearest folder upwards, no further than the open folder, that has a
 * build tool's configuration, else the nearest with a `remappings.txt`, else the open folder.
 *
 * A library that a project keeps in its dependency folder has often a configuration of its own; the project
 * outside builds it all the same, and by its own settings, so that it is the one. So it is where the nearer one has no
 * configuration, only what a tool leaves: Remix makes `.deps` in a folder of sources that was shared with it.
 *
 * @param folder The open folder that holds the file.
 */
export async function findProject(files: FolderReader, folder: string, path: string): Promise<Project> {
  let nearest: Project | undefined;
  let remapped: string | undefined;
  const folders = foldersBetween(parentFolder(path), folder);
  const projects = await Promise.all(folders.map((at) => projectAt(files, at)));
  for (const [index, at] of folders.entries()) {
    const found = projects[index];
    if (found && (!nearest || (await givesWay(files, nearest, found)))) nearest = found;
    if (!nearest && !remapped && (await hasEntry(files, at, REMAPPINGS_FILE))) remapped = at;
  }
  return { ...(nearest ?? plainProject(remapped ?? folder)), opened: folder };
}

/** A folder that no tool is set up for. */
export function plainProject(root: string): Project {
  return { root, tools: [], configurations: new Map() };
}

/** Whether what looks like a project belongs to the one around it. */
export async function givesWay(files: FolderReader, inner: Project, outer: Project): Promise<boolean> {
  if (inner.isOnlyMarked && !outer.isOnlyMarked) return true;
  if (inInstalledFolder(inner.root.slice(outer.root.length))) return true;
  const folders = await dependenciesOf(files, outer);
  // A project whose folder merely has such a name is one of its own.
  return folders.some((folder) => relativePath(inner.root, folder) !== undefined);
}

/**
 * The folders, absolute, that hold what a project depends on: those that its tools are told, else those that they have
 * by themselves. One that holds the project is none.
 */
export async function dependenciesOf(files: FolderReader, project: Project): Promise<string[]> {
  const folders = await saidByTools(
    files,
    project,
    ({ tool, rules, place }) =>
      rules.dependencies?.(place) ??
      Promise.resolve(tool.dependencyFolders.map((name) => joinPath(project.root, name))),
  );
  return folders.filter((folder) => !isInside(project.root, folder));
}

async function hasEntry(files: FolderReader, folder: string, name: string): Promise<boolean> {
  return (await files.list(folder))?.some((entry) => entry.name === name && entry.kind !== "folder") ?? false;
}

/** The project whose root is this very folder, or `undefined` when no tool is set up there. */
export async function projectAt(files: FolderReader, folder: string): Promise<Project | undefined> {
  return projectWith(files, folder, (await files.list(folder)) ?? []);
}

/**
 * The same of a folder of which some files are known.
 *
 * @param entries of the folder, as far as they tell a project: a tool reads configurations that are files, and makes folders
 */
export async function projectWith(
  files: FileReader,
  folder: string,
  entries: readonly Pick<FolderEntry, "name" | "kind">[],
): Promise<Project | undefined> {
  const [names, folders] = [new Set<string>(), new Set<string>()];
  // What is no regular file is a name of a file, too: reading it says what it is.
  for (const { name, kind } of entries) (kind === "folder" ? folders : names).add(name);
  const tools: BuildTool[] = [];
  const configurations = new Map<BuildTool, string>();
  let isOnlyMarked = true;
  for (const tool of TOOLS) {
    const configuration = await configurationAmong(files, folder, names, tool);
    if (configuration !== undefined) configurations.set(tool, joinPath(folder, configuration));
    const isConfigured = configuration !== undefined || (await isInShared(files, folder, names, tool));
    if (!isConfigured && !tool.markers?.some((name) => folders.has(name))) continue;
    if (isConfigured) isOnlyMarked = false;
    tools.push(tool);
  }
  if (tools.length === 0) return undefined;
  return { root: folder, tools, configurations, ...(isOnlyMarked && { isOnlyMarked }) };
}

/** The name of the configuration that a tool reads in a folder; of several, the one that the project's release takes. */
async function configurationAmong(
  files: FileReader,
  folder: string,
  names: ReadonlySet<string>,
  { configurations, rules }: BuildTool,
): Promise<string | undefined> {
  const [first, ...others] = configurations.filter((name) => names.has(name));
  if (others.length === 0) return first;
  const order = await (await rules()).configurationOrder?.(files, folder);
  return order?.find((name) => names.has(name)) ?? first;
}

/** Whether a file that a tool shares with others says that the folder is set up for it. */
async function isInShared(
  files: FileReader,
  folder: string,
  names: ReadonlySet<string>,
  { sharedConfiguration }: BuildTool,
): Promise<boolean> {
  if (!sharedConfiguration || !names.has(sharedConfiguration.name)) return false;
  const { name, table } = sharedConfiguration;
  const path = joinPath(folder, name);
  // Most such files are of other tools; parsing them all would take long.
  const text = await readText(files, path);
  if (!table.every((key) => text?.includes(key))) return false;
  return fieldAt(await readData(files, path, toml, LARGEST_CONFIGURATION_BYTES), ...table) !== undefined;
}

/** True when `inner` lies below `outer` in a folder whose name tells that people depend on what is there. */
export function isDependencyOf(inner: string, outer: string): boolean {
  const between = inner.slice(outer === "/" ? 1 : outer.length + 1).split("/");
  return between.slice(0, -1).some((segment) => DEPENDENCIES.has(segment));
}

function foldersBetween(start: string, end: string): string[] {
  const folders = [start];
  for (let at = start; at !== end && isInside(at, end);) folders.push((at = parentFolder(at)));
  return folders;
}

/** A tool of a project, its rules, and what they are asked about. */
interface ToolOfProject {
  readonly tool: BuildTool;
  readonly rules: ToolRules;
  readonly place: ToolPlace;
}

/** The tools of a project with their rules, in the order of the table. */
export function toolsOf(
  files: FolderReader,
  { root, opened, tools, configurations }: Project,
  profile?: string,
): Promise<ToolOfProject[]> {
  return Promise.all(
    tools.map(async (tool) => ({
      tool,
      rules: await tool.rules(),
      place: { files, root, opened, configuration: configurations.get(tool), profile },
    })),
  );
}

/** What the tools of a project say to a question, one after the other; one without a rule for it says nothing. */
export async function saidByTools<T>(
  files: FolderReader,
  project: Project,
  ask: (one: ToolOfProject) => Promise<readonly T[]> | undefined,
  profile?: string,
): Promise<T[]> {
  const tools = await toolsOf(files, project, profile);
  return (await Promise.all(tools.map(async (one) => (await ask(one)) ?? []))).flat();
}
