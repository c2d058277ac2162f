import { globSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { atOnce } from "../src/core/concurrency/turns.ts";
import { placedContractsInPieces } from "../src/core/workspace/contracts.ts";
import { inPool } from "../src/core/concurrency/inPool.ts";

/** So many sources are a project's own. */
export const OWN_FILES = 500;
const AT_ONCE = 32;

/** The sources that lie beside each other in the folder of contracts: real ones, under the name of their library. */
const OWN_LIBRARIES: Readonly<Record<string, string>> = {
  solady: "solady/src",
  oz: "@openzeppelin/contracts",
};
/** What is imported from a folder of dependencies. */
const PACKAGES = ["@openzeppelin/contracts", "@openzeppelin/contracts-upgradeable", "@chainlink/contracts"];

/** How a build tool wants a project to be. */
export interface BenchedLayout {
  readonly name: string;
  /** The folder of the own sources. */
  readonly contracts: string;
  /** The folder in which package `name` lies. */
  readonly packageFolder: (name: string) => string;
  /** What belongs to the tool, by path. */
  readonly files: Readonly<Record<string, string>>;
}

const inNodeModules = (name: string) => `node_modules/${name}`;
const inLib = (name: string) => `lib/${name.replace("@", "").replace("/", "-")}`;
const REMAPPINGS = PACKAGES.map((name) => `${name}/=${inLib(name)}/\n`).join("");
const HARDHAT_2 = { "node_modules/hardhat/package.json": '{ "name": "hardhat", "version": "2.29.1" }\n' };
const HARDHAT_3 = {
  "package.json": '{ "name": "project", "type": "module" }\n',
  "node_modules/hardhat/package.json": '{ "name": "hardhat", "version": "3.18.0" }\n',
};

/** Solidity projects of every tool. */
export const LAYOUTS: readonly BenchedLayout[] = [
  {
    name: "Foundry",
    contracts: "src",
    packageFolder: inLib,
    files: {
      "foundry.toml": '[profile.default]\nsolc = "0.8.28"\nevm_version = "cancun"\n',
      "remappings.txt": REMAPPINGS,
    },
  },
  {
    name: "Foundry that chooses solc",
    contracts: "src",
    packageFolder: inLib,
    files: { "foundry.toml": "[profile.default]\n", "remappings.txt": REMAPPINGS },
  },
  {
    name: "Hardhat 2",
    contracts: "contracts",
    packageFolder: inNodeModules,
    files: { "hardhat.config.js": 'module.exports = { solidity: "0.8.28" };\n', ...HARDHAT_2 },
  },
  {
    name: "Hardhat 3",
    contracts: "contracts",
    packageFolder: inNodeModules,
    files: { "hardhat.config.ts": 'export default { solidity: "0.8.28" };\n', ...HARDHAT_3 },
  },
];

/**
 * Writes a project of {@link OWN_FILES} sources of real libraries and of contracts that import them and packages.
 *
 * @param packages The folder whose `node_modules` has the libraries.
 * @returns The contracts that can be deployed, as `path:Name`, shuffled always alike.
 */
export async function writeSolidityProject(
  root: string,
  packages: string,
  { contracts, packageFolder, files }: BenchedLayout,
): Promise<string[]> {
  const installed = join(packages, "node_modules");
  for (const name of PACKAGES)
    await cp(join(installed, name), join(root, packageFolder(name)), { recursive: true, dereference: true });
  const sources = new Map<string, string>();
  for (const [name, folder] of Object.entries(OWN_LIBRARIES)) {
    const cwd = join(installed, folder);
    for (const path of globSync("**/*.sol", { cwd }).sort())
      sources.set(`${contracts}/${name}/${path}`, await readFile(join(cwd, path), "utf8"));
  }
  const importable = [
    ...[...sources.keys()].map((path) => `./${path.slice(contracts.length + 1)}`),
    ...PACKAGES.slice(0, 2).flatMap((name) =>
      globSync("**/*.sol", { cwd: join(installed, name) }).map((path) => `${name}/${path}`),
    ),
  ].sort();
  const random = numbers();
  for (let at = 0; sources.size < OWN_FILES; at++) {
    const imports = Array.from({ length: 1 + random(4) }, () => importable[random(importable.length)] ?? "");
    const text = [
      "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.24;",
      ...imports.map((path) => `import {} from ${JSON.stringify(path)};`),
      `contract C${at} { uint256 public x; }\n`,
    ].join("\n");
    sources.set(`${contracts}/C${at}.sol`, text);
  }
  await writeAll(root, { ...files, ...Object.fromEntries(sources) });
  const found = [...sources].flatMap(([path, text]) =>
    atOnce(placedContractsInPieces(path, text)).map(({ name }) => `${path}:${name}`),
  );
  return shuffled(found);
}

/** Writes an Ape project of {@link OWN_FILES} Vyper contracts, most of which import snekmate. */
export async function writeVyperProject(root: string, snekmate: string): Promise<string[]> {
  const site = ".venv/lib/python3.11/site-packages";
  const importable = ["tokens import erc20", "tokens import erc721", "auth import ownable"];
  const random = numbers();
  const contracts: string[] = [];
  const files: Record<string, string> = {
    "ape-config.yaml": "name: project\nvyper:\n  version: 0.4.3\n",
    ".venv/pyvenv.cfg": "version = 3.11.2\n",
    [`${site}/vyper-0.4.3.dist-info/METADATA`]: "Name: vyper\nVersion: 0.4.3\n",
  };
  await cp(join(snekmate, "snekmate"), join(root, site, "snekmate"), { recursive: true });
  const body = await readFile(join(snekmate, "snekmate/tokens/erc20.vy"), "utf8");
  for (let at = 0; at < OWN_FILES / 2; at++) {
    const own = at > 3 ? `from contracts.deep import m${random(at)}\n` : "";
    const head = `# pragma version ~=0.4.3\nfrom snekmate.${importable[random(3)] ?? ""}\n`;
    const folder = at % 2 === 0 ? "contracts" : "contracts/vaults";
    files[`contracts/deep/m${at}.vy`] = "# pragma version ~=0.4.3\ncount: public(uint256)\n";
    files[`${folder}/c${at}.vy`] =
      head + own + body.slice(0, 2_000 + random(8_000)).replace(/^(from|import)/gm, "# $1");
    contracts.push(`${folder}/c${at}.vy:c${at}`);
  }
  await writeAll(root, files);
  return shuffled(contracts);
}

/** Writes files, with the folders that they need. */
export async function writeAll(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  await inPool(Object.entries(files), AT_ONCE, async ([name, text]) => {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  });
}

/** Always the same numbers below a bound. */
export function numbers(seed = 1): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function shuffled(items: readonly string[]): string[] {
  const random = numbers(7);
  const all = [...items];
  for (let at = all.length - 1; at > 0; at--) {
    const other = random(at + 1);
    const [one = "", two = ""] = [all[at], all[other]];
    [all[at], all[other]] = [two, one];
  }
  return all;
}
