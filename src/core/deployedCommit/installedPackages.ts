import {
  foldersUpwards,
  isInside,
  joinPath,
  parentFolder,
  relativePath,
  type FileReader,
} from "../files/fileReader.ts";
import { readJson } from "../json/dataFile.ts";
import { asText, field } from "../json/looseData.ts";
import { packagedPath } from "../sources/packagedPath.ts";
import { lockFileIn, type LockFile } from "./lockFiles.ts";

/** A package of `node_modules` that a commit was not compiled with, or of which that is not known. */
export interface OtherPackage {
  readonly name: string;
  /** The version in the work tree; absent where there is none. */
  readonly installed?: string;
  /** What the commit says, and where it says so; empty where it says nothing. */
  readonly wanted: readonly string[];
  /** `package-lock.json`, and such; `package.json` where nothing locks versions. */
  readonly saidBy?: string;
}

/**
 * Says of the packages that are installed in the work tree now which of them a commit was compiled with: those whose very
 * version its lock file names. A package manager leaves no history.
 */
export class InstalledPackages {
  readonly #disk: FileReader;
  readonly #committed: FileReader;
  readonly #root: string;
  readonly #locks = new Map<string, Promise<LockFile | undefined>>();
  readonly #judged = new Map<string, Promise<OtherPackage | undefined>>();
  readonly #others = new Map<string, OtherPackage>();

  /**
   * @param disk reads the work tree
   * @param committed reads the files of the commit
   * @param root the top of the work tree
   */
  constructor(disk: FileReader, committed: FileReader, root: string) {
    this.#disk = disk;
    this.#committed = committed;
    this.#root = root;
  }

  /** What was asked for and is not as the commit had it. */
  get others(): readonly OtherPackage[] {
    return [...this.#others.values()];
  }

  /** Whether what lies at a path is as it was for the commit; a folder that holds packages is no package. */
  async isAsCommitted(path: string): Promise<boolean> {
    return (await this.otherThan(path)) === undefined;
  }

  /** The package of a path, where it is another one than the commit says. */
  otherThan(path: string): Promise<OtherPackage | undefined> {
    const { folder, name } = packagedPath(path) ?? {};
    if (folder === undefined || name === undefined) return Promise.resolve(undefined);
    let judged = this.#judged.get(folder);
    if (!judged) this.#judged.set(folder, (judged = this.#judge(folder, name)));
    return judged;
  }

  async #judge(folder: string, name: string): Promise<OtherPackage | undefined> {
    const installed = asText(field(await readJson(this.#disk, joinPath(folder, "package.json")), "version"));
    const outer = folder.slice(0, folder.indexOf("/node_modules/")) || "/";
    for (const at of foldersUpwards(outer)) {
      if (!isInside(at, this.#root)) break;
      const lock = await this.#lockIn(at);
      if (!lock) continue;
      const wanted = lock.versionsAt(relativePath(folder, at) ?? "", name);
      // A manifest of a folder within says less than the lock file of the whole.
      if (wanted.length === 0 && lock.name === "package.json" && at !== this.#root) continue;
      if (installed === undefined && wanted.length === 0) return undefined;
      if (installed !== undefined && wanted.includes(installed)) return undefined;
      return this.#other({ name, ...(installed !== undefined && { installed }), wanted, saidBy: lock.name });
    }
    return installed === undefined ? undefined : this.#other({ name, installed, wanted: [] });
  }

  #other(one: OtherPackage): OtherPackage {
    this.#others.set(one.name, one);
    return one;
  }

  #lockIn(folder: string): Promise<LockFile | undefined> {
    let lock = this.#locks.get(folder);
    if (!lock) this.#locks.set(folder, (lock = lockFileIn(this.#committed, folder)));
    return lock;
  }
}

/** The outermost folder of installed packages that holds a path. */
export function installedFolder(path: string): string {
  const at = `${path}/`.indexOf("/node_modules/");
  return at < 0 ? parentFolder(path) : path.slice(0, at + "/node_modules".length);
}
