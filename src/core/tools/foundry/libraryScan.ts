import { t } from "@vscode/l10n";
import { isInside, joinPath, lastSegment, parentFolder } from "../../files/fileReader.ts";
import { noteSkipped } from "../../files/skippedFiles.ts";
import { rememberingReader, type FolderEntry, type FolderReader } from "../../files/folderReader.ts";

/** A remapping that a folder of libraries calls for: imports that begin with `name` lie in `folder`. */
interface LibraryRemapping {
  /** With its closing slash: `solmate/`. */
  readonly name: string;
  /** Absolute, without a closing slash. */
  readonly folder: string;
}

/** A folder with Solidity files that may become a remapping. */
interface Candidate {
  /** The library: the folder whose name the remapping takes. */
  readonly library: string;
  sources: string;
  /** How many `lib` or `node_modules` folders lie between the scanned folder and the library. */
  readonly depth: number;
}

/** The library that is being looked through, as the scan goes down. */
interface Scan {
  readonly files: FolderReader;
  /** Where the current library, or the `lib` folder that holds the next ones, begins. */
  readonly open: string;
  readonly depth: number;
  /** In `node_modules`, whose packages are imported by the path from their root. */
  readonly isNodeModules: boolean;
  /** Folders behind links that were seen: pnpm links packages in circles. */
  readonly seenLinks: Set<string>;
  /** How many more folders are looked into: links may lead to all that the machine has. */
  readonly budget: { folders: number };
}

/** Of a folder of libraries; a large `node_modules` has some ten thousand. */
const MAX_FOLDERS = 50_000;
/** Below a library. */
const DEEPEST = 64;

const SKIPPED = new Set(["tests", "test", "demo"]);
const isSourceFolder = (path: string) => /\/(?:src|contracts)$/.test(path);
const isLibraryFolder = (path: string) => /\/(?:lib|node_modules)$/.test(path);
const segments = (path: string) => path.split("/").length;

/**
 * The remappings that Foundry finds by itself in a folder of libraries: a library gets its folder's name and
 * leads to `src` or `contracts` in it, or to the folder above all its sources (foundry-rs/compilers,
 * crates/artifacts/solc/src/remappings/find.rs). Of two libraries with one name the one that lies higher wins,
 * and `src` wins over anything else. In the order of names.
 */
export async function scanLibraries(files: FolderReader, folder: string): Promise<LibraryRemapping[]> {
  const known = rememberingReader(files);
  await listAhead(known, folder);
  const scan = {
    files: known,
    depth: 0,
    isNodeModules: folder.endsWith("/node_modules"),
    seenLinks: new Set<string>(),
    budget: { folders: MAX_FOLDERS },
  };
  const found = new Map<string, string>();
  for (const entry of await visibleEntries(known, folder)) {
    if (entry.kind !== "folder") continue;
    const open = joinPath(folder, entry.name);
    for (const { library, sources } of await candidatesIn(open, { ...scan, open })) {
      const name = `${lastSegment(library)}/`;
      const before = found.get(name);
      if (
        before === undefined ||
        segments(before) > segments(sources) ||
        (sources.endsWith("/src") && !before.endsWith("/src"))
      ) {
        found.set(name, sources);
      }
    }
  }
  return [...found]
    .map(([name, path]) => ({ name, folder: path }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Lists everything below a folder at once: the scan looks at one folder after the other, since their order matters. */
async function listAhead(
  files: FolderReader,
  folder: string,
  left = { folders: MAX_FOLDERS },
): Promise<void> {
  if (left.folders-- <= 0) return;
  const entries = await visibleEntries(files, folder);
  await Promise.all(
    entries
      .filter(({ name, kind, link }) => kind === "folder" && !link && !SKIPPED.has(name))
      .map(({ name }) => listAhead(files, joinPath(folder, name), left)),
  );
}

async function candidatesIn(folder: string, scan: Scan): Promise<Candidate[]> {
  if (scan.budget.folders-- <= 0 || segments(folder) - segments(scan.open) > DEEPEST) {
    noteSkipped(scan.files, folder, t`holds more folders than are looked through for libraries`);
    return [];
  }
  let hasSources = false;
  const below: string[] = [];
  for (const { name, kind, link } of await visibleEntries(scan.files, folder)) {
    const path = joinPath(folder, name);
    if (kind !== "folder") {
      hasSources ||= kind === "file" && name.endsWith(".sol");
    } else {
      if (link && (await isCircle(path, scan))) return [];
      if (!SKIPPED.has(name)) below.push(path);
    }
  }
  const candidates: Candidate[] = [];
  for (const path of below) {
    const inner = isLibraryFolder(path) ? { ...scan, open: path, depth: scan.depth + 1 } : scan;
    for (const candidate of await candidatesIn(path, inner)) candidates.push(candidate);
  }
  const library = libraryOf(scan.open, folder);
  const siblings = candidates.filter((one) => one.depth === scan.depth && one.library === library);
  if (hasSources || siblings.length > 1) return merged(candidates, folder, library, scan);
  const only = candidates.find(({ depth }) => depth === scan.depth);
  if (only) {
    const distance = isInside(only.sources, only.library)
      ? segments(only.sources) - segments(only.library)
      : 0;
    if (distance > 1 && /\/contracts(?:\/src)?$/.test(only.sources)) only.sources = library;
    else if (!isSourceFolder(only.sources) && only.sources !== only.library)
      only.sources = nearestSourceFolder(scan.open, only.sources);
  }
  return candidates;
}

/** One candidate for a library with several folders of sources: its only `src`, or the folder above them all. */
function merged(candidates: Candidate[], folder: string, library: string, scan: Scan): Candidate[] {
  const named = candidates.filter(({ sources }) => sources.endsWith("/src"));
  if (named.length === 1) return named;
  const deeper = candidates.filter(({ depth }) => depth !== scan.depth);
  const sources = scan.isNodeModules ? library : folder;
  if (scan.depth > 0 && sources === library && (isSourceFolder(sources) || isLibraryFolder(sources)))
    return deeper;
  return [...deeper, { library, sources, depth: scan.depth }];
}

/** True when a linked folder was seen already, lies above the library that is looked through, or is gone meanwhile. */
async function isCircle(path: string, { files, open, seenLinks }: Scan): Promise<boolean> {
  const target = await files.realPath(path);
  if (target === undefined || seenLinks.has(target)) return true;
  seenLinks.add(target);
  return segments(open) > segments(target);
}

/** The library that a folder belongs to: where the scan opened it, or the folder right below an opened `lib`. */
function libraryOf(open: string, folder: string): string {
  if (!isLibraryFolder(open) || open === folder) return open;
  const [first = ""] = folder.slice(open.length + 1).split("/");
  return `${open}/${first}`;
}

function nearestSourceFolder(open: string, folder: string): string {
  for (let at = parentFolder(folder); at !== open && at !== "/"; at = parentFolder(at)) {
    if (isSourceFolder(at)) return at;
  }
  return open;
}

/** What is in a folder, without hidden names, in the order of names. */
async function visibleEntries(files: FolderReader, folder: string): Promise<FolderEntry[]> {
  return ((await files.list(folder)) ?? [])
    .filter(({ name }) => !name.startsWith("."))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
