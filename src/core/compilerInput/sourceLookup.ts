import { isInside, joinPath, parentFolder, type FileReader } from "../files.ts";

/** Where a project's sources may come from. Folders are absolute, as {@link FileReader} has them. */
export interface SourceRoots {
  /** The folder that source unit names are relative to. */
  readonly project: string;
  /** The open folders; nothing outside them goes, but for dependencies. */
  readonly workspace: readonly string[];
}

/** A source found on disk. */
export interface FoundSource {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What a look-up came to: the file, or every place that was looked in, or why the file may not go. */
export type SourceLookup =
  FoundSource | { readonly lookedIn: readonly string[] } | { readonly forbidden: string };

/**
 * Finds the file behind a source unit name in a plain folder: below the project folder first, then as a
 * package in `node_modules` there and in the folders above, as Node looks it up. The name stays the logical
 * one; only the content is read through links.
 *
 * A file outside the open folders is answered as forbidden, unless it is in a `node_modules` folder that
 * serves the project: a repository must not be able to publish other files of the machine by a remapping
 * or a link that points there.
 */
export async function findSource(files: FileReader, roots: SourceRoots, name: string): Promise<SourceLookup> {
  const lookedIn: string[] = [];
  for (const path of candidates(roots, name)) {
    const bytes = await files.read(path);
    if (bytes === undefined) {
      lookedIn.push(path);
      continue;
    }
    const real = await files.realPath(path);
    if (!mayGo(roots, real)) return { forbidden: real };
    return { path, bytes };
  }
  return { lookedIn };
}

function* candidates({ project }: SourceRoots, name: string): Generator<string> {
  if (name.startsWith("/")) {
    yield joinPath("/", name);
    return;
  }
  yield joinPath(project, name);
  // A name that climbs out of the project is a path, not a package.
  if (name.startsWith("../")) return;
  for (const folder of foldersUpwards(project))
    yield joinPath(`${folder === "/" ? "" : folder}/node_modules`, name);
}

function mayGo({ project, workspace }: SourceRoots, real: string): boolean {
  if ([project, ...workspace].some((folder) => isInside(real, folder))) return true;
  return foldersUpwards(project).some((folder) => isInside(real, joinPath(folder, "node_modules")));
}

function foldersUpwards(start: string): string[] {
  const folders = [start];
  for (let folder = start; folder !== "/";) folders.push((folder = parentFolder(folder)));
  return folders;
}
