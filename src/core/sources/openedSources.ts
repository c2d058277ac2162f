import { openFile, parentFolder, type OpenedFile } from "../files/fileReader.ts";
import type { SourceReader } from "../files/folderReader.ts";
import { isSameState, isSettled, type FileState } from "../files/fileState.ts";

/** A file as it was opened. */
interface Known {
  readonly opened: OpenedFile;
  readonly state: FileState;
}

/** Of all sources together: those of a large project with its libraries have some 10 MB. */
const MOST_BYTES = 32 * 1024 * 1024;
/** A larger one is not worth the place of so many others. */
const LARGEST_BYTES = 1024 * 1024;

/** By the path that they were opened by; what was used last comes last. */
const known = new Map<string, Known>();
let knownBytes = 0;

/**
 * Opens a source, or answers what it was when it was opened before, as long as the very same file lies there, no link
 * leads to it and it has not been changed in the least since.
 *
 * That is decided by states and by where its folder really lies, both asked anew by each job: it costs a tenth of
 * opening the file and finding out where that is.
 */
export async function openSource(files: SourceReader, path: string): Promise<OpenedFile | undefined> {
  const before = known.get(path);
  if (before && (await isStill(files, path, before))) {
    known.delete(path);
    known.set(path, before);
    return before.opened;
  }
  const begun = Date.now();
  const opened = await openFile(files, path);
  forget(path);
  const { state } = opened ?? {};
  if (opened && files.state && state && isSettled(state, begun) && opened.bytes.length <= LARGEST_BYTES)
    remember(path, { opened, state });
  return opened;
}

async function isStill(files: SourceReader, path: string, { opened, state }: Known): Promise<boolean> {
  const now = await files.state?.(path);
  if (!now || !isSameState(now, state)) return false;
  const folder = parentFolder(path);
  // A file that keeps its name and its folder: what a link leads to may be named otherwise, and is opened each time.
  return (
    opened.realPath === `${folderEnd(await files.realPath(folder))}${path.slice(folderEnd(folder).length)}`
  );
}

function folderEnd(folder: string): string {
  return folder === "/" ? "/" : `${folder}/`;
}

function remember(path: string, fresh: Known): void {
  known.set(path, fresh);
  knownBytes += fresh.opened.bytes.length;
  for (const oldest of known.keys()) {
    if (knownBytes <= MOST_BYTES) break;
    forget(oldest);
  }
}

function forget(path: string): void {
  const before = known.get(path);
  if (!before) return;
  known.delete(path);
  knownBytes -= before.opened.bytes.length;
}
