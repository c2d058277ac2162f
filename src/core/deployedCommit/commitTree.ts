import { LedgerLensError } from "../errors.ts";
import { joinPath, lastSegment, parentFolder } from "../files/fileReader.ts";
import type { GitHistory } from "../git/gitHistory.ts";
import type { GitCommit, GitEntry } from "../git/gitObjects.ts";

/** A file or a folder of a commit, behind every link. Paths begin with `/`, which is the top of the work tree. */
export interface CommittedItem {
  readonly kind: "file" | "folder";
  /** Of its blob or its tree; empty for the folder of a submodule of which nothing is here. */
  readonly id: string;
  readonly path: string;
  /** The repository that holds it, and where in the work tree that begins: a submodule is one of its own. */
  readonly history: GitHistory;
  readonly top: CommittedTop;
}

/** The top of a repository within a commit. */
interface CommittedTop {
  readonly path: string;
  readonly tree: string;
}

/** A submodule whose recorded commit is not in this clone. */
interface MissingSubmodule {
  /** From the top of the work tree, with `/` before. */
  readonly path: string;
  readonly commit: string;
}

/** Links that follow each other; a system follows as many. */
const MAX_LINKS = 40;
const MAX_LINK_BYTES = 4096;
const MAX_MODULES_BYTES = 256 * 1024;
/** How a pointer begins, which is smaller than so many bytes. */
const POINTER = Buffer.from("version https://git-lfs.github.com/spec/");
const MAX_POINTER_BYTES = 1024;

/** The files of a commit as a checkout with all its submodules would have them, read from objects alone. */
export class CommitTree {
  readonly #history: GitHistory;
  readonly #commit: GitCommit;
  readonly #items = new Map<string, Promise<CommittedItem | undefined>>();
  /** What was found already; of what is still looked for, a link may lead back to itself. */
  readonly #found = new Map<string, CommittedItem>();
  readonly #missing = new Map<string, MissingSubmodule>();
  /** What is named by a tree and is not in this clone, as in a partial one. */
  readonly #missingObjects = new Set<string>();
  readonly #pointers = new Set<string>();

  constructor(history: GitHistory, commit: GitCommit) {
    this.#history = history;
    this.#commit = commit;
  }

  /** The submodules that were asked for and of which nothing is here. */
  get missingSubmodules(): readonly MissingSubmodule[] {
    return [...this.#missing.values()];
  }

  /** The paths that were asked for and whose objects are not here. */
  get missingObjects(): readonly string[] {
    return [...this.#missingObjects];
  }

  /** The files that were read and of which the commit holds a pointer of Git LFS alone. */
  get pointers(): readonly string[] {
    return [...this.#pointers];
  }

  /** What lies at a path, `/` being the top of the work tree; a link counts as what it leads to. */
  at(path: string): Promise<CommittedItem | undefined> {
    let item = this.#items.get(path);
    if (!item) this.#items.set(path, (item = this.#find(path, { left: MAX_LINKS })));
    return item;
  }

  /** The entries of a folder; `undefined` for what is none. */
  async entriesOf(folder: CommittedItem | undefined): Promise<readonly GitEntry[] | undefined> {
    if (folder?.kind !== "folder") return undefined;
    if (folder.id === "") return [];
    const entries = await ifNotTooLarge(folder.history.objects.tree(folder.id));
    if (!entries) this.#missingObjects.add(folder.path);
    return entries;
  }

  /** The bytes of a file as they are stored. */
  async bytesOf(file: CommittedItem, largest: number): Promise<Uint8Array | undefined> {
    const bytes = await file.history.objects.blob(file.id, largest);
    if (!bytes) this.#missingObjects.add(file.path);
    else if (isPointer(bytes)) this.#pointers.add(file.path);
    return bytes;
  }

  /** @param links how many may be followed on the whole way, as a system counts them */
  async #find(path: string, links: { left: number }): Promise<CommittedItem | undefined> {
    const known = this.#found.get(path);
    if (known) return known;
    const found = await this.#look(path, links);
    if (found) this.#found.set(path, found);
    return found;
  }

  async #look(path: string, links: { left: number }): Promise<CommittedItem | undefined> {
    if (path === "/") {
      const { tree } = this.#commit;
      return { kind: "folder", id: tree, path, history: this.#history, top: { path, tree } };
    }
    const folder = await this.#find(parentFolder(path), links);
    const name = lastSegment(path);
    const entry = (await this.entriesOf(folder))?.find((one) => one.name === name);
    if (!folder || !entry) return undefined;
    const { history, top } = folder;
    const own = joinPath(folder.path, name);
    switch (entry.kind) {
      case "file":
      case "folder":
        return { kind: entry.kind, id: entry.id, path: own, history, top };
      case "submodule":
        return this.#submodule(own, entry.id, history, top);
      case "link": {
        if (links.left-- <= 0) return undefined;
        const bytes = await ifNotTooLarge(history.objects.blob(entry.id, MAX_LINK_BYTES));
        const target = bytes && targetOf(folder.path, Buffer.from(bytes).toString());
        return target === undefined ? undefined : this.#find(target, links);
      }
    }
  }

  async #submodule(
    path: string,
    recorded: string,
    history: GitHistory,
    top: CommittedTop,
  ): Promise<CommittedItem> {
    const place = path.slice(top.path === "/" ? 1 : top.path.length + 1);
    const inner = await history.submodule(place, await this.#nameOf(place, history, top), recorded);
    const commit = await inner?.objects.commit(recorded);
    if (inner && commit)
      return { kind: "folder", id: commit.tree, path, history: inner, top: { path, tree: commit.tree } };
    this.#missing.set(path, { path, commit: recorded });
    return { kind: "folder", id: "", path, history, top };
  }

  /** The name of a submodule, by which its objects are kept: its first path unless `.gitmodules` says another. */
  async #nameOf(place: string, history: GitHistory, { tree }: CommittedTop): Promise<string> {
    const entries = (await history.objects.tree(tree)) ?? [];
    const entry = entries.find(({ name, kind }) => name === ".gitmodules" && kind === "file");
    const bytes = entry && (await ifNotTooLarge(history.objects.blob(entry.id, MAX_MODULES_BYTES)));
    let name: string | undefined;
    for (const line of Buffer.from(bytes ?? [])
      .toString()
      .split(/\r?\n/)) {
      name = /^\s*\[submodule "(.+)"\]\s*$/.exec(line)?.[1] ?? name;
      if (/^\s*path\s*=\s*"?(.*?)"?\s*$/.exec(line)?.[1] === place && name !== undefined) return name;
    }
    return place;
  }
}

/** Whether Git LFS keeps the file itself elsewhere (git-lfs, docs/spec.md). */
export function isPointer(bytes: Uint8Array): boolean {
  return bytes.length < MAX_POINTER_BYTES && Buffer.from(bytes.subarray(0, POINTER.length)).equals(POINTER);
}

/** What is larger than anything of its kind is as good as not there. */
export async function ifNotTooLarge<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof LedgerLensError && error.code === "git_object_too_large") return undefined;
    throw error;
  }
}

/** Where a link leads; `undefined` for one that leads out of the work tree. */
function targetOf(folder: string, target: string): string | undefined {
  if (target === "" || target.startsWith("/") || /^[A-Za-z]:|\\/.test(target)) return undefined;
  let depth = folder.split("/").filter((part) => part !== "").length;
  for (const part of target.split("/")) {
    if (part === "" || part === ".") continue;
    depth += part === ".." ? -1 : 1;
    if (depth < 0) return undefined;
  }
  return joinPath(folder, target);
}
