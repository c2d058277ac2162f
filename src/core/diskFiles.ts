import {
  closeSync,
  constants,
  fstat,
  fstatSync,
  open,
  openSync,
  read,
  readdir,
  readdirSync,
  readSync,
  realpath,
  realpathSync,
  stat,
  type Dirent,
} from "node:fs";
import { RequestPace } from "./requestPace.ts";
import { joinPath } from "./files.ts";
import type { FolderEntry, FolderReader } from "./projects/folderReader.ts";

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
const MOST_SPARE_CHUNKS = 64;

const pace = new RequestPace();

/**
 * The files of this machine. What is no regular file counts as none (a link in a repository may lead to a device
 * or a pipe), so that reading always ends.
 *
 * Errors are those of `node:fs`; what is missing is none.
 */
export const diskFiles: FolderReader = {
  read: (path) => {
    // A name with a null can't be asked for.
    if (path.includes("\0")) return Promise.resolve(undefined);
    const name = systemPath(path);
    return pace.request(
      () => readAtOnce(name),
      () => readWhole(name),
    );
  },
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
    const name = systemPath(path);
    const entries = await pace.request(
      () => listAtOnce(name),
      () => listFolder(name),
    );
    if (!entries?.some((entry) => entry.isSymbolicLink())) return entries?.flatMap((entry) => entryOf(entry));
    const kinds = await Promise.all(
      entries.map(async (entry) =>
        entry.isSymbolicLink() ? linkOf(entry.name, joinPath(path, entry.name)) : entryOf(entry),
      ),
    );
    return kinds.flat();
  },
  modified: (path) =>
    new Promise((resolve) => {
      stat(systemPath(path), (error, stats) => {
        resolve(error ? undefined : stats.mtimeMs);
      });
    }),
};

function listFolder(name: string): Promise<Dirent[] | undefined> {
  return new Promise((resolve, reject) => {
    readdir(name, { withFileTypes: true }, (error, found) => {
      if (!error) resolve(found);
      else if (isAsGoodAsNone(error)) resolve(undefined);
      else reject(error);
    });
  });
}

function listAtOnce(name: string): Dirent[] | undefined {
  try {
    return readdirSync(name, { withFileTypes: true });
  } catch (error) {
    if (isAsGoodAsNone(error)) return undefined;
    throw error;
  }
}

/** A folder that may not be listed is as good as none. */
function isAsGoodAsNone(error: unknown): boolean {
  return isNothingThere(error) || ["EACCES", "EPERM"].includes(String((error as NodeJS.ErrnoException).code));
}

/** A pipe that nobody writes to must not block; Windows has no such flag. */
const READ = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);

const spareChunks: Buffer[] = [];

/** What {@link readWhole} answers, on the spot. */
function readAtOnce(path: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, READ);
    const chunk = spareChunks.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
    const count = readSync(descriptor, chunk, 0, CHUNK_BYTES, 0);
    const bytes = count === CHUNK_BYTES ? readLongAtOnce(descriptor) : Buffer.allocUnsafe(count);
    if (count < CHUNK_BYTES) chunk.copy(bytes ?? chunk, 0, 0, count);
    if (spareChunks.length < MOST_SPARE_CHUNKS) spareChunks.push(chunk);
    return bytes;
  } catch (error) {
    if (isNothingThere(error)) return undefined;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readLongAtOnce(descriptor: number): Buffer | undefined {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) return undefined;
  const bytes = Buffer.allocUnsafe(stats.size);
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

/** The bytes of a regular file; `undefined` for anything else. Half as many requests as `fs.readFile` makes. */
function readWhole(path: string): Promise<Buffer | undefined> {
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
      const done = (error: Error | null, bytes?: Buffer) => {
        // Nothing was written, so that closing waits for nothing.
        closeSync(descriptor);
        if (error) fail(error);
        else resolve(bytes);
      };
      const chunk = spareChunks.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
      read(descriptor, chunk, 0, CHUNK_BYTES, 0, (error, count) => {
        if (error) {
          done(error);
        } else if (count === CHUNK_BYTES) {
          readLong(descriptor, done);
        } else {
          const bytes = Buffer.allocUnsafe(count);
          chunk.copy(bytes, 0, 0, count);
          done(null, bytes);
        }
        if (spareChunks.length < MOST_SPARE_CHUNKS) spareChunks.push(chunk);
      });
    });
  });
}

function readLong(descriptor: number, done: (error: Error | null, bytes?: Buffer) => void): void {
  fstat(descriptor, (failure, stats) => {
    if (failure || !stats.isFile()) {
      done(failure);
      return;
    }
    const bytes = Buffer.allocUnsafe(stats.size);
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

function entryOf(entry: Dirent): FolderEntry[] {
  if (entry.isFile()) return [{ name: entry.name, kind: "file" }];
  return entry.isDirectory() ? [{ name: entry.name, kind: "folder" }] : [];
}

function linkOf(name: string, path: string): Promise<FolderEntry[]> {
  return new Promise((resolve) => {
    stat(systemPath(path), (error, stats) => {
      if (error) resolve([]);
      else if (stats.isDirectory()) resolve([{ name, kind: "folder", link: true }]);
      else resolve(stats.isFile() ? [{ name, kind: "file", link: true }] : []);
    });
  });
}

function isNothingThere(error: unknown): boolean {
  return error instanceof Error && "code" in error && NOTHING_THERE.has(String(error.code));
}

const isWindows = process.platform === "win32";

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
