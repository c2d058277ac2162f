import { foldersUpwards, joinPath, type FileReader } from "../files/fileReader.ts";
import { LARGEST_CONFIGURATION_BYTES, readJson } from "../json/dataFile.ts";
import { asRecord, asText } from "../json/looseData.ts";

/** A package that Node finds for a folder. */
export interface InstalledPackage {
  /** The folder that Node looks in, links not followed. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** Finds a package as Node does: in `node_modules` of the folder and of every folder above it. */
export async function findPackage(
  files: FileReader,
  from: string,
  name: string,
): Promise<InstalledPackage | undefined> {
  for (const folder of foldersUpwards(from)) {
    if (folder.endsWith("/node_modules")) continue;
    const found = joinPath(folder, `node_modules/${name}`);
    const manifest = asRecord(
      await readJson(files, joinPath(found, "package.json"), LARGEST_CONFIGURATION_BYTES),
    );
    if (manifest) {
      return {
        folder: found,
        name: asText(manifest["name"]) ?? name,
        version: asText(manifest["version"]) ?? "",
        manifest,
      };
    }
  }
  return undefined;
}
