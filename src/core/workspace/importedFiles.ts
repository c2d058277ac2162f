import {
  applyRemappings,
  parseRemapping,
  remappingsIn,
  type Remapping,
} from "../languages/solidity/remapping.ts";
import { REMAPPINGS_FILE } from "../languages/solidity/solidity.ts";
import {
  foldersUpwards,
  isInside,
  joinPath,
  parentFolder,
  relativePath,
  type FileReader,
} from "../files/fileReader.ts";
import { readText } from "../json/dataFile.ts";
import { inNodeModules } from "../sources/packagedPath.ts";
import { isRelativeImport } from "../sources/sourceUnitName.ts";

/**
 * The absolute path of the file to which an import leads; `undefined` when there is none.
 *
 * @param importPath as written, in the form of Solidity's: relative ones begin with `./` or `../`
 * @param importer absolute path
 * @param exists whether there is a file
 */
export type ResolveImport = (
  importPath: string,
  importer: string,
  exists: (path: string) => Promise<boolean>,
) => Promise<string | undefined>;

/**
 * Where imports lead on disk in the projects that people have, well enough to read names: next to the importing file,
 * through a `remappings.txt` of a folder above it, below a folder above it, in its `node_modules`, or in `lib` where
 * Foundry puts dependencies. Nothing outside the open folders is named but `node_modules` of folders above them.
 */
export class ImportedFiles {
  readonly #files: FileReader;
  readonly #folders: () => readonly string[];
  readonly #remappings = new Map<string, Promise<readonly Remapping[]>>();
  /** By importing folder and first segment of the import: which candidate it was. */
  readonly #lastFound = new Map<string, number>();
  readonly #missing = new Set<string>();

  constructor(files: FileReader, folders: () => readonly string[]) {
    this.#files = files;
    this.#folders = folders;
  }

  readonly resolve: ResolveImport = async (importPath, importer, exists) => {
    const folder = parentFolder(importer);
    const question = `${folder} ${importPath}`;
    if (this.#missing.has(question)) return undefined;
    const candidates = await this.#candidates(importPath, importer);
    // What was found where a neighbour was found is looked for there first.
    const kind = `${folder} ${importPath.slice(0, importPath.indexOf("/"))}`;
    const likely = this.#lastFound.get(kind) ?? 0;
    for (const at of new Set([likely, ...candidates.keys()])) {
      const candidate = candidates[at];
      if (candidate === undefined || !(await exists(candidate))) continue;
      if (at > 0) this.#lastFound.set(kind, at);
      return candidate;
    }
    this.#missing.add(question);
    return undefined;
  };

  /** Forgets where imports led: files were made or deleted, or a `remappings.txt` has changed. */
  invalidate(): void {
    this.#remappings.clear();
    this.#lastFound.clear();
    this.#missing.clear();
  }

  async #candidates(importPath: string, importer: string): Promise<string[]> {
    const candidates: string[] = [];
    const add = (folder: string, path: string) => {
      const candidate = path.startsWith("/") ? joinPath("/", path) : joinPath(folder, path);
      if (this.#mayRead(candidate)) candidates.push(candidate);
    };
    if (isRelativeImport(importPath)) {
      add(parentFolder(importer), importPath);
      return candidates;
    }
    const above = foldersUpwards(parentFolder(importer));
    for (const folder of above.filter((one) => this.#isOpen(one))) {
      const remappings = await this.#remappingsIn(folder);
      const name = applyRemappings(remappings, importPath, relativePath(importer, folder) ?? importer);
      if (name !== importPath) add(folder, name);
    }
    const [, first = "", rest = ""] = /^([^/]+)\/(.*)$/.exec(importPath) ?? [];
    for (const folder of above) {
      if (this.#isOpen(folder) && !inNodeModules(folder)) {
        add(folder, importPath);
        add(folder, `lib/${importPath}`);
        if (rest !== "") {
          for (const sources of ["src", "contracts"]) add(folder, `lib/${first}/${sources}/${rest}`);
        }
      }
      if (!folder.endsWith("/node_modules")) add(folder, `node_modules/${importPath}`);
    }
    return candidates;
  }

  #isOpen(folder: string): boolean {
    return this.#folders().some((open) => isInside(folder, open));
  }

  #mayRead(path: string): boolean {
    return this.#folders().some(
      (open) =>
        isInside(path, open) ||
        foldersUpwards(open)
          .slice(1)
          .some((above) => isInside(path, joinPath(above, "node_modules"))),
    );
  }

  #remappingsIn(folder: string): Promise<readonly Remapping[]> {
    let known = this.#remappings.get(folder);
    if (!known) {
      known = readText(this.#files, joinPath(folder, REMAPPINGS_FILE)).then(
        (text = "") =>
          remappingsIn(text)
            .map(parseRemapping)
            .filter((remapping) => remapping !== undefined),
        () => [],
      );
      this.#remappings.set(folder, known);
    }
    return known;
  }
}
