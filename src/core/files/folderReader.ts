import { remembered } from "../concurrency/remembered.ts";
import type { FileMemory } from "./fileMemory.ts";
import type { FileState } from "./fileState.ts";
import { type FileReader, lastSegment, openFile, parentFolder } from "./fileReader.ts";
import { collectSkipped, noteSkipped, skippedFiles } from "./skippedFiles.ts";
import { UnreadableFile } from "./unreadableFile.ts";

/** One name in a folder. */
export interface FolderEntry {
  readonly name: string;
  /**
   * What it is, or what a symbolic link leads to: `special` is a device, a pipe or a socket. A link that leads nowhere
   * is left out.
   */
  readonly kind: "file" | "folder" | "special";
  readonly link?: boolean;
}

/** A {@link FileReader} that can say what is in a folder. */
export interface FolderReader extends FileReader {
  /**
   * The entries in any order, or `undefined` when there is no such folder.
   *
   * @throws UnreadableFile for a folder that may not be listed.
   */
  list(path: string): Promise<readonly FolderEntry[] | undefined>;
  /**
   * The names in a folder in the order in which the file system has them, which is no order of names and another one on
   * each disk: there are tools that take what comes first. Absent where that is not known.
   */
  namesInDiskOrder?(path: string): Promise<readonly string[] | undefined>;
  /** When the file was last written, in milliseconds since 1970; absent where the file system can't say. */
  modified?(path: string): Promise<number | undefined>;
  /**
   * The state of a file or a folder, `undefined` where there is none. Absent where the file system can't tell two states
   * apart, so that nothing may be remembered of what lies there.
   */
  state?(path: string): Promise<FileState | undefined>;
  /** What this reader may see, where that is not everything: what was made of its files is remembered for this alone. */
  readonly scope?: string;
  /** What outlasts a job; where it is missing, nothing does. */
  readonly memory?: FileMemory | undefined;
  /** How often something was left out so far: what is remembered would not be told of again. */
  leftOut?(): number;
  /** How old an answer may be at most, where answers are remembered: in milliseconds since 1970. */
  readonly since?: number;
}

/** What reads sources; one that can list folders saves asking for files that are not there. */
export type SourceReader = FileReader & Partial<FolderReader>;

/**
 * Remembers what folders hold, where links lead and the states of files for the length of one job, so that nothing is
 * asked twice and nothing is asked that a folder listed before does not hold. Of file contents only what configures a project is kept.
 *
 * It also remembers what had to be left out (see {@link skippedFiles}): a folder that may not be listed is as good as
 * none, and noted. A reader that remembers already is answered as it is.
 */
export function rememberingReader(files: FolderReader): FolderReader {
  if (jobs.has(files)) return files;
  const folders = new Map<string, ListedFolder>();
  const realPaths = new Map<string, Promise<string | undefined>>();
  const configurations = new Map<string, Promise<Uint8Array | undefined>>();
  const states = new Map<string, Promise<FileState | undefined>>();
  const list = (path: string): ListedFolder => {
    const folder: ListedFolder = {
      entries: (mayExist(path) ? listOrSkip(path) : Promise.resolve(undefined)).then((entries) => {
        folder.names = entries && new Set(entries.map(({ name }) => name.toLowerCase()));
        return entries;
      }),
    };
    folders.set(path, folder);
    return folder;
  };
  const listOrSkip = async (path: string) => {
    try {
      return await files.list(path);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      noteSkipped(reader, path, error.reason);
      return undefined;
    }
  };
  const mayExist = (path: string): boolean => {
    for (let at = path; at !== "/";) {
      const folder = parentFolder(at);
      const name = lastSegment(at);
      const names = PLAIN_NAME.test(name) ? folders.get(folder)?.names : undefined;
      if (names) return names.has(name.toLowerCase());
      at = folder;
    }
    return true;
  };
  const reader: FolderReader = {
    since: files.since ?? Date.now(),
    read: (path, largest) => {
      if (!mayExist(path)) return Promise.resolve(undefined);
      return CONFIGURATION.test(path)
        ? remembered(configurations, path, () => files.read(path, largest))
        : files.read(path, largest);
    },
    list: (path) => (folders.get(path) ?? list(path)).entries,
    open: (path, largest) => (mayExist(path) ? openFile(files, path, largest) : Promise.resolve(undefined)),
    namesInDiskOrder: (path) => files.namesInDiskOrder?.(path) ?? Promise.resolve(undefined),
    realPath: (path) => remembered(realPaths, path, () => files.realPath(path)),
    modified: (path) => files.modified?.(path) ?? Promise.resolve(undefined),
    // One that is older than what was read of the file differs from the next job's, so that nothing is taken for unchanged.
    ...(files.state && {
      state: (path) => remembered(states, path, () => files.state?.(path) ?? Promise.resolve(undefined)),
    }),
    ...(files.scope !== undefined && { scope: files.scope }),
    memory: files.memory,
    leftOut: () => files.leftOut?.() ?? skippedFiles(reader).length,
  };
  jobs.set(reader, new Map());
  collectSkipped(reader, files);
  return reader;
}

interface ListedFolder {
  readonly entries: Promise<readonly FolderEntry[] | undefined>;
  /** In lower case, as soon as the folder has been listed. */
  names?: ReadonlySet<string> | undefined;
}

/** What was made of files in the course of a job, by the reader of the job. */
const jobs = new WeakMap<FolderReader, Map<string, Promise<unknown>>>();

/** Makes something of files once for a job; every time for a reader that does not remember. */
export function onceForJob<T>(files: FolderReader, what: string, make: () => Promise<T>): Promise<T> {
  const made = jobs.get(files);
  return made ? (remembered(made, what, make) as Promise<T>) : make();
}

/** Whether a path is that of a file which configures a project, and which no build writes. */
export function isConfiguration(path: string): boolean {
  return CONFIGURATION.test(path);
}

const CONFIGURATION = /\/(?:package\.json|remappings\.txt|[^/]+\.(?:toml|[cm]?[jt]s))$/;

/** A name that every file system lists as it is asked for, upper and lower case apart. */
const PLAIN_NAME = /^[\w@+.-]*[\w@+-]$/;

/** True when the path is a folder. */
export async function isFolder(files: FolderReader, path: string): Promise<boolean> {
  return (await files.list(path)) !== undefined;
}

/** The names of what is no folder in a folder and whose name ends so, in the order of the alphabet. */
export async function filesEnding(files: FolderReader, folder: string, ending: string): Promise<string[]> {
  const entries = (await files.list(folder)) ?? [];
  // What is no regular file is named too: reading it says what it is.
  return entries
    .filter(({ name, kind }) => kind !== "folder" && name.endsWith(ending))
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
