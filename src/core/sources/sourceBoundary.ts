import { foldersUpwards, isInside, joinPath, relativePath, type FileReader } from "../files/fileReader.ts";
import { readJson } from "../json/dataFile.ts";
import { asText, field } from "../json/looseData.ts";
import { inInstalledFolder, packagedPath } from "./packagedPath.ts";
import { packageAliases } from "./packageAliases.ts";

/**
 * Where a file lies, by its real path:
 *
 * - `project`: below the root of the contract's project;
 * - `workspace`: elsewhere in the opened folders, such as a sibling in a monorepo;
 * - `dependency`: in what a package manager installed or the tool's configuration declares, inside the opened folders,
 *   or in a package that is installed in a `node_modules` above them, where Node looks for it;
 * - `outside`: anywhere else. Such a file never goes.
 */
export type SourceOrigin = "project" | "workspace" | "dependency" | "outside";

/** The folders that say what is outside; absolute, links not followed yet. */
export interface BoundaryFolders {
  /** The opened folders. */
  readonly folders: readonly string[];
  /** The root of the project; the first opened folder unless said. */
  readonly project?: string | undefined;
  /** Folders of dependencies that the tool's configuration declares. */
  readonly dependencies?: readonly string[] | undefined;
}

/**
 * Decides what is outside. Everything that reads a file in order to send it asks this and nothing else, and asks for
 * the real path of the file that was opened.
 */
export class SourceBoundary {
  /** Tells it from every other one. */
  readonly name: string;
  readonly #files: FileReader;
  readonly #folders: readonly string[];
  readonly #project: string;
  readonly #dependencies: readonly string[];
  /** The `node_modules` above the opened folders, as they are named: one that is a link leads out of them. */
  readonly #above: readonly string[];
  readonly #packages = new Map<string, Promise<boolean>>();

  private constructor(
    files: FileReader,
    folders: readonly string[],
    project: string,
    dependencies: readonly string[],
  ) {
    this.#files = files;
    this.#folders = folders;
    this.#project = project;
    // A folder that holds the project declares nothing: all that lies beside the project would be a dependency.
    this.#dependencies = dependencies.filter((folder) => !isInside(project, folder));
    this.#above = folders.flatMap((folder) =>
      foldersUpwards(folder)
        .slice(1)
        .map((one) => joinPath(one, "node_modules")),
    );
    this.name = JSON.stringify([folders, project, this.#dependencies]);
  }

  /** The boundary around folders; their links are followed once, now. */
  static async around(
    files: FileReader,
    { folders, project, dependencies = [] }: BoundaryFolders,
  ): Promise<SourceBoundary> {
    // What is not there holds nothing, so that its own path does.
    const real = async (path: string) => (await files.realPath(path)) ?? path;
    const [opened, root, declared] = await Promise.all([
      Promise.all(folders.map(real)),
      real(project ?? folders[0] ?? "/"),
      Promise.all(dependencies.map(real)),
    ]);
    return new SourceBoundary(files, opened, root, declared);
  }

  /** Where a file lies, by its real path. */
  placeOf(real: string): SourceOrigin | Promise<SourceOrigin> {
    const opened = this.#folders.find((folder) => isInside(real, folder));
    if (opened === undefined) return this.#placeAbove(real);
    if (inInstalledFolder(relativePath(real, opened) ?? "")) return "dependency";
    if (this.#dependencies.some((folder) => isInside(real, folder))) return "dependency";
    return isInside(real, this.#project) ? "project" : "workspace";
  }

  /** True for a folder of which the names may be known: inside, or where Node looks for packages. */
  mayList(real: string): boolean {
    return [...this.#folders, ...this.#above].some((folder) => isInside(real, folder));
  }

  /**
   * True for a package's description, wherever it lies: Node reads those of linked packages too. Of it only the
   * package's name and version and the paths of its exports count, none of which goes without a file of the package.
   */
  isManifest(real: string): boolean {
    return real.endsWith("/package.json");
  }

  async #placeAbove(real: string): Promise<SourceOrigin> {
    if (!this.#above.some((folder) => isInside(real, folder))) return "outside";
    const { folder, name, path = "" } = packagedPath(real) ?? {};
    if (folder === undefined || name === undefined || path === "") return "outside";
    let known = this.#packages.get(folder);
    if (!known) this.#packages.set(folder, (known = this.#isInstalled(folder, name)));
    return (await known) ? "dependency" : "outside";
  }

  /** True for a folder that holds the package of its name, or the one that a project lets stand for it. */
  async #isInstalled(folder: string, name: string): Promise<boolean> {
    const manifest = joinPath(folder, "package.json");
    // A description that lies elsewhere says nothing of what lies here.
    if ((await this.#files.realPath(manifest)) !== manifest) return false;
    const own = asText(field(await readJson(this.#files, manifest), "name"));
    if (own === undefined || own === name) return own === name;
    for (const at of foldersUpwards(this.#project)) {
      const aliases = await packageAliases(this.#files, at);
      if (aliases.some((alias) => alias.installedAs === name && alias.name === own)) return true;
    }
    return false;
  }
}
