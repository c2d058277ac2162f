import { joinPath } from "../files/fileReader.ts";
import { filesEnding, type FolderReader } from "../files/folderReader.ts";

/** The files in a folder that may be records of builds. */
export async function recordsIn(files: FolderReader, folder: string): Promise<string[]> {
  const names = await filesEnding(files, folder, ".json");
  return names.filter((name) => !name.endsWith(".output.json")).map((name) => joinPath(folder, name));
}
