import { isInside, joinPath, parentFolder, relativePath, type FileReader } from "../files.ts";
import type { FolderEntry, FolderReader } from "../projects/folderReader.ts";

const LONGEST_NAME = 1_024;

/** Where a project's sources may come from. Folders are absolute, as {@link FileReader} has them. */
export interface SourceRoots {
  /** The folder that source unit names are relative to. */
  readonly project: string;
  /** The open folders; nothing outside them goes, but for dependencies. */
  readonly workspace: readonly string[];
  /** Folders in which a name is looked up after the project folder and before `node_modules`. */
  readonly include?: readonly string[];
}

/** A source found on disk. */
export interface FoundSource {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What a look-up came to: the file, or every place that was looked in, or why the file may not go. */
export type SourceLookup =
  FoundSource | { readonly lookedIn: readonly string[] } | { readonly forbidden: string };

/** A reader whose folders may be listed; listing saves asking for files that can't be there. */
export type SourceReader = FileReader & Partial<Pick<FolderReader, "list">>;

/**
 * Finds the files behind source unit names in a project: below the project folder first, then in the folders
 * that the project includes, then as a package in `node_modules` there and in the folders above, as Node looks
 * it up. The name stays the logical one; only the content is read through links.
 *
 * A file outside the open folders is answered as forbidden, unless it is in a `node_modules` folder that
 * serves the project: a repository must not be able to publish other files of the machine by a remapping
 * or a link that points there.
 */
export class SourceFinder {
  readonly #files: SourceReader;
  readonly #roots: SourceRoots;
  readonly #packageFolders: readonly string[];
  /** A folder that is known stands here itself: waiting for it, once for each file, is what a closure would wait for. */
  readonly #folders = new Map<string, Folder | Promise<Folder>>();
  /** What folders hold, in lower case: file systems may not tell it from upper case. */
  readonly #names = new Map<string, ReadonlySet<string> | Promise<ReadonlySet<string>>>();

  constructor(files: SourceReader, roots: SourceRoots) {
    this.#files = files;
    this.#roots = roots;
    this.#packageFolders = foldersUpwards(roots.project).map((folder) => joinPath(folder, "node_modules"));
  }

  /** Looks a source unit name up. */
  async find(name: string): Promise<SourceLookup> {
    // Remappings can make names grow without end; no real path is that long.
    if (name.length > LONGEST_NAME) return { lookedIn: [`${name.slice(0, 100)}…`] };
    const places = this.#places(name);
    for (const folder of places) {
      const mayHold = this.#mayHold(folder, name);
      if (typeof mayHold === "boolean" ? !mayHold : !(await mayHold)) continue;
      const found = await this.at(joinPath(folder, name));
      if (found) return found;
    }
    return { lookedIn: places.map((folder) => joinPath(folder, name)) };
  }

  /** The file of a path, if there is one and it may go. */
  async at(path: string): Promise<FoundSource | { readonly forbidden: string } | undefined> {
    const reading = this.#files.read(path);
    const known = this.#folder(parentFolder(path));
    const [bytes, folder] =
      known instanceof Promise ? await Promise.all([reading, known]) : [await reading, known];
    if (bytes === undefined) return undefined;
    const behind = realPathIn(folder, path) ?? (await this.#files.realPath(path));
    return this.#mayGo(behind) ? { path, bytes } : { forbidden: behind };
  }

  /** The folders that a name is looked up in, in their order. */
  #places(name: string): readonly string[] {
    const { project, include = [] } = this.#roots;
    if (name.startsWith("/")) return ["/"];
    // A name that climbs out of the project is a path, not a package.
    return name.startsWith("../") ? [project] : [project, ...include, ...this.#packageFolders];
  }

  /** False when the folder is known not to hold the first segment of the name. */
  #mayHold(folder: string, name: string): boolean | Promise<boolean> {
    const slash = name.indexOf("/");
    const first = slash < 0 ? name : name.slice(0, slash);
    if (!this.#files.list || first === "" || first === "." || first === "..") return true;
    const wanted = first.toLowerCase();
    let known = this.#names.get(folder);
    if (!known) {
      known = this.#files.list(folder).then((entries) => {
        const names = new Set(entries?.map((one) => one.name.toLowerCase()));
        this.#names.set(folder, names);
        return names;
      });
      this.#names.set(folder, known);
    }
    return known instanceof Promise ? known.then((names) => names.has(wanted)) : known.has(wanted);
  }

  #folder(path: string): Folder | Promise<Folder> {
    const known = this.#folders.get(path);
    if (known) return known;
    const looking = this.#look(path).then((folder) => {
      this.#folders.set(path, folder);
      return folder;
    });
    this.#folders.set(path, looking);
    return looking;
  }

  async #look(path: string): Promise<Folder> {
    const [listed = [], real] = await Promise.all([
      this.#files.list?.(path),
      // Where there is no such folder, nobody will want to know.
      this.#realFolder(path).catch(() => undefined),
    ]);
    return { entries: new Map(listed.map((entry) => [entry.name, entry])), real };
  }

  /** The folder behind every link; where its own folder lists it as no link, that folder's and its name. */
  async #realFolder(path: string): Promise<string> {
    if (this.#roots.workspace.some((root) => relativePath(path, root) !== undefined)) {
      const known = realPathIn(await this.#folder(parentFolder(path)), path);
      if (known !== undefined) return known;
    }
    return this.#files.realPath(path);
  }

  #mayGo(real: string): boolean {
    const { project, workspace } = this.#roots;
    return [project, ...workspace, ...this.#packageFolders].some((folder) => isInside(real, folder));
  }
}

interface Folder {
  readonly entries: ReadonlyMap<string, FolderEntry>;
  /** The folder behind every link, as far as it could be found. */
  readonly real: string | undefined;
}

/** The path behind every link of what its folder lists as no link itself; `undefined` for anything else. */
function realPathIn({ entries, real }: Folder, path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const entry = entries.get(name);
  return entry && !entry.link && real !== undefined ? joinPath(real, name) : undefined;
}

function foldersUpwards(start: string): string[] {
  const folders = [start];
  for (let folder = start; folder !== "/";) folders.push((folder = parentFolder(folder)));
  return folders;
}
