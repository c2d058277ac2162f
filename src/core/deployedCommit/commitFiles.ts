import { isInside, joinPath, openFile, relativePath, type OpenedFile } from "../files/fileReader.ts";
import type { FolderEntry, FolderReader } from "../files/folderReader.ts";
import { LARGEST_FILE_BYTES, tooLargeReason, UnreadableFile } from "../files/unreadableFile.ts";
import { LedgerLensError } from "../errors.ts";
import type { GitHistory } from "../git/gitHistory.ts";
import type { GitCommit } from "../git/gitObjects.ts";
import { CommitTree, type CommittedItem } from "./commitTree.ts";
import { remembered } from "../concurrency/remembered.ts";
import { inNodeModules, packagedPath } from "../sources/packagedPath.ts";
import { InstalledPackages, installedFolder } from "./installedPackages.ts";
import { AttributeFiles, checkedOut, type Checkout } from "./gitAttributes.ts";

/** What a reader is asked. */
export type Question = "read" | "list" | "real";

/** Which files there are. */
interface CommitPlace {
  readonly history: GitHistory;
  readonly commit: GitCommit;
  /** The top of the work tree, as core names it. */
  readonly root: string;
  /** Reads the work tree as it is now, for what a package manager installed. */
  readonly disk: FolderReader;
  readonly checkout?: Checkout | undefined;
}

/**
 * The files of a commit, as a checkout of it would have them at the place of the work tree: what is committed, submodules
 * at their recorded commit, and of the installed packages those that the commit's lock file names. Everything else in the
 * work tree, such as what a build left there, is not there.
 */
export class CommitFiles implements FolderReader {
  readonly tree: CommitTree;
  readonly packages: InstalledPackages;
  readonly #place: CommitPlace;
  readonly #attributes: AttributeFiles;
  readonly #installed = new Map<string, Promise<boolean>>();
  /** The folders of the repository's own packages, by those of the links to them. */
  readonly #ownPackages = new Map<string, Promise<string | undefined>>();

  constructor(place: CommitPlace) {
    this.#place = place;
    this.tree = new CommitTree(place.history, place.commit);
    this.#attributes = new AttributeFiles(this.tree);
    const committed = {
      read: (path: string, largest?: number) => this.#readCommitted(path, largest),
      realPath: (path: string) => Promise.resolve(path),
    };
    this.packages = new InstalledPackages(place.disk, committed, place.root);
  }

  /** Whole. */
  get commitId(): string {
    return this.#place.commit.id;
  }

