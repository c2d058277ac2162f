import { t } from "@vscode/l10n";
import { isInside, joinPath } from "./fileReader.ts";
import type { FolderEntry, FolderReader } from "./folderReader.ts";
import { noteSkipped } from "./skippedFiles.ts";

/** A folder that a walk came to. */
interface WalkedFolder {
  readonly path: string;
  /** Levels below the folder that the walk began in, which has 0. */
  readonly depth: number;
  /** In the order of names. */
  readonly entries: readonly FolderEntry[];
}

/** A folder that a walk has yet to come to. */
interface WaitingFolder {
  readonly path: string;
  /** The path behind all links. */
  readonly real: string;
  readonly depth: number;
  /** As soon as it is asked for. */
  entries?: Promise<readonly FolderEntry[] | undefined>;
}

interface WalkOptions {
  /** Levels below the first folder that are entered; {@link DEEPEST} unless said. */
  readonly deepest?: number;
  /** Whether to enter a folder; all unless said. */
  readonly enters?: (name: string) => boolean;
  /** Links to folders are followed as far as they lead into this one; into the first folder unless said. */
  readonly within?: string;
  readonly followsNoLinks?: boolean;
}

const DEEPEST = 64;
/** So many folders are listed together, since each answer takes a while to come from another thread. */
const AT_ONCE = 16;
/** More folders than any tool keeps of one kind: what is found until then counts, and the rest is told of. */
const MAX_FOLDERS = 20_000;

/**
 * The folders below one, itself first, each once: those that lie there before those that a link leads to, so that a
 * folder has its own name where it has one. It ends with any links: a folder that was met behind another
 * link is not met again, and a walk that is too long or too deep stops and is noted as skipped.
 */
export async function walkFolders(
  files: FolderReader,
  folder: string,
  { deepest = DEEPEST, enters = () => true, within, followsNoLinks = false }: WalkOptions = {},
): Promise<WalkedFolder[]> {
  const top = (await files.list(folder)) && (await files.realPath(folder));
  if (top === undefined) return [];
  const bound = within === undefined ? top : ((await files.realPath(within)) ?? top);
  const met = new Set([top]);
  const walked: WalkedFolder[] = [];
  const waiting: WaitingFolder[] = [{ path: folder, real: top, depth: 0 }];
  const linked: { path: string; depth: number }[] = [];
  let followed = 0;
  for (;;) {
    const next = waiting[walked.length] ?? (await nextLinked());
    if (!next) return walked;
    for (const soon of waiting.slice(walked.length, walked.length + AT_ONCE)) void listed(soon);
    const entries = [...((await listed(next)) ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));
    walked.push({ path: next.path, depth: next.depth, entries });
    const inner = entries.filter(({ name, kind }) => kind === "folder" && enters(name));
    if (inner.length > 0 && next.depth >= deepest) {
      if (deepest === DEEPEST) noteSkipped(files, next.path, t`is nested too deeply`);
      continue;
    }
    for (const { name, link } of isFull() ? [] : inner) {
      const place = { path: joinPath(next.path, name), depth: next.depth + 1 };
      const real = joinPath(next.real, name);
      if (link) linked.push(place);
      else meet({ ...place, real });
    }
  }

  function listed(place: WaitingFolder): Promise<readonly FolderEntry[] | undefined> {
    if (place.entries) return place.entries;
    place.entries = files.list(place.path);
    // A folder that can't be listed is told of where the walk comes to it.
    place.entries.catch(() => undefined);
    return place.entries;
  }

  function meet(place: WaitingFolder): void {
    if (met.has(place.real) || isFull()) return;
    met.add(place.real);
    waiting.push(place);
  }

  function isFull(): boolean {
    if (met.size < MAX_FOLDERS) return false;
    noteSkipped(files, folder, t`holds ${MAX_FOLDERS.toLocaleString("en")} folders or more`);
    return true;
  }

  async function nextLinked(): Promise<WaitingFolder | undefined> {
    while (!followsNoLinks && waiting.length === walked.length) {
      const link = linked[followed++];
      if (!link) return undefined;
      const real = await files.realPath(link.path);
      if (real !== undefined && isInside(real, bound)) meet({ ...link, real });
    }
    return waiting[walked.length];
  }
}

/** The paths of the files whose names end so, in the folders of a walk. */
export async function walkFiles(
  files: FolderReader,
  folder: string,
  ending: string,
  options?: WalkOptions,
): Promise<string[]> {
  const walked = await walkFolders(files, folder, options);
  return walked.flatMap(({ path, entries }) =>
    entries.flatMap(({ name, kind }) =>
      kind === "file" && name.endsWith(ending) ? [joinPath(path, name)] : [],
    ),
  );
}
