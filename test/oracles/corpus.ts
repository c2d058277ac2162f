import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Widely used libraries, and the folder in which each keeps its sources. */
export const LIBRARIES: Readonly<Record<string, string>> = {
  "@openzeppelin/contracts": ".",
  "@openzeppelin/contracts-upgradeable": ".",
  "@uniswap/v3-core": "contracts",
  "@uniswap/v4-core": "src",
  solady: "src",
  "@aave/core-v3": "contracts",
  "@chainlink/contracts": "src/v0.8",
};

/** How other packages of the set want to be reached: by no name that Node knows. */
export const LIBRARY_REMAPPINGS: readonly string[] = [
  ...["4.7.3", "4.8.3", "4.9.6", "5.0.2", "5.1.0"].map(
    (version) => `@openzeppelin/contracts@${version}/=node_modules/@openzeppelin/contracts-${version}/`,
  ),
  "node_modules/@chainlink/contracts/:@openzeppelin/contracts-upgradeable/=node_modules/@chainlink/contracts/node_modules/@openzeppelin/contracts-upgradeable/",
  // Not by their scope at once: forge drops what overlaps a remapping before it.
  ...[
    "@openzeppelin/contracts",
    "@openzeppelin/contracts-upgradeable",
    "@arbitrum",
    "@offchainlabs",
    "@eth-optimism",
    "@scroll-tech",
    "@chainlink",
  ].map((name) => `${name}/=node_modules/${name}/`),
  "solmate/=node_modules/@uniswap/v4-core/lib/solmate/",
  "forge-std/=node_modules/@uniswap/v4-core/lib/forge-std/src/",
];

/** A file of a library with contracts that can be deployed. */
export interface LibraryFile {
  readonly library: string;
  /** `@openzeppelin/contracts/token/ERC20/ERC20.sol`. */
  readonly path: string;
  readonly contracts: readonly string[];
}

/** The files of a library that have contracts or libraries, in the order of their names. */
export function libraryFiles(packages: string, library: string): LibraryFile[] {
  const folder = join(library, LIBRARIES[library] ?? ".");
  return globSync("**/*.sol", { cwd: join(packages, "node_modules", folder), withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(packages, "node_modules").length + 1))
    .filter((path) => !path.slice(library.length).includes("/node_modules/"))
    .sort()
    .map((path) => ({ library, path, contracts: concreteContracts(packages, path) }))
    .filter(({ contracts }) => contracts.length > 0);
}

/** What a line of well-formatted code defines; solc says later whether it is so. */
function concreteContracts(packages: string, path: string): string[] {
  const text = readFileSync(join(packages, "node_modules", path), "utf8");
  return [...text.matchAll(/^(?:contract|library)\s+([A-Za-z_$][\w$]*)/gm)].map(([, name = ""]) => name);
}