  /** The same files as another machine checks them out. */
  as(checkout: Checkout): CommitFiles {
    return new CommitFiles({ ...this.#place, checkout });
  }

  async read(path: string, largest?: number): Promise<Uint8Array | undefined> {
    return (await this.open(path, largest))?.bytes;
  }

  async open(path: string, largest?: number): Promise<OpenedFile | undefined> {
    const at = await this.#committedPath(path);
    if (at === undefined) {
      if (!(await this.packages.isAsCommitted(path))) return undefined;
      const opened = await openFile(this.#place.disk, path, largest);
      return opened && { bytes: opened.bytes, realPath: await this.#named(opened.realPath) };
    }
    const item = await this.#item(at);
    const bytes = item && (await this.#bytes(item, path, largest));
    return bytes && { bytes, realPath: this.#pathOf(item) };
  }

  async realPath(path: string): Promise<string | undefined> {
    const at = await this.#committedPath(path);
    if (at === undefined) {
      const real = await this.#place.disk.realPath(path);
      return real === undefined ? undefined : this.#named(real);
    }
    const item = await this.#item(at);
    return item && this.#pathOf(item);
  }

  async list(path: string): Promise<readonly FolderEntry[] | undefined> {
    const at = await this.#committedPath(path);
    if (at === undefined)
      return (await this.packages.isAsCommitted(path)) ? this.#place.disk.list(path) : undefined;
    const entries = await this.tree.entriesOf(await this.#item(at));
    if (!entries) return undefined;
    const listed: FolderEntry[] = [];
    for (const { name, kind } of entries) {
      if (kind === "file") listed.push({ name, kind });
      else if (kind !== "link") listed.push({ name, kind: "folder" });
      else {
        const target = await this.#item(joinPath(at, name));
        if (target) listed.push({ name, kind: target.kind, link: true });
      }
    }
    const installed = joinPath(path, "node_modules");
    if ((await this.#isOnDisk(installed)) && (await this.#place.disk.list(installed)))
      listed.push({ name: "node_modules", kind: "folder" });
    return listed;
  }

  /**
   * What decides the answer to a question, in short: two commits of which it is the same for all that was asked are the
   * same to who asked.
   */
  async answer(question: Question, path: string): Promise<string> {
    const at = await this.#committedPath(path);
    if (at === undefined) return (await this.packages.isAsCommitted(path)) ? "installed" : "other";
    const item = await this.#item(at);
    if (!item) return "";
    if (question === "real") return item.path;
    if (question === "list")
      return ((await this.list(path)) ?? []).map(({ name, kind }) => `${kind} ${name}`).join("\n") || "empty";
    if (item.kind !== "file") return "folder";
    const { ends, isGuessed, isNamed } = await this.#attributes.lineEndsOf(item);
    return `${item.id} ${item.path} ${ends} ${isGuessed} ${isNamed}`;
  }

  #pathOf({ path }: CommittedItem): string {
    return joinPath(this.#place.root, path.slice(1));
  }

  /** What is committed at a path of the work tree. */
  #item(path: string): Promise<CommittedItem | undefined> {
    const { root } = this.#place;
    if (!isInside(path, root)) return Promise.resolve(undefined);
    return this.tree.at(`/${relativePath(path, root) ?? ""}`);
  }

  async #readCommitted(path: string, largest?: number): Promise<Uint8Array | undefined> {
    const item = await this.#item(path);
    return item && this.#bytes(item, path, largest);
  }

  async #bytes(
    item: CommittedItem,
    path: string,
    largest = LARGEST_FILE_BYTES,
  ): Promise<Uint8Array | undefined> {
    if (item.kind !== "file") return undefined;
    try {
      const bytes = await this.tree.bytesOf(item, largest);
      const ends = bytes && (await this.#attributes.lineEndsOf(item));
      return ends && checkedOut(bytes, item.id, ends, this.#place.checkout ?? "stored");
    } catch (error) {
      if (!(error instanceof LedgerLensError) || error.code !== "git_object_too_large") throw error;
      throw new UnreadableFile(path, tooLargeReason(largest), error);
    }
  }

  /** Whether a path leads to installed packages, which the commit itself does not hold. */
  #isOnDisk(path: string): Promise<boolean> {
    if (!inNodeModules(path) || !isInside(path, this.#place.root)) return Promise.resolve(false);
    const folder = installedFolder(path);
    let isOnDisk = this.#installed.get(folder);
    if (!isOnDisk) this.#installed.set(folder, (isOnDisk = this.#item(folder).then((item) => !item)));
    return isOnDisk;
  }

  /**
   * The path at which the commit holds what is at a path: for a package of the repository's own, to which `node_modules` has a
   * link, that of its folder. `undefined` for what is installed, which no commit holds.
   */
  async #committedPath(path: string): Promise<string | undefined> {
    if (!(await this.#isOnDisk(path))) return path;
    const folder = packagedPath(path)?.folder;
    if (folder === undefined) return undefined;
    const own = await remembered(this.#ownPackages, folder, () => this.#ownPackageAt(folder));
    return own === undefined || path === folder ? own : joinPath(own, relativePath(path, folder) ?? "");
  }

  async #ownPackageAt(folder: string): Promise<string | undefined> {
    const real = await this.#place.disk.realPath(folder);
    const named = real === undefined ? undefined : await this.#named(real);
    return named !== undefined && isInside(named, this.#place.root) && !inNodeModules(named)
      ? named
      : undefined;
  }

  /** A real path of the disk under the name of the work tree. */
  async #named(real: string): Promise<string> {
    const { disk, root } = this.#place;
    const inner = relativePath(real, (await disk.realPath(root)) ?? root);
    return inner === undefined ? real : joinPath(root, inner);
  }
}
