import type { FileReader } from "../files.ts";

/** One name in a folder. */
export interface FolderEntry {
  readonly name: string;
  /** What it is, or what a symbolic link leads to; a link that leads nowhere is left out. */
  readonly kind: "file" | "folder";
  /** It is a symbolic link. */
  readonly link?: boolean;
}

/** A {@link FileReader} that can say what is in a folder. */
export interface FolderReader extends FileReader {
  /** The entries in any order, or `undefined` when there is no such folder. */
  list(path: string): Promise<readonly FolderEntry[] | undefined>;
}

/**
 * Remembers what folders hold and where links lead for the length of one job, so that nothing is asked twice.
 * File contents are not kept.
 */
export function rememberingReader(files: FolderReader): FolderReader {
  const folders = new Map<string, Promise<readonly FolderEntry[] | undefined>>();
  const realPaths = new Map<string, Promise<string>>();
  return {
    read: (path) => files.read(path),
    list: (path) => remembered(folders, path, () => files.list(path)),
    realPath: (path) => remembered(realPaths, path, () => files.realPath(path)),
  };
}

function remembered<T>(known: Map<string, Promise<T>>, path: string, ask: () => Promise<T>): Promise<T> {
  const before = known.get(path);
  if (before) return before;
  const answer = ask();
  known.set(path, answer);
  return answer;
}

/** True when the path is a folder. */
export async function isFolder(files: FolderReader, path: string): Promise<boolean> {
  return (await files.list(path)) !== undefined;
}

/** The names of the files in a folder whose name ends so, in the order of the alphabet. */
export async function filesEnding(files: FolderReader, folder: string, ending: string): Promise<string[]> {
  const entries = (await files.list(folder)) ?? [];
  return entries
    .filter(({ name, kind }) => kind === "file" && name.endsWith(ending))
    .map(({ name }) => name)
    .sort();
}

/** The names of the folders in a folder, in the order of the alphabet. */
export async function foldersIn(files: FolderReader, folder: string): Promise<string[]> {
  const entries = (await files.list(folder)) ?? [];
  return entries
    .filter(({ kind }) => kind === "folder")
    .map(({ name }) => name)
    .sort();
}
