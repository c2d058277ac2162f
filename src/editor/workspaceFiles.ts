import { promises } from "node:fs";
import * as vscode from "vscode";
import { diskFiles } from "../core/files/diskFiles.ts";
import { FileMemory } from "../core/files/fileMemory.ts";
import { isInside, openFile, type FileReader } from "../core/files/fileReader.ts";
import {
  LARGEST_FILE_BYTES,
  systemReason,
  tooLargeReason,
  UnreadableFile,
} from "../core/files/unreadableFile.ts";
import type { FolderEntry, FolderReader } from "../core/files/folderReader.ts";
import { openedFolders } from "../core/sources/boundedReader.ts";

/** The open folders, as core names them. */
export function workspaceFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.path);
}

/** The URI of a path of core: in the file system of the open folder that holds it, else of the first one. */
export function uriOf(path: string): vscode.Uri {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.find(({ uri }) => isInside(path, uri.path)) ?? folders[0];
  return folder ? folder.uri.with({ path }) : vscode.Uri.file(path);
}

/** What has no disk here: the file systems of other extensions, and shares on a network. */
const editorFiles: FolderReader = {
  async read(path, largest = LARGEST_FILE_BYTES) {
    try {
      const uri = uriOf(path);
      if ((await vscode.workspace.fs.stat(uri)).size > largest)
        throw new UnreadableFile(path, tooLargeReason(largest));
      return await vscode.workspace.fs.readFile(uri);
    } catch (error) {
      if (
        error instanceof vscode.FileSystemError &&
        ["FileNotFound", "FileIsADirectory", "FileNotADirectory"].includes(error.code)
      ) {
        return undefined;
      }
      throw error instanceof UnreadableFile ? error : new UnreadableFile(path, systemReason(error), error);
    }
  },
  async realPath(path) {
    const uri = uriOf(path);
    if (uri.scheme !== "file") return path;
    try {
      return vscode.Uri.file(await promises.realpath(uri.fsPath)).path;
    } catch {
      return undefined;
    }
  },
  async list(path) {
    let entries: [string, vscode.FileType][];
    try {
      entries = await vscode.workspace.fs.readDirectory(uriOf(path));
    } catch (error) {
      if (error instanceof vscode.FileSystemError) return undefined;
      throw error;
    }
    return entries.flatMap(([name, type]): FolderEntry[] => {
      const link = (type & vscode.FileType.SymbolicLink) !== 0;
      if (type & vscode.FileType.Directory) return [{ name, kind: "folder", link }];
      return type & vscode.FileType.File ? [{ name, kind: "file", link }] : [];
    });
  },
  modified: async (path) => (await statOf(path))?.mtime,
  async state(path) {
    const stats = await statOf(path);
    if (!stats) return undefined;
    const { size, mtime, type } = stats;
    // One that gives no times never says that a file is settled.
    const changed = mtime > 0 ? mtime : Infinity;
    const isLink = (type & vscode.FileType.SymbolicLink) !== 0;
    return { device: 0, inode: 0, size, modified: mtime, changed, isLink };
  },
};

async function statOf(path: string): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uriOf(path));
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}

function readerOf(path: string): FolderReader {
  const { scheme, authority } = uriOf(path);
  return scheme === "file" && authority === "" ? diskFiles : editorFiles;
}

let memory: FileMemory | undefined;

/** Lets what is read of the open folders be remembered until the end, by the part that owns it. */
export function rememberFiles(): { dispose(): void } {
  memory = new FileMemory();
  return { dispose: () => void (memory = undefined) };
}

/**
 * The open folders as they are on disk. Open documents are not asked: an editor decodes and may normalise line
 * endings, and what was deployed was built from the disk.
 */
export const workspaceFolderReader: FolderReader = {
  read: (path, largest) => readerOf(path).read(path, largest),
  realPath: (path) => readerOf(path).realPath(path),
  open: (path, largest) => openFile(readerOf(path), path, largest),
  list: (path) => readerOf(path).list(path),
  namesInDiskOrder: (path) => readerOf(path).namesInDiskOrder?.(path) ?? Promise.resolve(undefined),
  modified: (path) => readerOf(path).modified?.(path) ?? Promise.resolve(undefined),
  state: (path) => readerOf(path).state?.(path) ?? Promise.resolve(undefined),
  get memory() {
    return memory;
  },
};

/** The same for those who list nothing. */
export const workspaceFiles: FileReader = workspaceFolderReader;

/** Reads the open folders, and nothing that a configuration names elsewhere. */
export async function openedFiles(): Promise<FolderReader> {
  return (await openedFolders(workspaceFolderReader, workspaceFolders())).files;
}
