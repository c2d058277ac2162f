import { stateOf, type FileState } from "./fileState.ts";
import {
  closeSync,
  constants,
  fstat,
  fstatSync,
  lstat,
  lstatSync,
  open,
  openSync,
  read,
  readdir,
  readdirSync,
  readlinkSync,
  readSync,
  realpath,
  realpathSync,
  stat,
  statSync,
  type Dirent,
  type Stats,
} from "node:fs";
import { opendir } from "node:fs/promises";
import { RequestPace } from "./requestPace.ts";
import { joinPath, type OpenedFile } from "./fileReader.ts";
import { LARGEST_FILE_BYTES, systemReason, tooLargeReason, UnreadableFile } from "./unreadableFile.ts";
import type { FolderEntry, FolderReader } from "./folderReader.ts";

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

/** Nearly every source fits, and then it is read by a single request. */
const CHUNK_BYTES = 64 * 1024;
/** As many as are read at once by a closure of some size. */
const MAX_SPARE_CHUNKS = 64;

const pace = new RequestPace();

/**
 * The files of this machine. What is no regular file is not read (a link in a repository may lead to a device or a
 * pipe), so that reading always ends.
 *
 * Reading and listing throw `UnreadableFile`; what is missing is no error.
 */
export const diskFiles: FolderReader = {
  read: async (path, largest) => (await openRegularFile(path, largest, () => ""))?.bytes,
  open: (path, largest) => openRegularFile(path, largest, realPathOf),
  realPath: (path) => {
    const name = systemPath(path);
    return pace.request(
      () => corePath(realpathSync.native(name)),
      () =>
        new Promise((resolve, reject) => {
          realpath.native(name, (error, real) => {
            if (error) reject(error);
            else resolve(corePath(real));
          });
        }),
    );
  },
  list: async (path) => {
    if (path.includes("\0")) return undefined;
    const name = systemPath(path);
    const entries = await pace
      .request(
        () => listAtOnce(name),
        () => listFolder(name),
      )
      .catch((error: unknown) => {
        throw unreadable(path, error, LARGEST_FILE_BYTES);
      });
    if (!entries?.some((entry) => entry.isSymbolicLink())) return entries?.map((entry) => entryOf(entry));
    const kinds = await Promise.all(
      entries.map(async (entry) =>
        entry.isSymbolicLink() ? linkOf(entry.name, joinPath(path, entry.name)) : entryOf(entry),
      ),
    );
    return kinds.flat();
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
  modified: async (path) => {
    if (path.includes("\0")) return undefined;
    const name = systemPath(path);
    return pace
      .request(
        () => statSync(name, { throwIfNoEntry: false })?.mtimeMs,
        () =>
          new Promise((resolve) => {
            stat(name, (error, stats) => resolve(error ? undefined : stats.mtimeMs));
          }),
      )
      .catch(() => undefined);
  },
  state: async (path) => {
    if (path.includes("\0")) return undefined;
    const name = systemPath(path);
    return pace
      .request(
        () => stateAtOnce(name),
        () => stateElsewhere(name),
      )
      .catch(() => undefined);
  },
};

function stateAtOnce(name: string): FileState | undefined {
  const stats = lstatSync(name, { throwIfNoEntry: false });
  if (!stats?.isSymbolicLink()) return stats && stateOf(stats);
  const target = statSync(name, { throwIfNoEntry: false });
  return target && stateOf(target, true);
}

function stateElsewhere(name: string): Promise<FileState | undefined> {
  return new Promise((resolve) => {
    lstat(name, (error, stats) => {
      if (error) resolve(undefined);
      else if (!stats.isSymbolicLink()) resolve(stateOf(stats));
      else stat(name, (broken, target) => resolve(broken ? undefined : stateOf(target, true)));
    });
  });
}

/** Says where the file of a descriptor lies that was opened by this path. */
type Locate = (descriptor: number, path: string) => string;

async function openRegularFile(
  path: string,
  largest: number = LARGEST_FILE_BYTES,
  locate: Locate,
): Promise<OpenedFile | undefined> {
  // A name with a null can't be asked for.
  if (path.includes("\0")) return undefined;
  const name = systemPath(path);
  try {
    const opened = await pace.request(
      () => readAtOnce(name, locate),
      () => readWhole(name, largest, locate),
    );
    return opened === "long" ? await readWhole(name, largest, locate) : opened;
  } catch (error) {
    throw unreadable(path, error, largest);
  }
}

/**
 * The path of an open file. Linux knows it; elsewhere the path is followed again, and the file there has to be the one
 * that is open.
 *
 * @throws Error `ENOENT` when the file is no longer where it was opened: then there is none.
 */
function realPathOf(descriptor: number, path: string): string {
  const known = isLinux ? linkOfDescriptor(descriptor) : undefined;
  if (known !== undefined) return known;
  const real = realpathSync.native(path);
  const [opened, there] = [fstatSync(descriptor, { bigint: true }), statSync(real, { bigint: true })];
  if (opened.ino === there.ino && opened.dev === there.dev) return corePath(real);
  throw Object.assign(new Error(`${path} was replaced while it was read`), { code: "ENOENT" });
}

/** What `/proc` says of an open file; `undefined` where it is not mounted, and for a file that was replaced since. */
function linkOfDescriptor(descriptor: number): string | undefined {
  try {
    const path = readlinkSync(`/proc/self/fd/${descriptor}`);
    return path.startsWith("/") && !path.endsWith(" (deleted)") ? path : undefined;
  } catch {
    return undefined;
  }
}

function listFolder(name: string): Promise<Dirent[] | undefined> {
  return new Promise((resolve, reject) => {
    readdir(name, { withFileTypes: true }, (error, found) => {
      if (!error) resolve(found);
      else if (isNothingThere(error)) resolve(undefined);
      else reject(error);
    });
  });
}

function listAtOnce(name: string): Dirent[] | undefined {
  try {
    return readdirSync(name, { withFileTypes: true });
  } catch (error) {
    if (isNothingThere(error)) return undefined;
    throw error;
  }
}

/** A pipe that nobody writes to must not block; Windows has no such flag. */
const READ = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);

