import { isInside, joinPath, parentFolder } from "../files/fileReader.ts";
import type { FolderReader } from "../files/folderReader.ts";

/** A build tool that a project is set up for. */
export type ProjectTool = "foundry" | "hardhat" | "truffle" | "remix" | "ape" | "moccasin";

/** A project: a folder that a build tool, or nobody, treats as the root of source names. */
export interface Project {
  /** Absolute path of the root folder. */
  readonly root: string;
  /** The tools it is set up for; a Hardhat project with Foundry has both, a plain folder none. */
  readonly tools: readonly ProjectTool[];
  /** The configuration file of each tool that has one. */
  readonly configurations: Readonly<Partial<Record<ProjectTool, string>>>;
}

const HARDHAT_CONFIGURATIONS = ["ts", "cts", "mts", "js", "cjs", "mjs"].map((end) => `hardhat.config.${end}`);

const MARKERS: readonly (readonly [ProjectTool, readonly string[]])[] = [
  ["hardhat", HARDHAT_CONFIGURATIONS],
  ["foundry", ["foundry.toml"]],
  ["truffle", ["truffle-config.js", "truffle-config.cjs", "truffle.js"]],
  ["ape", ["ape-config.yaml", "ape-config.yml", "ape-config.json"]],
  ["moccasin", ["moccasin.toml"]],
  ["remix", ["remix.config.json"]],
];

/** Folders in which tools keep what a project depends on: what lies there belongs to the project outside. */
const DEPENDENCY_FOLDERS = new Set(["node_modules", "lib", "dependencies", ".deps"]);

/**
 * The project that a file belongs to: the nearest folder upwards, no further than the open folder, that has a
 * build tool's configuration, else the nearest with a `remappings.txt`, else the open folder.
 *
 * A library that a project keeps in its dependency folder has often a configuration of its own; the project
 * outside builds it all the same, and by its own settings, so that it is the one.
 *
 * @param folder The open folder that holds the file.
 */
export async function findProject(files: FolderReader, folder: string, path: string): Promise<Project> {
  let nearest: Project | undefined;
  let remapped: string | undefined;
  for (const at of foldersBetween(parentFolder(path), folder)) {
    const found = await projectAt(files, at);
    if (found && (!nearest || isDependencyOf(nearest.root, at))) nearest = found;
    if (!nearest && !remapped && (await hasEntry(files, at, "remappings.txt"))) remapped = at;
  }
  return nearest ?? { root: remapped ?? folder, tools: [], configurations: {} };
}

async function hasEntry(files: FolderReader, folder: string, name: string): Promise<boolean> {
  return (await files.list(folder))?.some((entry) => entry.name === name && entry.kind !== "folder") ?? false;
}

/** The project whose root is this very folder, or `undefined` when no tool is set up there. */
export async function projectAt(files: FolderReader, folder: string): Promise<Project | undefined> {
  const names = new Set(((await files.list(folder)) ?? []).map(({ name }) => name));
  const tools: ProjectTool[] = [];
  const configurations = new Map<ProjectTool, string>();
  for (const [tool, markers] of MARKERS) {
    const marker = markers.find((name) => names.has(name));
    if (marker === undefined) continue;
    tools.push(tool);
    configurations.set(tool, joinPath(folder, marker));
  }
  if (names.has(".deps") && !tools.includes("remix")) tools.push("remix");
  return tools.length > 0
    ? { root: folder, tools, configurations: Object.fromEntries(configurations) }
    : undefined;
}

/** True when `inner` lies in a dependency folder of the project at `outer`. */
function isDependencyOf(inner: string, outer: string): boolean {
  const between = inner.slice(outer === "/" ? 1 : outer.length + 1).split("/");
  return between.slice(0, -1).some((segment) => DEPENDENCY_FOLDERS.has(segment));
}

function foldersBetween(start: string, end: string): string[] {
  const folders = [start];
  for (let at = start; at !== end && isInside(at, end);) folders.push((at = parentFolder(at)));
  return folders;
}
