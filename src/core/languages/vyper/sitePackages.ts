import { isInside, joinPath, parentFolder, relativePath } from "../../files/fileReader.ts";
import { foldersIn, isFolder, type FolderReader } from "../../files/folderReader.ts";
import { LARGEST_CONFIGURATION_BYTES, readBytes } from "../../json/dataFile.ts";
import type { SearchPath } from "../compilationContext.ts";

/**
 * The site-packages of the virtual environments of a folder and of those above it, the nearest last.
 *
 * @param top no folder above this one is looked into
 */
export async function sitePackages(files: FolderReader, root: string, top: string): Promise<SearchPath[]> {
  let found: SearchPath[] = [];
  for (let at = root; isInside(at, top); at = parentFolder(at)) {
    const here: SearchPath[] = [];
    for (const environment of await environmentsIn(files, at)) {
      for (const lib of ["lib", "Lib"]) {
        const folder = joinPath(environment, lib);
        const candidates = [
          joinPath(folder, "site-packages"),
          ...(await foldersIn(files, folder))
            .filter((name) => name.startsWith("python"))
            .map((name) => joinPath(folder, `${name}/site-packages`)),
        ];
        for (const candidate of candidates) {
          if (await isFolder(files, candidate))
            here.push({ folder: candidate, name: relativePath(candidate, root) ?? "site-packages" });
        }
      }
    }
    found = [...here, ...found];
    if (at === "/") break;
  }
  return found;
}

/** The virtual environments in a folder: those of the usual names, and what says that it is one. */
async function environmentsIn(files: FolderReader, folder: string): Promise<string[]> {
  const names = await foldersIn(files, folder);
  const usual = ["env", "venv", ".venv"].filter((name) => names.includes(name));
  const others: string[] = [];
  for (const name of names) {
    if (
      !usual.includes(name) &&
      (await readBytes(files, joinPath(folder, `${name}/pyvenv.cfg`), LARGEST_CONFIGURATION_BYTES))
    )
      others.push(name);
  }
  return [...others, ...usual].map((name) => joinPath(folder, name));
}

/** The version of Vyper that is installed in one of the folders, the last first. */
export async function installedVyper(
  files: FolderReader,
  paths: readonly SearchPath[],
): Promise<string | undefined> {
  for (const { folder } of paths.toReversed()) {
    if (!folder.endsWith("/site-packages")) continue;
    for (const name of await foldersIn(files, folder)) {
      const version = /^vyper-(\d+\.\d+\.\d+\w*)\.dist-info$/.exec(name)?.[1];
      if (version !== undefined) return version;
    }
  }
  return undefined;
}
