import { isInSystemFolder } from "../files/systemFolder.ts";
import { t } from "@vscode/l10n";
import type { Dirent } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { LedgerLensError } from "../errors.ts";
import { plainText } from "./plainText.ts";
import { foreign } from "../text/shownText.ts";
import type { RepositoryFolders } from "./gitProgram.ts";

/** A repository with a work tree. */
export interface WorkTree extends RepositoryFolders {
  /** The top of the work tree, as the system writes it. */
  readonly root: string;
}

/** What names the folders from which git reads the objects that a repository does not have itself (gitrepository-layout). */
const BORROWED = join("info", "alternates");
/** No list of them is longer; what is longer is not read to the end to learn whether it names any. */
const MAX_BORROWED_BYTES = 64 * 1024;

/** A pointer to another folder is one line. */
const MAX_POINTER_BYTES = 4096;

/**
 * The repository whose work tree a folder is in: the nearest one upwards. What lies above a folder of another repository
 * is not its own.
 *
 * @throws LedgerLensError `repository_elsewhere`, and `repository_borrows` for one with objects of another repository
 */
export async function findWorkTree(folder: string): Promise<WorkTree | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await workTreeAt(at);
    if (found) return found;
    if (await pointsElsewhere(at)) {
      throw new LedgerLensError(
        "repository_elsewhere",
        t`${foreign(join(at, ".git"))} leads to a repository that does not name this folder, so its history is not read. Run git config core.worktree with the folder's path in it.`,
      );
    }
    const named = await namedWorkTree(at);
    if (named && (await ownerOfObjects(named.commonFolder)) === "another") {
      throw new LedgerLensError(
        "repository_borrows",
        t`The repository of ${foreign(at)} takes objects from another one, so its history is not read. Run git repack -a -d in it and delete objects/info/alternates from its git folder.`,
      );
    }
    if (at === dirname(at)) return undefined;
  }
}

/**
 * The repository whose work tree has its top in this very folder.
 *
 * A folder can be made to point at any repository of the machine, whose history is not that of the folder: it counts
 * only where that repository knows of it, as one does of its second work trees and of its submodules, and by `core.worktree`,
 * and where it has the objects of no other one.
 */
export async function workTreeAt(root: string): Promise<WorkTree | undefined> {
  const named = await namedWorkTree(root);
  return named && (await ownerOfObjects(named.commonFolder)) === "itself" ? named : undefined;
}

/** The repository that knows of a folder as its work tree, whosever its objects are. */
async function namedWorkTree(root: string): Promise<WorkTree | undefined> {
  const dotGit = join(root, ".git");
  const stats = await lstat(dotGit).catch(() => undefined);
  if (stats?.isDirectory()) return { root, gitFolder: dotGit, commonFolder: dotGit };
  const pointer = stats?.isFile() ? await pointerIn(dotGit, /^gitdir: (.+)$/) : undefined;
  const target = stats?.isSymbolicLink() ? dotGit : pointer;
  if (target === undefined) return undefined;
  const gitFolder = await realpath(resolve(root, target)).catch(() => undefined);
  const realRoot = await realpath(root);
  if (gitFolder === undefined) return undefined;
  const back = await pointerIn(join(gitFolder, "gitdir"), /^(.+)$/);
  if (back !== undefined) {
    const known = await realpath(resolve(gitFolder, back)).catch(() => undefined);
    const common = await pointerIn(join(gitFolder, "commondir"), /^(.+)$/);
    if (known !== join(realRoot, ".git") || common === undefined) return undefined;
    const commonFolder = await realpath(resolve(gitFolder, common)).catch(() => undefined);
    // Both could have been made beside the folder: the repository knows of a work tree by what it has itself.
    if (commonFolder === undefined || dirname(gitFolder) !== join(commonFolder, "worktrees"))
      return undefined;
    return { root, gitFolder, commonFolder };
  }
  // A submodule names its folder, too, as long as it is checked out: any folder below the same top could point at it.
  const isKnown = (await workTreeNamedBy(gitFolder)) === realRoot;
  return isKnown ? { root, gitFolder, commonFolder: gitFolder } : undefined;
}

/** Whether a folder has a pointer to a repository that does not know of it, so that none counts as the folder's. */
async function pointsElsewhere(root: string): Promise<boolean> {
  const stats = await lstat(join(root, ".git")).catch(() => undefined);
  const isPointer = stats?.isFile() === true || stats?.isSymbolicLink() === true;
  return isPointer && (await namedWorkTree(root)) === undefined;
}

