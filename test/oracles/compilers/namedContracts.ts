import assert from "node:assert/strict";
import { ImportGraph, type SourceNaming } from "../../../src/core/languages/solidity/sourceNaming.ts";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import type { SettingChanges } from "../../../src/core/matching/explanation.ts";
import { withChanges, type Submittable } from "../../../src/core/matching/resubmission.ts";
import type { NamingClues } from "../../../src/core/settingsSearch/likelyNamings.ts";
import type { RegistryContract } from "../../sandbox/mismatches/registryContracts.ts";

/** By what names one contract of a package is compiled in projects: as the tools write them, each by hand. */
export interface NamedContract {
  readonly library: string;
  readonly contract: string;
  readonly compiler: string;
  readonly projects: Readonly<Record<string, SourceNaming>>;
  /** The package that is installed, and its release. */
  readonly installed?: readonly [name: string, version: string];
  readonly settings?: SettingChanges;
}

const OZ = "lib/openzeppelin-contracts";
const FORGE_STD = "forge-std/=lib/forge-std/src/";

export const NAMED_CONTRACTS: readonly NamedContract[] = [
  {
    library: "@openzeppelin/contracts 5.7",
    contract: "CoopToken",
    installed: ["@openzeppelin/contracts", "5.7.0"],
    compiler: "0.8.28",
    projects: {
      "Hardhat 2": { entry: "contracts/CoopToken.sol", remappings: [] },
      "Hardhat 2, in a folder": { entry: "contracts/tokens/CoopToken.sol", remappings: [] },
      "Hardhat 3": {
        entry: "project/contracts/CoopToken.sol",
        remappings: ["project/:@openzeppelin/contracts/=npm/@openzeppelin/contracts@5.7.0/"],
      },
      Foundry: {
        entry: "src/CoopToken.sol",
        remappings: [
          `@openzeppelin/contracts/=${OZ}/contracts/`,
          `erc4626-tests/=${OZ}/lib/erc4626-tests/`,
          FORGE_STD,
          `halmos-cheatcodes/=${OZ}/lib/halmos-cheatcodes/src/`,
          `openzeppelin-contracts/=${OZ}/`,
        ],
      },
      "Foundry of 2022": {
        entry: "src/CoopToken.sol",
        remappings: [
          "@openzeppelin/=lib/openzeppelin-contracts/",
          "ds-test/=lib/forge-std/lib/ds-test/src/",
          FORGE_STD,
        ],
      },
      "Foundry with packages of npm": {
        entry: "src/CoopToken.sol",
        remappings: ["@openzeppelin/=node_modules/@openzeppelin/", FORGE_STD],
      },
      "Foundry in a monorepo": {
        entry: "contracts/CoopToken.sol",
        remappings: ["@openzeppelin/contracts/=node_modules/@openzeppelin/contracts/"],
      },
      Truffle: { entry: "project:/contracts/CoopToken.sol", remappings: [] },
      Remix: { entry: "CoopToken.sol", remappings: [] },
      "Remix of 2020": { entry: "browser/CoopToken.sol", remappings: [] },
      "a folder above": { entry: "packages/coop/contracts/CoopToken.sol", remappings: [] },
    },
  },
  {
    library: "erc721a 4.3",
    contract: "Postcards",
    compiler: "0.8.24",
    settings: { evmVersion: "london" },
    projects: {
      "Hardhat 2": { entry: "contracts/Postcards.sol", remappings: [] },
      Foundry: {
        entry: "src/Postcards.sol",
        remappings: ["erc721a/=lib/ERC721A/", "ds-test/=lib/forge-std/lib/ds-test/src/", FORGE_STD],
      },
      "Foundry with packages of npm": {
        entry: "src/Postcards.sol",
        remappings: ["erc721a/=node_modules/erc721a/", FORGE_STD, "hardhat/=node_modules/hardhat/"],
      },
      Remix: { entry: "contracts/Postcards.sol", remappings: ["erc721a/=.deps/npm/erc721a/"] },
    },
  },
  {
    library: "solmate 6.8",
    contract: "PlainToken",
    compiler: "0.8.19",
    projects: {
      Foundry: {
        entry: "src/IdleVault.sol",
        remappings: ["ds-test/=lib/solmate/lib/ds-test/src/", FORGE_STD, "solmate/=lib/solmate/"],
      },
      "Hardhat 2": { entry: "contracts/IdleVault.sol", remappings: [] },
    },
  },
  {
    library: "@openzeppelin/contracts 4.9",
    contract: "VestingWallet",
    installed: ["@openzeppelin/contracts", "4.9.6"],
    compiler: "0.8.20",
    settings: { optimizer: { enabled: true, runs: 10_000 } },
    projects: {
      "Hardhat 2": { entry: "@openzeppelin/contracts/finance/VestingWallet.sol", remappings: [] },
      Foundry: {
        entry: `${OZ}/contracts/finance/VestingWallet.sol`,
        remappings: [
          "ds-test/=lib/forge-std/lib/ds-test/src/",
          `erc4626-tests/=${OZ}/lib/erc4626-tests/`,
          FORGE_STD,
          `openzeppelin-contracts/=${OZ}/`,
          `openzeppelin/=${OZ}/contracts/`,
        ],
      },
      "its own repository": { entry: "contracts/finance/VestingWallet.sol", remappings: [] },
      "Hardhat 3": { entry: "npm/@openzeppelin/contracts@4.9.6/finance/VestingWallet.sol", remappings: [] },
    },
  },
  {
    library: "@openzeppelin/contracts 2.5",
    contract: "PaymentSplitter",
    compiler: "0.5.17",
    projects: {
      "Truffle of 2020": { entry: "@openzeppelin/contracts/payment/PaymentSplitter.sol", remappings: [] },
      "its own repository": { entry: "contracts/payment/PaymentSplitter.sol", remappings: [] },
      Remix: { entry: "browser/payment/PaymentSplitter.sol", remappings: [] },
    },
  },
  {
    library: "zeppelin-solidity 1.12",
    contract: "RBACMintableToken",
    compiler: "0.4.24",
    projects: {
      "Truffle of 2018": {
        entry: "zeppelin-solidity/token/ERC20/RBACMintableToken.sol",
        remappings: [],
      },
      "a folder": { entry: "token/ERC20/RBACMintableToken.sol", remappings: [] },
      "its own repository": { entry: "contracts/token/ERC20/RBACMintableToken.sol", remappings: [] },
    },
  },
];

