import type { FileState } from "./fileState.ts";

/**
 * How core reads a workspace. Paths are absolute and use `/` on every system, as the path part of a
 * `file:` URI does (`/home/me/vault/A.sol`, `/c:/vault/A.sol`), so that the editor can hand in any file
 * system and a test can hand in a map.
 */
export interface FileReader {
  /**
   * The bytes on disk, or `undefined` when there is no such file (a folder is no file).
   *
   * @param largest The most bytes that are wanted; a reader may have a limit of its own without it.
   * @throws UnreadableFile for what is there and can't be read: a file without permission or a larger one, a device.
   */
  read(path: string, largest?: number): Promise<Uint8Array | undefined>;
  /**
   * The path behind every symbolic link, or `undefined` where it leads nowhere: nothing is there, a link leads in a circle
   * or to what is gone. A file system without links answers the path itself, whatever is there.
   */
  realPath(path: string): Promise<string | undefined>;
  /**
   * {@link read}, and where the very file lies that was opened, however links change meanwhile. Absent where the file
   * system can't tell; see {@link openFile}.
   */
  open?(path: string, largest?: number): Promise<OpenedFile | undefined>;
}

/** What was read of a file, and the file that it was. */
export interface OpenedFile {
  readonly bytes: Uint8Array;
  /** The path behind every link. A second hard link to a file is as good as the first: no system tells them apart. */
  readonly realPath: string;
  /** The state of the very file that was opened, from before it was read; absent where the file system can't say. */
  readonly state?: FileState;
}

/** Opens a file; where the file system can't say which one it opened, the path is followed once more. */
export async function openFile(
  files: FileReader,
  path: string,
  largest?: number,
): Promise<OpenedFile | undefined> {
  if (files.open) return files.open(path, largest);
  const bytes = await files.read(path, largest);
  if (!bytes) return undefined;
  const realPath = await files.realPath(path);
  return realPath === undefined ? undefined : { bytes, realPath };
}

/** Joins a folder and a relative path, resolving `.` and `..` segments and doubled slashes. */
export function joinPath(folder: string, relative: string): string {
  const joined = relative.startsWith("/") ? relative : `${folder}/${relative}`;
  if (isPlain(joined)) return joined;
  const segments: string[] = [];
  for (const segment of joined.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") segments.pop();
    else segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

/** True for an absolute path in which nothing is left to resolve; looked at so often that a pattern takes too long. */
function isPlain(path: string): boolean {
  return path.startsWith("/") && !path.endsWith("/") && !path.includes("/.") && !path.includes("//");
}

/** The name of a file or folder: what stands after the last slash of its path. */
export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The folder that holds a path; the root is its own folder. */
export function parentFolder(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** A folder and all those above it, up to the root of the file system. */
export function foldersUpwards(start: string): string[] {
  const folders = [start];
  for (let at = start; at !== "/";) folders.push((at = parentFolder(at)));
  return folders;
}

/** True for the folder itself and everything below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** `path` seen from `folder`, or `undefined` when it is not below it. */
export function relativePath(path: string, folder: string): string | undefined {
  return path !== folder && isInside(path, folder)
    ? path.slice(folder.endsWith("/") ? folder.length : folder.length + 1)
    : undefined;
}
