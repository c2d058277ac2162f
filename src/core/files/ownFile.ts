import { constants } from "node:fs";
import { lstat, open, rename, rm, type FileHandle } from "node:fs/promises";
import { diskCode } from "./diskError.ts";

/** Neither follows a link nor waits for the other end of a pipe; Windows has neither, and there they count as 0. */
const AS_IT_IS = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Replaces the content of a file that is one; a link, a pipe or a folder of that name is an error. */
export const REPLACE_OWN = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | AS_IT_IS;

/** Bytes: several times what the history of two thousand jobs has. */
export const LARGEST_OWN_FILE = 64 * 1024 * 1024;

/**
 * Does something with a file of a folder that only we write to. What else stands there, such as a link to a program, a
 * device or a pipe, is left alone: what was looked at and what is used is the same opened file.
 *
 * @returns `undefined` where there is no regular file of that name
 * @throws errors of the file system
 */
export async function withOwnFile<T>(
  path: string,
  work: (file: FileHandle) => Promise<T>,
): Promise<T | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | AS_IT_IS);
  } catch (error) {
    if (["ENOENT", "ELOOP", "EMLINK", "ENXIO"].includes(diskCode(error) ?? "")) return undefined;
    throw error;
  }
  try {
    return (await file.stat()).isFile() ? await work(file) : undefined;
  } finally {
    await file.close();
  }
}

/**
 * Writes a file where nothing has that name; one that can't be written whole is none.
 *
 * @returns whether it was written
 * @throws errors of the file system
 */
export async function createOwnFile(path: string, content: string | Uint8Array): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, "wx", 0o600);
  } catch (error) {
    if (diskCode(error) === "EEXIST") return false;
    throw error;
  }
  try {
    await file.writeFile(content);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return true;
}

/**
 * Takes away what stands where a file of ours has to be: a file or a link is removed, a folder, which may hold anything,
 * gets another name beside it.
 *
 * @throws errors of the file system
 */
export async function clearOwnPlace(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory()) await rename(path, `${path}.${crypto.randomUUID()}.aside`);
  else await rm(path, { force: true });
}

/** Whether something stands there that is no file: nothing of ours. */
export async function isStranger(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && !found.isFile();
}
