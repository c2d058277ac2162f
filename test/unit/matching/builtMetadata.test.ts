import assert from "node:assert/strict";
import { compileNow } from "../../sandbox/solcNow.ts";
import { describe, it } from "node:test";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import { builtMetadata } from "../../../src/core/matching/builtMetadata.ts";
import { readLocalBuild } from "../../../src/core/compilerInput/localBuildReader.ts";
import { predict } from "../../../src/core/matching/predict.ts";
import { memoryFolders } from "../files/memoryFolders.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../random.ts";
import { linkedAt } from "../../../src/core/evm/hex.ts";

const sources = {
  "contracts/Shop.sol": `// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity >=0.8.0;
import { Till } from "lib/Till.sol";
import "./Prices.sol";
library Sums { function sum(uint256 a, uint256 b) external pure returns (uint256) { return a + b; } }
contract Shop is Prices, Till {
    error Closed(uint256 at);
    function total(uint256 a) external view returns (uint256) { return Sums.sum(a, priced); }
}
`,
  "contracts/Prices.sol": "/* SPDX-License-Identifier: GPL-3.0 */ contract Prices { uint256 public priced; }",
  "packages/till/Till.sol": "abstract contract Till { event Rung(address indexed by); }",
};
const target = "contracts/Shop.sol:Shop";
const remappings = ["lib/=packages/till/"];

interface Output {
  readonly abi: readonly unknown[];
  readonly metadata: string;
  readonly devdoc: unknown;
  readonly userdoc: unknown;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
}

function compile(
  release: string,
  contents: Readonly<Record<string, string>>,
  settings: CompilerSettings,
): Output {
  const { contracts, errors } = compileNow(
    {
      language: "Solidity",
      sources: Object.fromEntries(Object.entries(contents).map(([name, content]) => [name, { content }])),
      settings: {
        ...settings,
        outputSelection: {
          "*": {
            "*": [
              "abi",
              "metadata",
              "devdoc",
              "userdoc",
              "evm.bytecode.object",
              "evm.deployedBytecode.object",
            ],
          },
        },
      },
    },
    release,
  ) as { contracts?: Record<string, Record<string, Output>>; errors?: unknown };
  const shop = contracts?.["contracts/Shop.sol"]?.["Shop"];
  assert.ok(shop, JSON.stringify(errors));
  return shop;
}

const RELEASES: [readonly [string, string], ...(readonly [string, string])[]] = [
  ["solc", "0.8.37"],
  ["solc-0.8.28", "0.8.28"],
  ["solc-0.8.24", "0.8.24"],
];

/** Settings that reach the metadata, each absent half the time. */
function drawSettings({ pick, below }: ReturnType<typeof random>): CompilerSettings {
  const maybe = <T>(value: T): T | undefined => (below(2) === 0 ? value : undefined);
  const drawn = {
    optimizer: maybe(
      pick([{ enabled: true, runs: 1 }, { enabled: true, runs: 999_999 }, { enabled: false }, { runs: 7 }]),
    ),
    evmVersion: maybe(pick(["london", "paris", "shanghai"] as const)),
    viaIR: maybe(below(2) === 0),
    metadata: maybe(
      pick<object>([
        { useLiteralContent: true },
        { useLiteralContent: false },
        { bytecodeHash: "none" },
        { bytecodeHash: "bzzr1" },
        { appendCBOR: false },
      ]),
    ),
    libraries: maybe(
      pick([
        { "contracts/Shop.sol": { Sums: "0xaBcdef0123456789012345678901234567890123" } },
        { "": { Sums: "0x00cdef0123456789012345678901234567890123" } },
      ]),
    ),
    debug: maybe(pick([{ revertStrings: "strip" }, { revertStrings: "default" }])),
    remappings: pick([
      remappings,
      [...remappings, "zebra/=a/", "contracts:ant/=b/"],
      [...remappings, ...remappings],
    ]),
  };
  return Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined));
}

