import { join } from "node:path";
import { lockedPackages, oraclePackages } from "../../oracles/oraclePackages.ts";
import { solcPackages } from "../../oracles/solcPackages.ts";
import { repositoryRoot } from "../../rig/paths.ts";
import { random } from "../../unit/random.ts";
import { KeptCompilations } from "./keptCompilations.ts";

const MANIFESTS = join(repositoryRoot, "test/sandbox/mismatches/packages");
/** Releases that a sample tries, by chance. */
const SAMPLE = 2;

/** The `node_modules` in which the contracts are that cases are made of, installed once. */
export async function corpusFolders(): Promise<{ readonly contracts: string; readonly oracles: string }> {
  const own = await lockedPackages(join(MANIFESTS, "contracts"));
  return { contracts: join(own, "node_modules"), oracles: join(await oraclePackages(), "node_modules") };
}

/**
 * The `soljson.js` of each short version that they are compiled with.
 *
 * @param isAll with those of the releases that samples do without, installed once
 */
export async function corpusCompilers(isAll: boolean): Promise<ReadonlyMap<string, string>> {
  const few = solcPackages(await oraclePackages());
  if (!isAll) return few;
  return new Map([...few, ...solcPackages(await lockedPackages(join(MANIFESTS, "compilers")))]);
}

/**
 * Compilers for a proof that holds of every release.
 *
 * @param name of the draw, which is printed with its seed
 * @returns the short versions to try, too: all of them, or a few by chance
 */
export async function chosenReleases(
  name: string,
  isWhole: boolean,
): Promise<{ readonly compilers: KeptCompilations; readonly versions: readonly string[] }> {
  const compilers = new KeptCompilations(await corpusCompilers(isWhole));
  const all = [...compilers.versions];
  const source = random(name);
  if (isWhole) return { compilers, versions: all };
  return {
    compilers,
    versions: Array.from({ length: SAMPLE }, () => all.splice(source.below(all.length), 1)[0] ?? ""),
  };
}