/** What the editor knows besides: where the file lies, and how Hardhat 3 would name what is installed. */
export function cluesOf({ installed }: NamedContract, { contractIdentifier }: Submittable): NamingClues {
  const entry = contractIdentifier
    .slice(0, contractIdentifier.lastIndexOf(":"))
    .replace(/^(?:.*:\/|project\/|browser\/)/, "");
  const path = `/home/dev/coop/packages/coop/${entry}`;
  if (!installed) return { path, namings: [] };
  const [name, version] = installed;
  const packaged = `npm/${name}@${version}/`;
  return {
    path,
    namings: [
      entry.startsWith(`${name}/`)
        ? { entry: entry.replace(`${name}/`, packaged), remappings: [] }
        : { entry: `project/${entry}`, remappings: [`project/:${name}/=${packaged}`] },
    ],
  };
}

/** A contract as each project compiles it. */
export function buildsOf(
  { library, contract, compiler, projects, settings = {} }: NamedContract,
  contracts: readonly RegistryContract[],
): Map<string, Submittable> {
  const found = contracts.find((one) => one.library === library && one.contract === contract);
  assert.ok(found, `${library} ${contract}`);
  const given: Submittable = {
    compilerVersion: completeSolcVersion(compiler),
    contractIdentifier: `${found.file}:${contract}`,
    stdJsonInput: {
      language: "Solidity",
      sources: Object.fromEntries(
        Object.entries(found.sources).map(([name, content]) => [name, { content }]),
      ),
      settings: { optimizer: { enabled: true, runs: 200 } },
    },
  };
  const plain = withChanges(given, { settings });
  const graph = new ImportGraph(given.stdJsonInput.sources, { entry: found.file, remappings: [] });
  return new Map(
    Object.entries(projects).map(([name, naming]) => {
      const sourceNames = graph.names(naming);
      assert.ok(sourceNames, name);
      return [name, withChanges(plain, { sourceNames, settings: { remappings: naming.remappings } })];
    }),
  );
}
