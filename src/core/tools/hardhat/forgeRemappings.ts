import { joinPath } from "../../files/fileReader.ts";
import type { FolderReader } from "../../files/folderReader.ts";
import { readText } from "../../json/dataFile.ts";
import { readFoundryConfig } from "../foundry/foundryConfig.ts";
import { listedRemappings } from "../foundry/foundryRemappings.ts";
import type { HardhatConfig } from "./hardhatConfig.ts";

/**
 * The remappings that forge lists for a folder with a `foundry.toml`, in its order and form; none where Hardhat's plugin for
 * Foundry doesn't ask it. The plugin takes every line, one that begins with `#`, too (`getForgeRemappings` in
 * dist/src/internal/foundry/forge.js of @nomicfoundation/hardhat-foundry).
 */
export async function forgeRemappings(
  files: FolderReader,
  { readsForge, root }: Pick<HardhatConfig, "readsForge" | "root">,
): Promise<string[]> {
  if (!readsForge || (await readText(files, joinPath(root, "foundry.toml"))) === undefined) return [];
  return listedRemappings(files, await readFoundryConfig(files, root));
}
