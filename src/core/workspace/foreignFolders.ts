import {
  type FileReader,
  isInside,
  joinPath,
  lastSegment,
  parentFolder,
  relativePath,
} from "../files/fileReader.ts";
import { rememberingReader, type FolderReader } from "../files/folderReader.ts";
import { INSTALLED_FOLDERS } from "../sources/packagedPath.ts";
import type { ToolFolders } from "../tools/toolShape.ts";
import { projectWith, type Project } from "../tools/project.ts";
import { DEPENDENCY_FOLDERS, OUTPUT_FOLDERS, TOOL_CONFIGURATIONS, TOOLS } from "../tools/tool.ts";
import { parseRemapping, remappingsIn } from "../languages/solidity/remapping.ts";
import { REMAPPINGS_FILE } from "../languages/solidity/solidity.ts";
import { readText } from "../json/dataFile.ts";
import type { FileFinder } from "./fileFinder.ts";

/** Folders that package managers and tools make, in any project: no folder of own sources has such a name. */
const FOREIGN_NAMES = [
  ...[...INSTALLED_FOLDERS, ".git", ".cache"],
  ...[...DEPENDENCY_FOLDERS, ...OUTPUT_FOLDERS].filter((name) => name.startsWith(".")),
];

/** What lies in folders of other people's code wherever they are, as a glob relative to an open folder. */
export const FOREIGN_GLOB = `**/{${FOREIGN_NAMES.join(",")}}/**`;

/** The files that say what folders a project has. */
const MARKERS: ReadonlySet<string> = new Set([
  ...TOOL_CONFIGURATIONS,
  ...TOOLS.flatMap(({ sharedConfiguration }) => sharedConfiguration?.name ?? []),
  REMAPPINGS_FILE,
]);
const MARKER_GLOB = `**/{${[...MARKERS].join(",")}}`;

/** More projects than any workspace has. */
const MAX_PROJECTS = 1_000;

/** The folders of a workspace that hold dependencies of a project, or what its tools made. */
export class ForeignFolders {
  /** For each such folder the folders of sources of its project. */
  readonly #folders: ReadonlyMap<string, readonly string[]>;

  /** The open folders that no tool is set up for. */
  readonly #plain: readonly string[];

  private constructor(folders: ReadonlyMap<string, readonly string[]>, plain: readonly string[]) {
    this.#folders = folders;
    this.#plain = plain;
  }

  /**
   * As the configurations of all projects in the open folders say; outer projects come before those inside.
   *
   * @param asked gets the path of every file that was asked for, there or not: what configurations take from other files, too
   */
  static async of(
    files: FileReader & Partial<FolderReader>,
    finder: FileFinder,
    open: readonly string[],
    asked = new Set<string>(),
  ): Promise<ForeignFolders> {
    const list = files.list?.bind(files) ?? (() => Promise.resolve(undefined));
    const reader = rememberingReader({ ...noting(files, asked), list });
    const markers = (await finder.find(MARKER_GLOB, FOREIGN_GLOB)).filter((path) =>
      MARKERS.has(lastSegment(path)),
    );
    const names = new Map<string, Set<string>>();
    for (const path of [...markers].sort()) {
      const root = parentFolder(path);
      names.set(root, (names.get(root) ?? new Set()).add(path.slice(root.length + 1)));
    }
    const roots = new Map<string, ProjectFolder>();
    for (const [root, marks] of names) {
      const project = await projectWith(
        reader,
        root,
        [...marks].map((name) => ({ name, kind: "file" })),
      );
      const isRemapped = marks.has(REMAPPINGS_FILE);
      // A file that tools share with others may be of none.
      if (project || isRemapped) roots.set(root, { project, isRemapped });
    }
    const folders = new Map<string, readonly string[]>();
    const known = new ForeignFolders(
      folders,
      open.filter((folder) => !roots.has(folder)),
    );
    const outerFirst = [...roots].sort(([a], [b]) => a.split("/").length - b.split("/").length);
    for (const [root, found] of outerFirst.slice(0, MAX_PROJECTS)) {
      // What a dependency says of itself counts for nothing.
      if (known.has(joinPath(root, REMAPPINGS_FILE))) continue;
      const { foreign, own } = await foldersOf(reader, root, found);
      for (const folder of foreign) folders.set(folder, [...(folders.get(folder) ?? []), ...own]);
    }
    return known;
  }

  /** Whether a file lies in such a folder, and not in a project's own sources there. */
  has(path: string): boolean {
    for (let folder = parentFolder(path); folder !== "/"; folder = parentFolder(folder)) {
      if (FOREIGN_NAMES.includes(lastSegment(folder))) return true;
      const own = this.#folders.get(folder);
      if (own && !own.some((sources) => isInside(sources, folder) && isInside(path, sources))) return true;
    }
    return this.#plain.some((folder) => KEPT_PACKAGE.test(relativePath(path, folder) ?? ""));
  }
}

/** The methods of a reader that may be an instance of a class, which note what they are asked for. */
function noting(files: FileReader & Partial<FolderReader>, asked: Set<string>): FileReader {
  return {
    read: (path, largest) => {
      asked.add(path);
      return files.read(path, largest);
    },
    realPath: (path) => files.realPath(path),
  };
}

/** What a folder is, by the files in it. */
interface ProjectFolder {
  readonly project: Project | undefined;
  /** It has a `remappings.txt`. */
  readonly isRemapped: boolean;
}

/** By the configurations that a folder has, and its remappings. */
async function foldersOf(
  files: FolderReader,
  root: string,
  { project, isRemapped }: ProjectFolder,
): Promise<ToolFolders> {
  const all: ToolFolders[] = [];
  for (const tool of project?.tools ?? []) {
    const rules = await tool.rules();
    const place = { files, root, configuration: project?.configurations.get(tool) };
    all.push(await rules.folders(place));
    all.push({ own: [], foreign: (await rules.dependencies?.(place)) ?? [] });
  }
  if (isRemapped) {
    const remapped = await remappedFolders(files, joinPath(root, REMAPPINGS_FILE));
    all.push({ own: [], foreign: remapped.map((folder) => joinPath(root, folder)) });
  }
  return {
    own: all.flatMap(({ own }) => own),
    // A folder that holds the project itself is none that it depends on.
    foreign: all.flatMap(({ foreign }) => foreign).filter((folder) => !isInside(root, folder)),
  };
}

/** A package among those that lie in a folder without any configuration. */
const KEPT_PACKAGE = /^(?:lib|dependencies)\/[^/]+\/(?:src|contracts|lib|interfaces)\//;
/** Folders in which people keep what they depend on; a remapping to another one may lead to their own sources. */
const KEPT = /^(?:\.\/)?(lib|libs|dependencies|vendor)\//;

async function remappedFolders(files: FolderReader, path: string): Promise<string[]> {
  const remappings = remappingsIn((await readText(files, path)) ?? "");
  return remappings.flatMap((line) => KEPT.exec(parseRemapping(line)?.target ?? "")?.[1] ?? []);
}
