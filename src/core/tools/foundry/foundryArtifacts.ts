import { joinPath, lastSegment } from "../../files/fileReader.ts";
import { filesEnding, type FolderReader } from "../../files/folderReader.ts";
import { walkFolders } from "../../files/walk.ts";
import { languageOfPath } from "../../languages/language.ts";
import type { WorkspaceContract } from "../../sources/contractReference.ts";
import type { ToolPlace } from "../toolShape.ts";
import { readFoundryProfiles } from "./foundryConfig.ts";

/** How deep below a folder of artifacts an artifact may lie. */
const DEEPEST_ARTIFACT = 8;

/**
 * The artifacts of a contract, absolute: `out/File.sol/Name.json`, or `Name.0.8.28.json` and `Name.profile.json` where it
 * was built in several ways.
 */
export async function foundryArtifacts(
  { files, root }: ToolPlace,
  { path, contractName }: Pick<WorkspaceContract, "path" | "contractName">,
): Promise<string[]> {
  const fileName = lastSegment(path);
  const outputs = new Set((await readFoundryProfiles(files, root)).map(({ out }) => joinPath(root, out)));
  const folders = await Promise.all([...outputs].map((out) => foldersNamed(files, out, fileName)));
  const paths: string[] = [];
  for (const folder of folders.flat()) {
    for (const name of await filesEnding(files, folder, ".json"))
      if (name === `${contractName}.json` || name.startsWith(`${contractName}.`))
        paths.push(joinPath(folder, name));
  }
  return paths;
}

/** The folders of this name, which hold the artifacts of a file of this name. */
async function foldersNamed(files: FolderReader, folder: string, name: string): Promise<string[]> {
  const walked = await walkFolders(files, folder, {
    deepest: DEEPEST_ARTIFACT,
    // Folders of artifacts end in the extension of their source; they hold no folders of their own.
    enters: (inner) => languageOfPath(inner) === undefined && inner !== "build-info",
    followsNoLinks: true,
  });
  return walked.flatMap(({ path, entries }) =>
    entries.some((entry) => entry.name === name && entry.kind === "folder") ? [joinPath(path, name)] : [],
  );
}
