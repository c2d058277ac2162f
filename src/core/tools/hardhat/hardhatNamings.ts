import { LedgerLensError } from "../../errors.ts";
import { relativePath } from "../../files/fileReader.ts";
import { solidityClosure } from "../../languages/solidity/solidityClosure.ts";
import type { SourceNaming } from "../../languages/solidity/sourceNaming.ts";
import type { AdmittedSources } from "../../sources/admittedSources.ts";
import type { OpenedContract } from "../../sources/contractReference.ts";
import type { ToolPlace } from "../toolShape.ts";
import { Hardhat3Resolver } from "./hardhat3Remappings.ts";
import { hardhatCompilation } from "./hardhatInput.ts";

/** A release whose settings say the remappings, as those of every release do. */
const ANY_RELEASE = "0.8.28";

/**
 * By what names Hardhat 2 and 3 may have compiled a contract: 3 with the remappings of the contract alone, and where the
 * project is set up for it with those of all that it compiles together.
 */
export async function hardhatNamings(
  place: ToolPlace,
  sources: AdmittedSources,
  contract: OpenedContract,
): Promise<readonly SourceNaming[]> {
  const { files, root, configuration } = place;
  const namings: SourceNaming[] = [
    { entry: relativePath(contract.path, root) ?? contract.path, remappings: [] },
  ];
  try {
    if (configuration !== undefined) {
      const compilation = await hardhatCompilation(place, sources, contract);
      const { remappings = [] } = compilation.settings(ANY_RELEASE, []);
      namings.push({ entry: compilation.name, remappings });
    }
    const resolver = new Hardhat3Resolver(files, { root, readsForge: false }, sources);
    const entry = await resolver.entryName(contract.path);
    const units = await solidityClosure(resolver, { name: entry, source: contract.source }, root);
    namings.push({ entry, remappings: resolver.remappingsOf(units) });
  } catch (error) {
    // What it would not find, it did not compile.
    if (!(error instanceof LedgerLensError)) throw error;
  }
  return namings;
}