describe("Metadata that is put together without a compiler", () => {
  it("is the compiler's own, byte for byte, whatever the settings", () => {
    const source = random("built metadata");
    for (let round = 0; round < proofSize({ sample: 4, whole: 18 }); round++) {
      const [release, version] = source.pick(RELEASES);
      const settings = drawSettings(source);
      const { abi, metadata } = compile(release, sources, settings);
      const compilerVersion = completeSolcVersion(version);
      assert.equal(
        builtMetadata({ compilerVersion, contractIdentifier: target, settings, sources }, { abi }),
        metadata,
        JSON.stringify([version, settings]),
      );
    }
  });

  it("needs the documentation where there is some", () => {
    const documented = {
      ...sources,
      "contracts/Prices.sol": `/// @notice Prices.\n${sources["contracts/Prices.sol"]}`,
    };
    const settings = { remappings };
    const { abi, metadata, devdoc, userdoc } = compile("solc", documented, settings);
    const input = {
      compilerVersion: completeSolcVersion("0.8.37"),
      contractIdentifier: target,
      settings,
      sources: documented,
    };
    assert.equal(builtMetadata(input, { abi }), undefined);
    assert.equal(builtMetadata(input, { abi, devdoc, userdoc }), metadata);
  });
});

describe("What is known of a local build", () => {
  const settings: CompilerSettings = { remappings, optimizer: { enabled: true, runs: 200 } };
  const input = (changes: Partial<Record<"record" | "content", string>> = {}) => ({
    compilerVersion: completeSolcVersion("0.8.37"),
    contractIdentifier: target,
    project: "/shop",
    files: [],
    stdJsonInput: {
      language: "Solidity" as const,
      settings,
      sources: Object.fromEntries(
        Object.entries({
          ...sources,
          ...(changes.content && { "contracts/Prices.sol": changes.content }),
        }).map(([name, content]) => [name, { content }]),
      ),
    },
    ...(changes.record !== undefined && { record: changes.record }),
  });
  const built = compile("solc", sources, settings);
  const deployedCode = `0x${linkedAt(built.evm.deployedBytecode.object, "12".repeat(20))}`;
  const record = {
    solcLongVersion: "0.8.37+commit.f401782d",
    input: input().stdJsonInput,
    output: { contracts: { "contracts/Shop.sol": { Shop: built } } },
  };

  it("is what the build's record says, also where the output lies beside it", async () => {
    const { output, ...rest } = record;
    for (const files of [
      { "/shop/artifacts/build-info/1.json": JSON.stringify(record) },
      {
        "/shop/artifacts/build-info/1.json": JSON.stringify({ _format: "hh3-sol-build-info-1", ...rest }),
        "/shop/artifacts/build-info/1.output.json": JSON.stringify({ output }),
      },
    ]) {
      const localBuild = await readLocalBuild(
        memoryFolders(files),
        input({ record: "/shop/artifacts/build-info/1.json" }),
      );
      assert.equal(localBuild.metadata, built.metadata);
      assert.equal(localBuild.runtimeBytecode, built.evm.deployedBytecode.object);
      assert.equal((await predict({ deployedCode, localBuild })).prediction, "exact_match");
    }
  });

  const hardhat = {
    "/shop/hardhat.config.js": "module.exports = {};",
    "/shop/artifacts/contracts/Shop.sol/Shop.json": JSON.stringify({
      abi: built.abi,
      deployedBytecode: `0x${built.evm.deployedBytecode.object}`,
      bytecode: `0x${built.evm.bytecode.object}`,
    }),
  };

  it("is put together of the files and an artifact's interface, without a record", async () => {
    const localBuild = await readLocalBuild(memoryFolders(hardhat), input());
    assert.equal(localBuild.metadata, built.metadata);
    assert.ok(localBuild.runtimeBytecode, "the artifact is of just these files");
    assert.equal((await predict({ deployedCode, localBuild })).prediction, "exact_match");
  });

  it("is put together of the artifact where the configuration says that it lies", async () => {
    const artifact = Object.values(hardhat)[1] ?? "";
    for (const files of [
      { "foundry.toml": '[profile.default]\nout = "build"', "build/Shop.sol/Shop.json": artifact },
      {
        "hardhat.config.js": 'module.exports = { paths: { artifacts: "./made" } };',
        "made/contracts/Shop.sol/Shop.json": artifact,
      },
      {
        "truffle-config.js": 'module.exports = { contracts_build_directory: "./made" };',
        "made/Shop.json": artifact,
      },
      // Remix keeps artifacts beside the contract.
      { "remix.config.json": "{}", "contracts/artifacts/Shop.json": artifact },
    ]) {
      const there = Object.entries<string>(files).map(([name, text]) => [`/shop/${name}`, text] as const);
      const localBuild = await readLocalBuild(memoryFolders(Object.fromEntries(there)), input());
      assert.equal(localBuild.metadata, built.metadata, Object.keys(files).join(" "));
      assert.ok(localBuild.runtimeBytecode);
    }
  });

  it("leaves out the code of a record whose compiler or settings were changed by hand", async () => {
    const files = memoryFolders({ "/shop/artifacts/build-info/1.json": JSON.stringify(record) });
    const own = input({ record: "/shop/artifacts/build-info/1.json" });
    const finding = { code: "settings_changed", severity: "warning", sentence: "Changed." } as const;
    const changed = { ...settings, optimizer: { enabled: true, runs: 9_999 } };
    const localBuild = await readLocalBuild(files, {
      ...own,
      stdJsonInput: { ...own.stdJsonInput, settings: changed },
      findings: [finding],
    });
    assert.equal(localBuild.runtimeBytecode, undefined);
    assert.equal(localBuild.metadata, compile("solc", sources, changed).metadata);
  });

  it("leaves out the code of an artifact that is older than the files", async () => {
    const content = `${sources["contracts/Prices.sol"]} // Later.`;
    const localBuild = await readLocalBuild(memoryFolders(hardhat), input({ content }));
    assert.equal(localBuild.runtimeBytecode, undefined);
    const { prediction, reasons } = await predict({ deployedCode, localBuild });
    assert.equal(prediction, "unknown", reasons.join(" "));
    const later = compile("solc", { ...sources, "contracts/Prices.sol": content }, settings);
    const redeployed = `0x${linkedAt(later.evm.deployedBytecode.object, "12".repeat(20))}`;
    assert.equal((await predict({ deployedCode: redeployed, localBuild })).prediction, "exact_match");
  });

  it("is of those files only that the contract needs", async () => {
    const foundry = {
      "/shop/foundry.toml": "",
      "/shop/out/Shop.sol/Shop.json": JSON.stringify({
        abi: built.abi,
        rawMetadata: built.metadata,
        deployedBytecode: { object: `0x${built.evm.deployedBytecode.object}` },
      }),
    };
    const { stdJsonInput, ...rest } = input();
    const more = { ...stdJsonInput.sources, "test/Shop.t.sol": { content: "contract ShopTest {}" } };
    const localBuild = await readLocalBuild(memoryFolders(foundry), {
      ...rest,
      stdJsonInput: { ...stdJsonInput, sources: more },
    });
    assert.equal(localBuild.metadata, built.metadata);
    assert.equal((await predict({ deployedCode, localBuild })).prediction, "exact_match");
  });

  it("has no byte-order mark, which the editor may have put there since", async () => {
    const content = `\ufeff${sources["contracts/Prices.sol"]}`;
    const localBuild = await readLocalBuild(memoryFolders(hardhat), input({ content }));
    const { reasons } = await predict({ deployedCode, localBuild });
    assert.match(reasons.join(" "), /contracts\/Prices\.sol without a byte-order mark/);
  });

  it("is little where there is no artifact", async () => {
    const localBuild = await readLocalBuild(memoryFolders({}), input());
    assert.equal(localBuild.metadata, undefined);
    const { prediction, reasons } = await predict({ deployedCode, localBuild });
    assert.equal(prediction, "unknown");
    assert.match(
      reasons.join(" "),
      /^There is no local build to compare\. Build the project, or verify locally/,
    );
  });
});
