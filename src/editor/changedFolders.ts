import * as vscode from "vscode";
import { Settling } from "../core/concurrency/settling.ts";
import { parentFolder } from "../core/files/fileReader.ts";
import { NewFolders } from "./newFolders.ts";
import { uriOf } from "./workspaceFiles.ts";

/** A tool writes what it writes in one go; and by then the editor watches the new folders, too. */
const SETTLE_MS = 500;
/** What is unpacked for longer is looked at in between. */
const LONGEST_MS = 5_000;

/** What to do about folders as a whole. */
interface FolderPorts {
  /** A folder is there that was not. */
  readonly came: (folder: string) => unknown;
  /** A path is gone, which may have been a folder. */
  readonly went: (path: string) => unknown;
  /** A file came, was written to or went below a folder that came, of which the editor need not say anything. */
  readonly changed: (path: string) => unknown;
}

/**
 * Tells of folders that came or went as a whole, a moment later. The editor says nothing of what lies in them then: of a
 * folder that is moved or deleted it tells the folder alone, and a new one it watches only once it has seen it, so that
 * what is written into it at once is not told, and what is written later into a folder that was made in it by then.
 */
export function watchFolders({ came, went, changed }: FolderPorts): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher("**", false, true, false);
  let made = new Set<string>();
  let gone = new Set<string>();
  const settling = new Settling(
    async () => {
      const [now, before] = [made, gone];
      [made, gone] = [new Set(), new Set()];
      for (const path of before) went(path);
      for (const path of now) {
        if (!(await isFolder(path))) continue;
        await newFolders.watch(path);
        came(path);
      }
    },
    SETTLE_MS,
    LONGEST_MS,
  );
  const note = (paths: Set<string>, path: string) => {
    if (isBelowOne(paths, path)) return;
    paths.add(path);
    settling.hear();
  };
  const newFolders = new NewFolders((path, what) => {
    if (what === "folder") {
      note(made, path);
      return;
    }
    if (what === "gone") note(gone, path);
    changed(path);
  });
  return vscode.Disposable.from(
    watcher,
    newFolders,
    watcher.onDidCreate(({ path }) => {
      note(made, path);
    }),
    watcher.onDidDelete(({ path }) => {
      note(gone, path);
    }),
    {
      dispose() {
        settling.stop();
      },
    },
  );
}

/** Whether a folder above a path is among others. */
function isBelowOne(paths: ReadonlySet<string>, path: string): boolean {
  for (let folder = parentFolder(path); folder !== path; path = folder, folder = parentFolder(path))
    if (paths.has(folder)) return true;
  return false;
}

/** A folder, and no link to one. */
async function isFolder(path: string): Promise<boolean> {
  const stat = await vscode.workspace.fs.stat(uriOf(path)).then(undefined, () => undefined);
  return stat?.type === vscode.FileType.Directory;
}
