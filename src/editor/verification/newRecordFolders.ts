import { watch, type FSWatcher } from "node:fs";
import { lstat } from "node:fs/promises";
import type { Disposable } from "vscode";
import { isInside, joinPath } from "../../core/files/fileReader.ts";
import { uriOf } from "../workspaceFiles.ts";

/** A tool makes a folder for each script and each chain; what makes more is something else. */
const MAX_WATCHED = 64;

/**
 * Hears of changes below folders that were made while the window is open. On Linux the editor watches a folder once it has
 * seen it, and never those that were made in it by then (parcel-bundler/watcher, src/linux/InotifyBackend.cc): a tool makes
 * several in one go, and on a busy machine what it writes there later stays unheard.
 */
export class NewRecordFolders implements Disposable {
  readonly #changed: (path: string) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #isDisposed = false;

  /** @param changed told of each path that was written or made */
  constructor(changed: (path: string) => void) {
    this.#changed = changed;
  }

  /** Watches a path that came, where it is a folder and none above it is watched. */
  async watch(path: string): Promise<void> {
    const { scheme, fsPath } = uriOf(path);
    if (process.platform !== "linux" || scheme !== "file") return;
    // What a link leads to is none of the workspace's, and may be the whole disk.
    const found = await lstat(fsPath).catch(() => undefined);
    // One that was deleted meanwhile and made again is another folder.
    this.#leave(path);
    if (found?.isDirectory() !== true || this.#isDisposed || this.#watchers.size >= MAX_WATCHED) return;
    if ([...this.#watchers.keys()].some((one) => isInside(path, one))) return;
    try {
      const watcher = watch(fsPath, { recursive: true, persistent: false });
      this.#watchers.set(path, watcher);
      watcher.on("error", () => {
        this.#leave(path);
      });
      watcher.on("change", (_, name) => {
        this.#changed(joinPath(path, String(name)));
      });
    } catch {
      // It is gone again, or the system watches no more of them: the editor's own watcher is what is left.
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const path of [...this.#watchers.keys()]) this.#leave(path);
  }

  #leave(path: string): void {
    this.#watchers.get(path)?.close();
    this.#watchers.delete(path);
  }
}
