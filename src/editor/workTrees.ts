import { isInside } from "../core/files/fileReader.ts";
import { isBelowRepository } from "../core/git/workTreeAbove.ts";
import { uriOf, workspaceFolders } from "./workspaceFiles.ts";

/** Folders that were found in a work tree: one that is in none yet may get a repository at any time. */
const inWorkTrees = new Set<string>();

/** The open folders that are in a work tree of git, each looked at until it is. */
export async function foldersWithHistory(): Promise<readonly string[]> {
  const folders = workspaceFolders();
  await Promise.all(
    folders
      .filter((folder) => !inWorkTrees.has(folder) && uriOf(folder).scheme === "file")
      .map(async (folder) => {
        if (await isBelowRepository(uriOf(folder).fsPath)) inWorkTrees.add(folder);
      }),
  );
  return folders.filter((folder) => inWorkTrees.has(folder));
}

/** Whether a file of the open folders has a history to look through. */
export async function hasHistory(path: string): Promise<boolean> {
  return (await foldersWithHistory()).some((folder) => isInside(path, folder));
}
