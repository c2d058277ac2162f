import { foldersUpwards, joinPath, type FileReader } from "../../files/fileReader.ts";
import { LARGEST_CONFIGURATION_BYTES } from "../../json/dataFile.ts";
import { asText, field, fieldAt, readJson } from "../../json/looseData.ts";
import { findPackage } from "../nodePackages.ts";

/**
 * The major version of Hardhat that a project uses: the one installed, else the one that `package.json` asks
 * for, else 2 for a project that shows neither.
 */
export async function hardhatMajor(files: FileReader, root: string): Promise<2 | 3> {
  const installed = await findPackage(files, root, "hardhat");
  if (installed) return Number.parseInt(installed.version, 10) >= 3 ? 3 : 2;
  for (const folder of foldersUpwards(root)) {
    const manifest = await readJson(files, joinPath(folder, "package.json"), LARGEST_CONFIGURATION_BYTES);
    const asked =
      asText(fieldAt(manifest, "devDependencies", "hardhat")) ??
      asText(fieldAt(manifest, "dependencies", "hardhat"));
    if (asked !== undefined) return Number(/\d+/.exec(asked)?.[0] ?? 2) >= 3 ? 3 : 2;
    if (field(manifest, "workspaces") !== undefined) break;
  }
  return 2;
}