const spareChunks: Buffer[] = [];

/** Says that a file has more bytes than are wanted. */
class TooLarge extends Error {}

/** Says that there is neither a file nor a folder. */
class Special extends Error {}

function unreadable(path: string, error: unknown, largest: number): UnreadableFile {
  const reason =
    error instanceof TooLarge
      ? tooLargeReason(largest)
      : error instanceof Special
        ? "is no regular file"
        : systemReason(error);
  return new UnreadableFile(path, reason, error);
}

/** True for a regular file, false for a folder. */
function isRegular(stats: Stats): boolean {
  if (!stats.isFile() && !stats.isDirectory()) throw new Special();
  return stats.isFile();
}

/** What {@link readWhole} answers, on the spot; a long file is not read there, where everybody waits for it. */
function readAtOnce(path: string, locate: Locate): OpenedFile | undefined | "long" {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, READ);
    // What a pipe or a device has to say must not even be taken from it.
    const stats = fstatSync(descriptor);
    if (!isRegular(stats)) return undefined;
    const chunk = spareChunks.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
    const count = readSync(descriptor, chunk, 0, CHUNK_BYTES, 0);
    const bytes = count === CHUNK_BYTES ? "long" : Buffer.allocUnsafe(count);
    if (bytes !== "long") chunk.copy(bytes, 0, 0, count);
    if (spareChunks.length < MAX_SPARE_CHUNKS) spareChunks.push(chunk);
    return bytes === "long" ? bytes : { bytes, realPath: locate(descriptor, path), state: stateOf(stats) };
  } catch (error) {
    if (isNothingThere(error)) return undefined;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** More files are not open at once: a system has an end to that, and each has a chunk of memory. */
const MAX_OPEN = MAX_SPARE_CHUNKS;
let openNow = 0;
/** Requests that wait until a file is closed, in their order from `nextWaiting` on. */
let waiting: (() => void)[] = [];
let nextWaiting = 0;

/** {@link readNow}, when there is room for one more open file. */
async function readWhole(path: string, largest: number, locate: Locate): Promise<OpenedFile | undefined> {
  if (openNow < MAX_OPEN) openNow++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await readNow(path, largest, locate);
  } finally {
    const next = waiting[nextWaiting++];
    if (next) {
      next();
    } else {
      openNow--;
      waiting = [];
      nextWaiting = 0;
    }
  }
}

