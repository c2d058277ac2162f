import type { FolderReader } from "../../files/folderReader.ts";
import { applyRemappings, parseRemapping, type Remapping } from "../../languages/solidity/remapping.ts";
import type { ImportResolver } from "../../languages/solidity/solidityClosure.ts";
import type { SourceFinder } from "../../sources/sourceLookup.ts";
import { resolveImportPath } from "../../sources/sourceUnitName.ts";
import type { ToolPlace } from "../toolShape.ts";
import { forgeRemappings } from "./forgeRemappings.ts";
import { hardhatConfigOf, type HardhatConfig } from "./hardhatConfig.ts";

/** The remappings by which Hardhat 2 finds what a project imports: none without its plugin for Foundry. */
export async function hardhat2Remappings(place: ToolPlace): Promise<Remapping[]> {
  const config = await hardhatConfigOf(place);
  return config.major === 2 ? pluginRemappings(place.files, config) : [];
}

/** What forge lists, where Hardhat's plugin reads it. */
export async function pluginRemappings(files: FolderReader, config: HardhatConfig): Promise<Remapping[]> {
  const listed = await forgeRemappings(files, config);
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
