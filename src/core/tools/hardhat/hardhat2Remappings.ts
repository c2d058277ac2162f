import { joinPath } from "../../files/fileReader.ts";
import type { FolderReader } from "../../files/folderReader.ts";
import { readText } from "../../json/dataFile.ts";
import { applyRemappings, parseRemapping, type Remapping } from "../../languages/solidity/remapping.ts";
import type { ImportResolver } from "../../languages/solidity/solidityClosure.ts";
import type { SourceFinder } from "../../sources/sourceLookup.ts";
import { resolveImportPath } from "../../sources/sourceUnitName.ts";
import { readFoundryConfig } from "../foundry/foundryConfig.ts";
import { listedRemappings } from "../foundry/foundryRemappings.ts";
import type { ToolPlace } from "../toolShape.ts";
import { hardhatConfigOf, type HardhatConfig } from "./hardhatConfig.ts";

/** The remappings by which Hardhat 2 finds what a project imports: none without its plugin for Foundry. */
export async function hardhat2Remappings(place: ToolPlace): Promise<Remapping[]> {
  const config = await hardhatConfigOf(place);
  return config.major === 2 ? forgeRemappings(place.files, config) : [];
}

/** What forge lists, where Hardhat's plugin reads it. */
export async function forgeRemappings(
  files: FolderReader,
  { readsForge, root }: HardhatConfig,
): Promise<Remapping[]> {
  if (!readsForge || (await readText(files, joinPath(root, "foundry.toml"))) === undefined) return [];
  const listed = await listedRemappings(files, await readFoundryConfig(files, root));
  return listed.flatMap((text) => parseRemapping(text) ?? []);
}

/**
 * Finds what is imported as Hardhat 2 does (packages/hardhat-core/src/internal/solidity/resolver.ts, branch v2): a
 * remapping says where a file lies, and its name stays the one by which it is imported.
 */
export function hardhat2Resolver(finder: SourceFinder, remappings: readonly Remapping[]): ImportResolver {
  return {
    nameOf: (path, { name }) => resolveImportPath(path, name),
    find: (name) => {
      const place = applyRemappings(remappings, name, name);
      // Hardhat 2 takes no name that climbs out of the project.
      if (place.startsWith("../")) return Promise.resolve({ lookedIn: [place] });
      return finder.find(place === name ? name : place.replace(/^node_modules\//, ""));
    },
  };
}
