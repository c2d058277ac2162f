import * as vscode from "vscode";
import { parentFolder } from "../core/files/fileReader.ts";
import { uriOf } from "./workspaceFiles.ts";

/** A tool writes what it writes in one go; and by then the editor watches the new folders, too. */
const SETTLE_MS = 500;

/** What to do about folders as a whole. */
interface FolderPorts {
  /** A folder is there that was not. */
  readonly came: (folder: string) => unknown;
  /** A path is gone, which may have been a folder. */
  readonly went: (path: string) => unknown;
}

/**
 * Tells of folders that came or went as a whole, a moment later. The editor says nothing of what lies in them then: of a
 * folder that is moved or deleted it tells the folder alone, and a new one it watches only once it has seen it, so that
 * what is written into it at once stays unheard.
 */
export function watchFolders({ came, went }: FolderPorts): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher("**", false, true, false);
  let made = new Set<string>();
  let gone = new Set<string>();
  let settling: NodeJS.Timeout | undefined;
  const tell = async () => {
    const [now, before] = [made, gone];
    [made, gone] = [new Set(), new Set()];
    for (const path of before) went(path);
    for (const path of now) if (await isFolder(path)) came(path);
  };
  const note = (paths: Set<string>, { path }: vscode.Uri) => {
    if (isBelowOne(paths, path)) return;
    paths.add(path);
    clearTimeout(settling);
    settling = setTimeout(() => void tell(), SETTLE_MS);
  };
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate((uri) => {
      note(made, uri);
    }),
    watcher.onDidDelete((uri) => {
      note(gone, uri);
    }),
    {
      dispose() {
        clearTimeout(settling);
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