/**
 * The work tree that a repository's own configuration names, which the maker of the folder can't have written there. That of a
 * sparse one is in the second file (git-worktree, CONFIGURATION FILE).
 */
async function workTreeNamedBy(gitFolder: string): Promise<string | undefined> {
  for (const name of ["config.worktree", "config"]) {
    const text = await plainText(join(gitFolder, name));
    let isCore = false;
    for (const line of text.split("\n")) {
      isCore = /^\s*\[/.test(line) ? /^\s*\[core\]\s*$/i.test(line) : isCore;
      const [, named] = /^\s*worktree\s*=\s*"?((?:[^"\\]|\\["\\])+?)"?\s*$/i.exec(line) ?? [];
      if (!isCore || named === undefined) continue;
      return realpath(resolve(gitFolder, named.replaceAll(/\\(.)/g, "$1"))).catch(() => undefined);
    }
  }
  return undefined;
}

/**
 * Where the folder of a repository, or of one of its work trees, keeps the objects of a submodule, whether it is checked out or
 * not; `undefined` for what a link leads out of it.
 */
export async function submoduleFolder(gitFolder: string, name: string): Promise<string | undefined> {
  const modules = join(gitFolder, "modules");
  if (!isInSystemFolder(join(modules, name), modules)) return undefined;
  const folder = await ownFolder(gitFolder, join("modules", name));
  return folder !== undefined && folder !== modules && (await ownerOfObjects(folder)) === "itself"
    ? folder
    : undefined;
}

/** The repository that is checked out in a folder of a work tree; none where a link leads out of it. */
export async function submoduleAt({ root }: WorkTree, place: string): Promise<WorkTree | undefined> {
  const folder = await ownFolder(root, place);
  return folder === undefined ? undefined : workTreeAt(folder);
}

/** A folder that lies in another one without a link between the two. */
async function ownFolder(top: string, way: string): Promise<string | undefined> {
  const folder = join(top, way);
  if (folder === top || !isInSystemFolder(folder, top)) return undefined;
  const [realTop, real] = await Promise.all([top, folder].map((one) => realpath(one).catch(() => undefined)));
  return realTop !== undefined && real === join(realTop, way) ? folder : undefined;
}

/**
 * Whose objects a repository has; `undefined` where there is no repository. A folder that was handed on with its repository
 * could name any other of the machine, by a link or in the file that git reads for that, and its history would be read as
 * the folder's.
 */
async function ownerOfObjects(commonFolder: string): Promise<"itself" | "another" | undefined> {
  const real = await realpath(commonFolder).catch(() => undefined);
  if (real === undefined) return undefined;
  // Git reads all but HEAD in the folder that this file names; a common folder has none.
  if (await isThere(join(real, "commondir"))) return "another";
  const objects = join(real, "objects");
  const place = await realpath(objects).catch(() => undefined);
  if (place !== objects) return place === undefined ? undefined : "another";
  const entries = await entriesOf(objects);
  const inside = await Promise.all(
    (entries ?? []).filter((one) => one.isDirectory()).map(({ name }) => entriesOf(join(objects, name))),
  );
  // Of what can't be listed git may still read what a link in it leads to.
  const mayHaveLinks = [entries, ...inside].some((all) => all?.some((one) => one.isSymbolicLink()) ?? true);
  return mayHaveLinks || (await borrows(join(objects, BORROWED))) ? "another" : "itself";
}

/** Whether a list names any folder. To git a blank is a name like any other, and a folder of that name may have a list, too. */
async function borrows(list: string): Promise<boolean> {
  const stats = await lstat(list).catch(() => undefined);
  if (!stats || stats.isDirectory()) return false;
  if (!stats.isFile() || stats.size > MAX_BORROWED_BYTES) return true;
  return /[^\n]/.test(await plainText(list));
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** What is in a folder; nothing in one that is gone, and `undefined` for one that can't be listed. */
function entriesOf(folder: string): Promise<Dirent[] | undefined> {
  return readdir(folder, { withFileTypes: true }).catch((error: unknown) =>
    (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : undefined,
  );
}

async function pointerIn(file: string, form: RegExp): Promise<string | undefined> {
  return form.exec((await plainText(file, MAX_POINTER_BYTES)).trim())?.[1];
}
