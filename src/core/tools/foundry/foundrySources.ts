import { joinPath } from "../../files/fileReader.ts";
import { isFolder, type FolderReader } from "../../files/folderReader.ts";

/** The folder of Solidity sources that Foundry takes when its configuration names none. */
export async function defaultFoundrySources(files: FolderReader, root: string): Promise<string> {
  if (await isFolder(files, joinPath(root, "src"))) return "src";
  return (await isFolder(files, joinPath(root, "contracts"))) ? "contracts" : "src";
}
