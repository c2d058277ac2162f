import { watch, type FSWatcher } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import type { Disposable } from "vscode";
import { isInside, joinPath, lastSegment } from "../core/files/fileReader.ts";
import { INSTALLED_FOLDERS } from "../core/sources/packagedPath.ts";
import { uriOf } from "./workspaceFiles.ts";

/** A tool makes a folder for each script, each chain or each contract; what makes more is something else. */
const MAX_WATCHED = 512;
/** Others' packages and the repository's own data, which hold no records of the workspace's own. */
const LEFT_OUT: ReadonlySet<string> = new Set([...INSTALLED_FOLDERS, ".git"]);

/** What became of a path below a new folder: a file came or was written to, a folder came, or the path is gone. */
export type InNewFolder = "file" | "written" | "folder" | "gone";

interface Watched {
  readonly watcher: FSWatcher;
  /** Tells it from another folder of its name. */
  readonly identity: string;
}

/**
 * Tells of changes below folders that were made while the window is open. On Linux the editor watches a folder once it has
 * seen it, and never those that were made in it by then (parcel-bundler/watcher, src/linux/InotifyBackend.cc): a tool makes
 * several in one go, and on a busy machine what it writes there later is not told. Folders alone are watched, each by
 * itself: Node's own watch of all below one takes a watch for each file, and holds the thread while it does.
 */
export class NewFolders implements Disposable {
  readonly #changed: (path: string, what: InNewFolder) => void;
  readonly #watched = new Map<string, Watched>();
  #isDisposed = false;

  /** @param changed told of each path; of a folder when it is watched, so that what lies in it by then is for the caller to find */
  constructor(changed: (path: string, what: InNewFolder) => void) {
    this.#changed = changed;
  }

  /** Watches a path that came, where it is a folder, and all folders below it. */
  async watch(path: string): Promise<void> {
    if (process.platform !== "linux" || uriOf(path).scheme !== "file") return;
    await this.#watchAll(path);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
  }

  /** What a path is; a folder is watched by then. */
  async #watchAll(path: string): Promise<InNewFolder> {
    const { fsPath } = uriOf(path);
    // What a link leads to is none of the workspace's, and may be the whole disk.
    const found = await lstat(fsPath).catch(() => undefined);
    if (!found?.isDirectory()) {
      this.#leave(path);
      return found ? "file" : "gone";
    }
    const identity = `${found.ino} ${found.birthtimeMs}`;
    if (this.#watched.get(path)?.identity === identity) return "folder";
    // One that was deleted meanwhile and made again is another folder.
    this.#leave(path);
    if (LEFT_OUT.has(lastSegment(path)) || !this.#add(path, fsPath, identity)) return "folder";
    try {
      for await (const entry of await opendir(fsPath))
        if (entry.isDirectory()) await this.#watchAll(joinPath(path, entry.name));
    } catch {
      // It is gone again.
    }
    return "folder";
  }

  #add(path: string, fsPath: string, identity: string): boolean {
    if (this.#isDisposed || this.#watched.size >= MAX_WATCHED) return false;
    try {
      const watcher = watch(fsPath, { persistent: false });
      this.#watched.set(path, { watcher, identity });
      watcher.on("error", () => {
        this.#leave(path);
      });
      watcher.on("change", (event, name) => {
        void this.#onChange(path, event, String(name));
      });
      return true;
    } catch {
      // It is gone again, or the system watches no more of them: the editor's own watcher is what is left.
      return false;
    }
  }

  async #onChange(folder: string, event: string, name: string): Promise<void> {
    const path = joinPath(folder, name);
    if (event === "change") {
      this.#changed(path, "written");
      return;
    }
    // A folder that is removed is told of by its own name.
    if (name === lastSegment(folder) && (await this.#watchAll(folder)) === "gone") this.#tell(folder, "gone");
    else this.#tell(path, await this.#watchAll(path));
  }

  #tell(path: string, what: InNewFolder): void {
    if (!this.#isDisposed) this.#changed(path, what);
  }

  /** Ends the watch of a folder and of all below it. */
  #leave(path: string): void {
    if (!this.#watched.has(path)) return;
    for (const [one, { watcher }] of this.#watched) {
      if (!isInside(one, path)) continue;
      watcher.close();
      this.#watched.delete(one);
    }
  }
}
