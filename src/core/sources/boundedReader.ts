import { foldersUpwards, joinPath, openFile, relativePath } from "../files/fileReader.ts";
import { onceForJob, rememberingReader, type FolderReader } from "../files/folderReader.ts";
import { collectSkipped, skippedFiles } from "../files/skippedFiles.ts";
import { SourceBoundary } from "./sourceBoundary.ts";

/** A reader of what lies inside, and what it refused. */
interface BoundedReader extends FolderReader {
  /** The paths that lead outside, each with the path behind its links, in the order in which they were asked for. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Reads configurations and records of builds, parts of which go with an input: a remapping is a line of a file, a
 * library is a name of a folder. What lies outside counts as not there, but for the descriptions of packages.
 */
export function boundedReader(files: FolderReader, boundary: SourceBoundary): BoundedReader {
  const refused = new Map<string, string>();
  const open = async (path: string, largest?: number) => {
    const opened = await openFile(files, path, largest);
    if (!opened || boundary.isManifest(opened.realPath)) return opened;
    const place = boundary.placeOf(opened.realPath);
    if ((typeof place === "string" ? place : await place) !== "outside") return opened;
    refused.set(path, opened.realPath);
    return undefined;
  };
  const mayList = async (path: string) => {
    const real = await files.realPath(path);
    if (real === undefined) return false;
    if (boundary.mayList(real)) return true;
    refused.set(path, real);
    return false;
  };
  const reader: BoundedReader = {
    refused,
    open,
    read: async (path, largest) => (await open(path, largest))?.bytes,
    realPath: (path) => files.realPath(path),
    list: async (path) => {
      const entries = await files.list(path);
      return entries && (await mayList(path)) ? entries : undefined;
    },
    namesInDiskOrder: async (path) => {
      const names = await files.namesInDiskOrder?.(path);
      return names && (await mayList(path)) ? names : undefined;
    },
    modified: (path) => files.modified?.(path) ?? Promise.resolve(undefined),
    ...(files.state && { state: (path) => files.state?.(path) ?? Promise.resolve(undefined) }),
    scope: boundary.name,
    memory: files.memory,
    leftOut: () => skippedFiles(files).length + refused.size,
  };
  collectSkipped(reader, files);
  return reader;
}

/** The open folders, for a job that may see nothing else. */
export interface OpenedFolders {
  /** Remembers as the reader of the job does. */
  readonly files: FolderReader;
  /** As {@link BoundedReader.refused} has them. */
  readonly refused: ReadonlyMap<string, string>;
  /** Whether a path lies in them, be something there or not. */
  readonly hold: (path: string) => Promise<boolean>;
}

/** Where a path lies behind all links, or would lie where nothing is there yet. */
async function placeOf(files: FolderReader, path: string): Promise<string> {
  for (const folder of foldersUpwards(path)) {
    const real = await files.realPath(folder);
    if (real !== undefined) return joinPath(real, relativePath(path, folder) ?? "");
  }
  return path;
}

/** The open folders as they are read in a job: by one reader, so that nothing is read twice. */
export function openedFolders(files: FolderReader, folders: readonly string[]): Promise<OpenedFolders> {
  return onceForJob(files, `what lies in ${JSON.stringify(folders)}`, async () => {
    const boundary = await SourceBoundary.around(files, { folders });
    const bounded = boundedReader(files, boundary);
    return {
      files: rememberingReader(bounded),
      refused: bounded.refused,
      hold: async (path) => boundary.mayList(await placeOf(files, path)),
    };
  });
}
