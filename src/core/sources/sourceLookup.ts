import type { AdmittedSource, AdmittedSources, ForbiddenSource } from "./admittedSources.ts";
import { foldersUpwards, joinPath } from "../files/fileReader.ts";

const LONGEST_NAME = 1_024;

/** Where a project's sources are looked up. Folders are absolute. */
interface SourceRoots {
  /** The folder that source unit names are relative to. */
  readonly project: string;
  /** Folders in which a name is looked up after the project folder and before `node_modules`. */
  readonly include?: readonly string[];
}

/** What a look-up came to: the file, or every place that was looked in, or why the file may not go. */
export type SourceLookup = AdmittedSource | { readonly lookedIn: readonly string[] } | ForbiddenSource;

/**
 * Finds the files behind source unit names in a project: below the project folder first, then in the folders
 * that the project includes, then as a package in `node_modules` there and in the folders above, as Node looks
 * it up. The name stays the logical one; only the content is read through links.
 *
 * A file outside the open folders and their dependencies is answered as forbidden: a repository must not be able to
 * publish other files of the machine by a remapping or a link that points there.
 */
export class SourceFinder {
  readonly #sources: AdmittedSources;
  readonly #roots: SourceRoots;
  readonly #packageFolders: readonly string[];
  /** What folders hold, in lower case: file systems may not tell it from upper case. */
  readonly #names = new Map<string, Holding | Promise<Holding>>();

  constructor(sources: AdmittedSources, roots: SourceRoots) {
    this.#sources = sources;
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
  at(path: string): Promise<AdmittedSource | ForbiddenSource | undefined> {
    return this.#sources.at(path);
  }

  /** The folders that a name is looked up in, in their order. */
  #places(name: string): readonly string[] {
    const { project, include = [] } = this.#roots;
    if (name.startsWith("/")) return ["/"];
    // A name that climbs out of the project is a path, not a package.
    return name.startsWith("../") ? [project] : [...new Set([project, ...include, ...this.#packageFolders])];
  }

  /** False when the folder is known not to hold the first segment of the name. */
  #mayHold(folder: string, name: string): boolean | Promise<boolean> {
    const slash = name.indexOf("/");
    const first = slash < 0 ? name : name.slice(0, slash);
    if (first === "" || first === "." || first === "..") return true;
    const wanted = first.toLowerCase();
    let known = this.#names.get(folder);
    if (!known) {
      known = this.#sources.namesIn(folder).then((names) => {
        const holding = names && new Set(names.map((one) => one.toLowerCase()));
        this.#names.set(folder, holding ?? "anything");
        return holding ?? "anything";
      });
      this.#names.set(folder, known);
    }
    const holds = (names: Holding) => names === "anything" || names.has(wanted);
    return known instanceof Promise ? known.then(holds) : holds(known);
  }
}

/** What a folder holds; `anything` where it can't be listed. */
type Holding = ReadonlySet<string> | "anything";
