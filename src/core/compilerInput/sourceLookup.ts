import { isInside, joinPath, parentFolder, type FileReader } from "../files.ts";
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
  readonly #folders = new Map<string, Promise<Folder | undefined>>();
  readonly #realPaths = new Map<string, Promise<string>>();

  constructor(files: SourceReader, roots: SourceRoots) {
    this.#files = files;
    this.#roots = roots;
    this.#packageFolders = foldersUpwards(roots.project).map((folder) => joinPath(folder, "node_modules"));
  }

  /** Looks a source unit name up. */
  async find(name: string): Promise<SourceLookup> {
    const lookedIn: string[] = [];
    // Remappings can make names grow without end; no real path is that long.
    if (name.length > LONGEST_NAME) return { lookedIn: [`${name.slice(0, 100)}…`] };
    for (const [folder, relative] of this.#candidates(name)) {
      const path = joinPath(folder, relative);
      const found = (await this.#mayHold(folder, relative)) ? await this.at(path) : undefined;
      if (found) return found;
      lookedIn.push(path);
    }
    return { lookedIn };
  }

  /** The file of a path, if there is one and it may go. */
  async at(path: string): Promise<FoundSource | { readonly forbidden: string } | undefined> {
    const [bytes, real] = await Promise.all([this.#files.read(path), this.#real(path)]);
    if (bytes === undefined) return undefined;
    const behind = real ?? (await this.#files.realPath(path));
    return this.#mayGo(behind) ? { path, bytes } : { forbidden: behind };
  }

  *#candidates(name: string): Generator<readonly [folder: string, relative: string]> {
    if (name.startsWith("/")) {
      yield ["/", name];
      return;
    }
    yield [this.#roots.project, name];
    // A name that climbs out of the project is a path, not a package.
    if (name.startsWith("../")) return;
    for (const folder of this.#roots.include ?? []) yield [folder, name];
    for (const folder of this.#packageFolders) yield [folder, name];
  }

  /** False when the folder is known not to hold the first segment of the path. */
  async #mayHold(folder: string, relative: string): Promise<boolean> {
    const [first = ""] = relative.split("/", 1);
    if (folder === "/" || first === "" || first === "." || first === "..") return true;
    if (!this.#files.list) return true;
    // File systems may not tell upper from lower case.
    return (await this.#folder(folder))?.lowerCaseNames.has(first.toLowerCase()) ?? false;
  }

  /** The path behind every link, from what is known of the folder; `undefined` when that doesn't say. */
  async #real(path: string): Promise<string | undefined> {
    const folder = parentFolder(path);
    const entries = await this.#folder(folder);
    const name = path.slice(path.lastIndexOf("/") + 1);
    const entry = entries?.byName.get(name);
    if (!entry || entry.link) return undefined;
    let known = this.#realPaths.get(folder);
    if (!known) this.#realPaths.set(folder, (known = this.#files.realPath(folder)));
    return joinPath(await known, name);
  }

  #folder(path: string): Promise<Folder | undefined> {
    let known = this.#folders.get(path);
    if (!known) {
      known = (this.#files.list?.(path) ?? Promise.resolve(undefined)).then(
        (entries) =>
          entries && {
            byName: new Map(entries.map((entry) => [entry.name, entry])),
            lowerCaseNames: new Set(entries.map(({ name }) => name.toLowerCase())),
          },
      );
      this.#folders.set(path, known);
    }
    return known;
  }

  #mayGo(real: string): boolean {
    const { project, workspace } = this.#roots;
    return [project, ...workspace, ...this.#packageFolders].some((folder) => isInside(real, folder));
  }
}

interface Folder {
  readonly byName: ReadonlyMap<string, FolderEntry>;
  readonly lowerCaseNames: ReadonlySet<string>;
}

function foldersUpwards(start: string): string[] {
  const folders = [start];
  for (let folder = start; folder !== "/";) folders.push((folder = parentFolder(folder)));
  return folders;
}
