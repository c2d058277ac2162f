import { BoundedMemory } from "../files/boundedMemory.ts";
import { joinPath, lastSegment, type OpenedFile, openFile, parentFolder } from "../files/fileReader.ts";
import type { SourceReader } from "../files/folderReader.ts";
import { isSameState, isSettled, type FileState } from "../files/fileState.ts";

/** A file as it was opened. */
interface Known {
  readonly opened: OpenedFile;
  readonly state: FileState;
}

/** Of all sources together: those of a large project with its libraries have some 10 MB. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A larger one is not worth the place of so many others. */
const LARGEST_BYTES = 1024 * 1024;

/** By the path that they were opened by. */
const openedFiles = () => new BoundedMemory<Known>(MAX_BYTES, ({ opened }) => opened.bytes.length);

/**
 * Opens a source, or answers what it was when it was opened before, as long as the very same file lies there, no link
 * leads to it and it has not been changed in the least since.
 *
 * That is decided by states and by where its folder really lies, both asked anew by each job: it costs a tenth of
 * opening the file and finding out where that is.
 */
export async function openSource(files: SourceReader, path: string): Promise<OpenedFile | undefined> {
  const memory = files.memory?.of(openedFiles);
  const before = memory?.get(path);
  if (before && (await isStill(files, path, before))) return before.opened;
  const begun = Date.now();
  const opened = await openFile(files, path);
  memory?.delete(path);
  const { state } = opened ?? {};
  if (opened && files.state && state && isSettled(state, begun) && opened.bytes.length <= LARGEST_BYTES)
    memory?.set(path, { opened, state });
  return opened;
}

async function isStill(files: SourceReader, path: string, { opened, state }: Known): Promise<boolean> {
  const now = await files.state?.(path);
  // What a link leads to may be named otherwise, and is opened each time.
  if (!now || now.isLink || !isSameState(now, state)) return false;
  const folder = await realFolder(files, parentFolder(path));
  return folder !== undefined && opened.realPath === joinPath(folder, lastSegment(path));
}

type RealFolders = Map<string, Promise<string | undefined>>;

/** Where folders really lie, for each reader that remembers for a job. */
const realFolders = new WeakMap<SourceReader, RealFolders>();

/** Where a folder really lies: asked of links alone, since a system takes long to follow a path that has none. */
function realFolder(files: SourceReader, folder: string): Promise<string | undefined> {
  if (files.since === undefined) return followed(files, folder);
  const known: RealFolders = realFolders.get(files) ?? new Map<string, Promise<string | undefined>>();
  realFolders.set(files, known);
  let real = known.get(folder);
  if (!real) known.set(folder, (real = followed(files, folder)));
  return real;
}

async function followed(files: SourceReader, folder: string): Promise<string | undefined> {
  if (folder === "/") return folder;
  const [above, state] = await Promise.all([realFolder(files, parentFolder(folder)), files.state?.(folder)]);
  if (above === undefined || !state) return undefined;
  const name = lastSegment(folder);
  return state.isLink ? files.realPath(folder) : joinPath(above, name);
}
