import { joinPath } from "../files/fileReader.ts";
import { textOf } from "../json/dataFile.ts";
import type { CommitFiles } from "./commitFiles.ts";
import { ifNotTooLarge, type CommittedItem } from "./commitTree.ts";

/** The places of one name that are tried in a commit. */
const MAX_PLACES = 3;
/** So many files of a commit are looked through. */
const MAX_FILES = 5_000;
const MAX_SOURCE_BYTES = 4 * 1024 * 1024;

/**
 * Finds where a contract lies in a commit: at its path, else, since files are renamed and moved, in the files of its
 * language that declare its name, those of the same name and of the most common folders first.
 */
export class ContractPlaces {
  readonly #root: string;
  readonly #path: string;
  readonly #ending: string;
  readonly #declaration: RegExp;
  /** By the id of a blob, whether it declares the contract: a file is in many commits. */
  readonly #declares = new Map<string, boolean>();

  /**
   * @param root the top of the work tree
   * @param path of the contract's file, absolute
   */
  constructor(root: string, path: string, contractName: string) {
    this.#root = root;
    this.#path = path;
    this.#ending = path.slice(path.lastIndexOf("."));
    const name = contractName.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    this.#declaration = new RegExp(`\\b(?:contract|library)\\s+${name}(?![\\w$])`);
  }

  /** Absolute paths, the likeliest first. */
  async in(files: CommitFiles): Promise<readonly string[]> {
    const own = await files.answer("read", this.#path);
    // What is named by its file alone has no declaration that could be looked for.
    if (this.#ending !== ".sol") return own === "" ? [] : [this.#path];
    const { tree } = files;
    const inner = this.#path.slice(this.#root === "/" ? 0 : this.#root.length);
    const item = await tree.at(inner);
    if (item?.kind === "file" && (await this.#isDeclaredIn(files, item))) return [this.#path];
    const found: string[] = [];
    const folders = ["/"];
    let seen = 0;
    for (let folder = folders.shift(); folder !== undefined && seen < MAX_FILES; folder = folders.shift()) {
      const at = await tree.at(folder);
      for (const { name, kind } of (await tree.entriesOf(at)) ?? []) {
        const path = joinPath(folder, name);
        // Dependencies hold no contract of the project.
        if (kind === "folder" && name !== "node_modules") folders.push(path);
        if (kind !== "file" || !name.endsWith(this.#ending)) continue;
        seen++;
        const file = await tree.at(path);
        if (file && (await this.#isDeclaredIn(files, file))) found.push(path);
      }
    }
    return found
      .sort((a, b) => likeness(b, inner) - likeness(a, inner))
      .slice(0, MAX_PLACES)
      .map((path) => joinPath(this.#root, path.slice(1)));
  }

  async #isDeclaredIn({ tree }: CommitFiles, file: CommittedItem): Promise<boolean> {
    const known = this.#declares.get(file.id);
    if (known !== undefined) return known;
    const bytes = await ifNotTooLarge(tree.bytesOf(file, MAX_SOURCE_BYTES));
    const declares = this.#declaration.test((bytes && textOf(bytes)) ?? "");
    if (bytes) this.#declares.set(file.id, declares);
    return declares;
  }
}

/** How much two paths have in common, the name of the file above all. */
function likeness(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  const folders = a.filter((part) => b.includes(part)).length / Math.max(a.length, b.length);
  return (a.at(-1) === b.at(-1) ? 1 : 0) + folders;
}
