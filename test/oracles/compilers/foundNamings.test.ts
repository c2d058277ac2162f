import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LocalVerifier } from "../../../src/core/compilers/localVerifier.ts";
import type { LocalCompilers } from "../../../src/core/compilers/localCompilers.ts";
import { fieldAt, parseJson } from "../../../src/core/json/looseData.ts";
import { ImportGraph, type SourceNaming } from "../../../src/core/languages/solidity/sourceNaming.ts";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import { withChanges, type Submittable } from "../../../src/core/matching/resubmission.ts";
import type { SettingChanges } from "../../../src/core/matching/explanation.ts";
import { changesTo } from "../../../src/core/settingsSearch/provenCause.ts";
import type { CompileRelease } from "../../../src/core/settingsSearch/settingsAttempt.ts";
import { searchSettings } from "../../../src/core/settingsSearch/settingsSearch.ts";
import type { NamingClues } from "../../../src/core/settingsSearch/likelyNamings.ts";
import { isWholeProof } from "../../rig/proofSize.ts";
import { random } from "../../unit/random.ts";
import { corpusCompilers, corpusFolders } from "../../sandbox/mismatches/corpora.ts";
import { registryContracts } from "../../sandbox/mismatches/registryContracts.ts";
import { COMPILER_THREADS, installedCompilers } from "../../sandbox/installedCompilers.ts";
import { deployedCode } from "./settingsCases.ts";

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** By what names one contract of a package is compiled in projects: as the tools write them, each by hand. */
interface NamedContract {
  readonly library: string;
  readonly contract: string;
  readonly compiler: string;
  readonly projects: Readonly<Record<string, SourceNaming>>;
  /** The package that is installed, and its release. */
  readonly installed?: readonly [name: string, version: string];
  readonly settings?: SettingChanges;
}

/** Of all cases; what else a project's folders are called nobody can know. */
const MIN_FOUND = 0.95;

const OZ = "lib/openzeppelin-contracts";
const FORGE_STD = "forge-std/=lib/forge-std/src/";

const CONTRACTS: readonly NamedContract[] = [
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
function cluesOf({ installed }: NamedContract, { contractIdentifier }: Submittable): NamingClues {
  const entry = contractIdentifier.slice(0, contractIdentifier.lastIndexOf(":")).replace(/^.*:\//, "");
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

describe("The names of a deployed contract's files", () => {
  let compilers: LocalCompilers;
  let compile: CompileRelease;
  let contracts: ReturnType<typeof registryContracts>;
  let stop: () => Promise<void>;
  before(async () => {
    contracts = registryContracts(await corpusFolders());
    ({ compilers, compile, stop } = installedCompilers(await corpusCompilers(true)));
  });
  after(() => stop());

  /** A contract as a project compiles it. */
  function builds({
    library,
    contract,
    compiler,
    projects,
    settings = {},
  }: NamedContract): Map<string, Submittable> {
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

  async function codeOf(build: Submittable): Promise<string> {
    const { compilerVersion, contractIdentifier, stdJsonInput } = build;
    const colon = contractIdentifier.lastIndexOf(":");
    const [file, name] = [contractIdentifier.slice(0, colon), contractIdentifier.slice(colon + 1)];
    const outputs = ["object", "linkReferences", "immutableReferences"].map(
      (one) => `evm.deployedBytecode.${one}`,
    );
    const settings = { ...stdJsonInput.settings, outputSelection: { [file]: { [name]: outputs } } };
    const input = JSON.stringify({ ...stdJsonInput, settings });
    const answer = await compile(compilerVersion, input, new AbortController().signal);
    const code = fieldAt(parseJson(answer ?? ""), "contracts", file, name, "evm", "deployedBytecode");
    assert.ok(code, answer?.slice(0, 500));
    return deployedCode(code as Parameters<typeof deployedCode>[0]);
  }

  it("are found and proven, whichever tool deployed it and whichever has the files now", async () => {
    const wrong: string[] = [];
    let [count, found] = [0, 0];
    const seconds: number[] = [];
    const draw = random("found namings");
    // One of four, each to another tool's names.
    const sampled = new Map(
      CONTRACTS.filter((_, at) => at % 4 === 0).map(({ contract, projects }) => [
        contract,
        draw.oneOf(Object.keys(projects).slice(1)),
      ]),
    );
    for (const one of CONTRACTS) {
      const all = builds(one);
      const [first] = all.keys();
      for (const [from, given] of all)
        for (const [to, deployed] of all) {
          if (from === to || !(isWholeProof() || (from === first && to === sampled.get(one.contract))))
            continue;
          count++;
          const runtimeCode = await codeOf(deployed);
          const verifier = new LocalVerifier(compilers);
          const place = { chainId: "1", address: ADDRESS, runtimeCode };
          const result = await searchSettings(given, runtimeCode, {
            compile,
            prove: (submission, signal) => verifier.verify(submission, place, { signal }),
            threads: COMPILER_THREADS,
            limitSeconds: 60,
            namingClues: () => Promise.resolve(cluesOf(one, given)),
          });
          seconds.push(result.seconds);
          const isExact = result.found?.verdict.verdict === "exact_match";
          if (isExact) found++;
          else
            wrong.push(`${one.contract}: ${from} → ${to}: ${result.found?.verdict.verdict ?? "not found"}`);
          console.log(
            `${isExact ? "exact" : "NOT"} ${one.contract}: ${from} → ${to}: ${result.seconds.toFixed(1)} s, ${result.found?.what ?? ""}`,
          );
          if (result.found?.verdict.verdict !== "exact_match") continue;
          const again = withChanges(given, changesTo(given, result.found.submission) ?? {});
          const verdict = await new LocalVerifier(compilers).verify(again, place);
          assert.equal(verdict?.verdict, "exact_match", "what changes come to is what was found");
        }
    }
    console.log(`${found} of ${count} exact; worst ${Math.max(...seconds).toFixed(1)} s`);
    assert.ok(found >= MIN_FOUND * count, wrong.join("\n"));
  });
});