/** The bytes of a regular file; `undefined` for anything else. Half as many requests as `fs.readFile` makes. */
function readNow(path: string, largest: number, locate: Locate): Promise<OpenedFile | undefined> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      if (isNothingThere(error)) resolve(undefined);
      else reject(error);
    };
    open(path, READ, (failure, descriptor) => {
      if (failure) {
        fail(failure);
        return;
      }
      let state: FileState | undefined;
      const done = (error: Error | null, bytes?: Buffer) => {
        try {
          if (error) fail(error);
          else resolve(bytes && { bytes, realPath: locate(descriptor, path), ...(state && { state }) });
        } catch (failed) {
          fail(failed as Error);
        } finally {
          // Nothing was written, so that closing waits for nothing.
          closeSync(descriptor);
        }
      };
      let isFile: boolean;
      try {
        // Of an open file the system knows it without a request.
        const stats = fstatSync(descriptor);
        isFile = isRegular(stats);
        state = stateOf(stats);
      } catch (error) {
        done(error as Error);
        return;
      }
      if (!isFile) {
        done(null);
        return;
      }
      const chunk = spareChunks.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
      read(descriptor, chunk, 0, CHUNK_BYTES, 0, (error, count) => {
        if (error) {
          done(error);
        } else if (count === CHUNK_BYTES) {
          readLong(descriptor, largest, done);
        } else {
          const bytes = Buffer.allocUnsafe(count);
          chunk.copy(bytes, 0, 0, count);
          done(null, bytes);
        }
        if (spareChunks.length < MAX_SPARE_CHUNKS) spareChunks.push(chunk);
      });
    });
  });
}

/** At most as many bytes as the file had to begin with: one that grows meanwhile has an end here too. */
function readLong(
  descriptor: number,
  largest: number,
  done: (error: Error | null, bytes?: Buffer) => void,
): void {
  fstat(descriptor, (failure, stats) => {
    if (failure || stats.size > largest) {
      done(failure ?? new TooLarge());
      return;
    }
    const bytes = Buffer.allocUnsafeSlow(stats.size);
    const readOn = (from: number): void => {
      read(descriptor, bytes, from, bytes.length - from, from, (error, count) => {
        if (error) done(error);
        else if (count === 0 || from + count === bytes.length) done(null, bytes.subarray(0, from + count));
        else readOn(from + count);
      });
    };
    readOn(0);
  });
}

function entryOf(entry: Dirent): FolderEntry {
  return { name: entry.name, kind: kindOf(entry) };
}

function kindOf(one: Pick<Dirent, "isFile" | "isDirectory">): FolderEntry["kind"] {
  return one.isFile() ? "file" : one.isDirectory() ? "folder" : "special";
}

function linkOf(name: string, path: string): Promise<FolderEntry[]> {
  return new Promise((resolve) => {
    stat(systemPath(path), (error, stats) => {
      resolve(error ? [] : [{ name, kind: kindOf(stats), link: true }]);
    });
  });
}

function isNothingThere(error: unknown): boolean {
  return error instanceof Error && "code" in error && NOTHING_THERE.has(String(error.code));
}

const isWindows = process.platform === "win32";
const isLinux = process.platform === "linux";

/** `/c:/vault` is `c:/vault` for Windows, which takes either slash. */
function systemPath(path: string): string {
  return isWindows ? path.replace(/^\/(?=[A-Za-z]:)/, "") : path;
}

/** A path of the system as core names it, the drive in lower case as the editor has it. */
function corePath(path: string): string {
  if (!isWindows) return path;
  const slashed = path.replaceAll("\\", "/");
  return /^[A-Za-z]:/.test(slashed) ? `/${slashed.charAt(0).toLowerCase()}${slashed.slice(1)}` : slashed;
}
