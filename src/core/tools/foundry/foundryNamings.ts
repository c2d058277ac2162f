import { joinPath, relativePath } from "../../files/fileReader.ts";
import { readText } from "../../json/dataFile.ts";
import { remappingsIn } from "../../languages/solidity/remapping.ts";
import { REMAPPINGS_FILE } from "../../languages/solidity/solidity.ts";
import type { SourceNaming } from "../../languages/solidity/sourceNaming.ts";
import type { AdmittedSources } from "../../sources/admittedSources.ts";
import type { OpenedContract } from "../../sources/contractReference.ts";
import type { ToolPlace } from "../toolShape.ts";
import { readFoundryProfiles } from "./foundryConfig.ts";
import { foundryRemappings, listedRemappings } from "./foundryRemappings.ts";

/**
 * By what names forge may have compiled a contract: with the remappings of each profile as it takes them now, as it lists
 * them, which its earlier releases compiled with, and with those alone that the project itself has, as they are written.
 */
export async function foundryNamings(
  { files, root }: ToolPlace,
  _sources: AdmittedSources,
  { path }: OpenedContract,
): Promise<readonly SourceNaming[]> {
  const entry = relativePath(path, root) ?? path;
  const text = await readText(files, joinPath(root, REMAPPINGS_FILE));
  const own = text === undefined ? [] : remappingsIn(text);
  const lists: (readonly string[])[] = [];
  for (const config of await readFoundryProfiles(files, root)) {
    lists.push(await foundryRemappings(files, config), await listedRemappings(files, config));
    lists.push([...own, ...config.remappings], own, config.remappings);
  }
  return lists.map((remappings) => ({ entry, remappings }));
}
