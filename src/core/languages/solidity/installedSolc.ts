import { joinPath } from "../../files/fileReader.ts";
import { rememberingReader, type FolderReader } from "../../files/folderReader.ts";

const RELEASE = /^\d+\.\d+\.\d+$/;

/** Where systems keep a user's data, where it is not below `.local`. */
const DATA_FOLDERS: ReadonlyMap<string, string> = new Map([
  ["darwin", "Library/Application Support"],
  ["win32", "AppData/Roaming"],
]);

/**
 * The releases of solc, short, that svm keeps for forge: in `.svm` of the home folder where it is there, else in the
 * folder of a user's data (alloy-rs/svm-rs, crates/svm-rs/src/paths.rs). Only names of folders are read.
 *
 * @param home absolute
 * @param platform in Node's words
 */
export async function installedSolc(files: FolderReader, home: string, platform: string): Promise<string[]> {
  const reader = rememberingReader(files);
  const data = joinPath(home, DATA_FOLDERS.get(platform) ?? ".local/share");
  const entries = (await reader.list(joinPath(home, ".svm"))) ?? (await reader.list(joinPath(data, "svm")));
  return (entries ?? [])
    .filter(({ name, kind }) => kind === "folder" && RELEASE.test(name))
    .map(({ name }) => name);
}
