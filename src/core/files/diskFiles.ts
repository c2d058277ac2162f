import { t } from "@vscode/l10n";
import { constants, lstatSync, statSync, type Dirent, type Stats } from "node:fs";
import { lstat, open, opendir, readdir, readlink, realpath, stat, type FileHandle } from "node:fs/promises";
import { Limit } from "../concurrency/limit.ts";
import { diskCode } from "./diskError.ts";
import { joinPath } from "./fileReader.ts";
import { stateOf } from "./fileState.ts";
import { RequestPace } from "./requestPace.ts";
import type { FolderEntry, FolderReader } from "./folderReader.ts";
import { LARGEST_FILE_BYTES, systemReason, tooLargeReason, UnreadableFile } from "./unreadableFile.ts";

/** What the system says when a path leads to nothing, or to nothing that can be a file or a folder. */
const NOTHING_THERE = new Set([
  "ENOENT",
  "ENOTDIR",
  "EISDIR",
  "ELOOP",
  "ENAMETOOLONG",
  "EINVAL",
  "ENXIO",
  "ESPIPE",
]);

/** More files are not open at once: a system limits how many a process may have, and each takes memory. */
const MAX_OPEN = 64;

/**
 * The files of this machine. What is no regular file is not read (a link in a repository may lead to a device or a
 * pipe), so that reading always ends.
 *
 * What is read goes to another thread. Whether a file is still the same is asked of hundreds for every input, which is
 * done on this one while the system answers from its cache: an input from a record of 500 files takes 13 ms and not 26.
 *
 * Reading and listing throw `UnreadableFile`; what is missing is no error.
 */
export const diskFiles: FolderReader = {
  read: (path, largest) => withRegularFile(path, largest, bytesOf),
  open: (path, largest) =>
    withRegularFile(path, largest, async (handle, stats) => {
      const [bytes, realPath] = await Promise.all([bytesOf(handle, stats), realPathOf(handle, path)]);
      return { bytes, realPath, state: stateOf(stats) };
    }),
  realPath: async (path) => {
    try {
      return corePath(await realpath(systemPath(path)));
    } catch {
      // What may not be followed leads nowhere either; reading it says why.
      return undefined;
    }
  },
  list: async (path) => {
    // A name with a null can't be asked for.
    if (path.includes("\0")) return undefined;
    try {
      const entries = await readdir(systemPath(path), { withFileTypes: true });
      const known = await Promise.all(entries.map((entry) => entryOf(path, entry)));
      return known.filter((entry) => entry !== undefined);
    } catch (error) {
      if (isNothingThere(error)) return undefined;
      throw unreadable(path, error, LARGEST_FILE_BYTES);
    }
  },
  namesInDiskOrder: async (path) => {
    // Reading a folder as a whole sorts it.
    try {
      const names: string[] = [];
      for await (const { name } of await opendir(systemPath(path))) names.push(name);
      return names;
    } catch {
      return undefined;
    }
  },
  modified: async (path) => (await diskFiles.state?.(path))?.modified,
  state: async (path) => {
    const name = systemPath(path);
    try {
      return await pace.request(
        () => {
          const stats = lstatSync(name);
          return stats.isSymbolicLink() ? stateOf(statSync(name), true) : stateOf(stats);
        },
        async () => {
          const stats = await lstat(name);
          return stats.isSymbolicLink() ? stateOf(await stat(name), true) : stateOf(stats);
        },
      );
    } catch {
      return undefined;
    }
  },
};

const pace = new RequestPace();

/** A pipe without a writer must not block; Windows has no such flag. */
const READ = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);

const openFiles = new Limit(MAX_OPEN);

/** Says that a file has more bytes than are wanted. */
class TooLarge extends Error {}

/** Says that there is neither a file nor a folder. */
class Special extends Error {}

/** What is made of a regular file while it is open; `undefined` where there is none. */
async function withRegularFile<T>(
  path: string,
  largest: number = LARGEST_FILE_BYTES,
  use: (handle: FileHandle, stats: Stats) => Promise<T>,
): Promise<T | undefined> {
  if (path.includes("\0")) return undefined;
  try {
    return await openFiles.run(async () => {
      const handle = await open(systemPath(path), READ);
      try {
        // Of what is no regular file not a byte is taken: a pipe gives each only once.
        const stats = await handle.stat();
        if (stats.isDirectory()) return undefined;
        if (!stats.isFile()) throw new Special();
        if (stats.size > largest) throw new TooLarge();
        return await use(handle, stats);
      } finally {
        await handle.close();
      }
    });
  } catch (error) {
    if (isNothingThere(error)) return undefined;
    throw unreadable(path, error, largest);
  }
}

/** As many bytes as the file had when it was opened: one that grows meanwhile has an end too. */
async function bytesOf(handle: FileHandle, { size }: Stats): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/**
 * The path of an open file. Linux knows it; elsewhere the path is followed again, and the file there has to be the one
 * that is open.
 *
 * @throws Error `ENOENT` when the file is no longer where it was opened: then there is none.
 */
async function realPathOf(handle: FileHandle, path: string): Promise<string> {
  const known = isLinux ? await linkOfDescriptor(handle.fd) : undefined;
  if (known !== undefined) return known;
  const real = await realpath(systemPath(path));
  const [opened, there] = await Promise.all([handle.stat({ bigint: true }), stat(real, { bigint: true })]);
  if (opened.ino === there.ino && opened.dev === there.dev) return corePath(real);
  throw Object.assign(new Error(t`${path} was replaced while it was read`), { code: "ENOENT" });
}

/** What `/proc` says of an open file; `undefined` where it is not mounted, and for a file that was replaced since. */
async function linkOfDescriptor(descriptor: number): Promise<string | undefined> {
  try {
    const path = await readlink(`/proc/self/fd/${descriptor}`);
    return path.startsWith("/") && !path.endsWith(" (deleted)") ? path : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(path: string, error: unknown, largest: number): UnreadableFile {
  const reason =
    error instanceof TooLarge
      ? tooLargeReason(largest)
      : error instanceof Special
        ? t`is no regular file`
        : systemReason(error);
  return new UnreadableFile(path, reason, error);
}

function kindOf(one: Pick<Stats, "isFile" | "isDirectory">): FolderEntry["kind"] {
  return one.isFile() ? "file" : one.isDirectory() ? "folder" : "special";
}

/** A link is what it leads to; `undefined` for one that leads nowhere. */
async function entryOf(folder: string, entry: Dirent): Promise<FolderEntry | undefined> {
  const { name } = entry;
  if (!entry.isSymbolicLink()) return { name, kind: kindOf(entry) };
  try {
    return { name, kind: kindOf(await stat(systemPath(joinPath(folder, name)))), link: true };
  } catch {
    return undefined;
  }
}

function isNothingThere(error: unknown): boolean {
  return NOTHING_THERE.has(diskCode(error) ?? "");
}

const isWindows = process.platform === "win32";
const isLinux = process.platform === "linux";

/** `/c:/vault` is `c:/vault` for Windows, which takes either slash; `c:` alone would be where a program is on that drive. */
function systemPath(path: string): string {
  return isWindows ? path.replace(/^\/([A-Za-z]:)$/, "$1/").replace(/^\/(?=[A-Za-z]:)/, "") : path;
}

/** A path of the system as core names it, the drive in lower case as the editor has it. */
function corePath(path: string): string {
  if (!isWindows) return path;
  const slashed = path.replaceAll("\\", "/");
  return /^[A-Za-z]:/.test(slashed) ? `/${slashed.charAt(0).toLowerCase()}${slashed.slice(1)}` : slashed;
}
