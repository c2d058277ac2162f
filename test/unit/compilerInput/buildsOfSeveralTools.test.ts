import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";
import type { StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { inputFrom } from "./inputFrom.ts";

const ROOT = "/home/me/vault";
const VAULT = "pragma solidity ^0.8.0; contract Vault { uint256 public x; }";
const OLDER = VAULT.replace("x;", "y;");

const hardhat = (runs: number, compiler = '"0.8.20"') =>
  `module.exports = { solidity: { version: ${compiler}, settings: { optimizer: { enabled: true, runs: ${runs} } } } };`;
const COMPUTED = hardhat(0, "process.argv[2]");
const toml = (runs: number, src = "contracts") =>
  `[profile.default]\nsrc = "${src}"\nsolc = "0.8.24"\noptimizer = true\noptimizer_runs = ${runs}\nevm_version = "paris"\n`;

const settings = (runs: number) => ({ optimizer: { enabled: true, runs }, evmVersion: "paris" });

/** Hardhat's record of a build, with 11 runs. */
const hardhatBuild = (content = VAULT) =>
  JSON.stringify({
    _format: "hh-sol-build-info-1",
    solcVersion: "0.8.20",
    solcLongVersion: "0.8.20+commit.a1b79de6",
    input: {
      language: "Solidity",
      sources: { "contracts/Vault.sol": { content } },
      settings: settings(11),
    },
    output: { contracts: { "contracts/Vault.sol": { Vault: {} } } },
  });

/** Foundry's record of one, with 22 runs. */
const FOUNDRY_BUILD = JSON.stringify({
  _format: "ethers-rs-sol-build-info-1",
  id: "f",
  source_id_to_path: { "0": "contracts/Vault.sol" },
  language: "Solidity",
  solcVersion: "0.8.24",
  solcLongVersion: "0.8.24+commit.e11b9ed9",
  input: {
    version: "0.8.24",
    language: "Solidity",
    sources: { "contracts/Vault.sol": { content: VAULT } },
    settings: settings(22),
  },
  output: { contracts: { "contracts/Vault.sol": { Vault: {} } } },
});

/** What a compiler wrote of the contract. */
function metadata(version: string, runs: number, name = "contracts/Vault.sol", content?: string): string {
  const hash = bytesToHex(keccak_256(new TextEncoder().encode(content ?? VAULT)));
  return JSON.stringify({
    compiler: { version },
    language: "Solidity",
    output: { abi: [], devdoc: {}, userdoc: {} },
    settings: { ...settings(runs), compilationTarget: { [name]: "Vault" }, libraries: {}, remappings: [] },
    sources: { [name]: { keccak256: `0x${hash}`, ...(content === undefined ? { urls: [] } : { content }) } },
    version: 1,
  });
}

const FOUNDRY_ARTIFACT = JSON.stringify({
  abi: [],
  bytecode: { object: "0x6000" },
  deployedBytecode: { object: "0x6000" },
  rawMetadata: metadata("0.8.24+commit.e11b9ed9", 22),
  id: 0,
});

const by = (recordedBy: string, record: string): ContractInputOptions => ({
  deployment: { recordedBy, record: `${ROOT}/${record}` },
});
const BROADCAST = by("foundry", "broadcast/Deploy.s.sol/1/run-latest.json");
const IGNITION = by("hardhat-ignition", "ignition/deployments/chain-1/deployed_addresses.json");
/** Deployed code that fits all settings alike. */
const ALIKE = { deployedSigns: { settings: {}, signsAgainst: () => ({ contradictions: [], doubts: [] }) } };
const TOLD = new Set(["two_tools", "several_builds", "several_projects", "several_profiles"]);

async function made(
  files: Readonly<Record<string, string>>,
  options?: ContractInputOptions,
  contract = "contracts/Vault.sol:Vault",
) {
  const { stdJsonInput, findings } = await inputFrom(ROOT, files, contract, options);
  const told = findings.filter(({ code }) => TOLD.has(code)).map(({ sentence }) => sentence);
  return { runs: stdJsonInput.settings.optimizer?.runs, told };
}

const BOTH = {
  "package.json": '{ "devDependencies": { "hardhat": "^2.22.0" } }',
  "contracts/Vault.sol": VAULT,
  "hardhat.config.js": hardhat(11),
  "foundry.toml": toml(22),
};

describe("A contract that two tools built", () => {
  const several = (taken: string, other: string) => [
    `Several builds hold Vault and nothing tells which one was deployed; ${taken} is taken, ${other} is another.`,
  ];

  it("is told so where one keeps a record and the other metadata alone", async () => {
    const files = {
      ...BOTH,
      "artifacts/build-info/1.json": hardhatBuild(),
      "out/Vault.sol/Vault.json": FOUNDRY_ARTIFACT,
    };
    const told = several("artifacts/build-info/1.json", "out/Vault.sol/Vault.json");
    for (const options of [undefined, ALIKE])
      assert.deepEqual(await made(files, options), { runs: 11, told });
    assert.deepEqual(await made(files, IGNITION), { runs: 11, told: [] });
    assert.deepEqual(await made(files, BROADCAST), { runs: 22, told: [] });
  });

  it("is not told so where both builds are the same, whatever one of them leaves to the compiler", async () => {
    const same = metadata("0.8.20+commit.a1b79de6", 11);
    assert.deepEqual(
      await made({
        ...BOTH,
        "artifacts/build-info/1.json": hardhatBuild(),
        "out/Vault.sol/Vault.json": JSON.stringify({
          ...(JSON.parse(FOUNDRY_ARTIFACT) as object),
          rawMetadata: same,
        }),
      }),
      { runs: 11, told: [] },
    );
  });

  it("is not told so where one record writes out what the compiler fills in by itself", async () => {
    const record = JSON.parse(hardhatBuild()) as { input: { settings: object } };
    const written = { remappings: [], libraries: {}, viaIR: false, metadata: { bytecodeHash: "ipfs" } };
    for (const part of Object.entries(written)) {
      const other = structuredClone(JSON.parse(FOUNDRY_BUILD)) as typeof record & Record<string, unknown>;
      other.input.settings = { ...record.input.settings, ...Object.fromEntries([part]) };
      Object.assign(other, { solcVersion: "0.8.20", solcLongVersion: "0.8.20+commit.a1b79de6" });
      const files = {
        ...BOTH,
        "artifacts/build-info/1.json": hardhatBuild(),
        "out/build-info/f.json": JSON.stringify(other),
      };
      assert.deepEqual(await made(files), { runs: 11, told: [] });
    }
  });

  it("is what the record of the deployment holds the metadata of", async () => {
    const files = {
      "package.json": BOTH["package.json"],
      "contracts/Vault.sol": VAULT,
      "hardhat.config.js": hardhat(11),
      "artifacts/build-info/1.json": hardhatBuild(),
      "deployments/sepolia/.chainId": "11155111",
      "deployments/sepolia/Vault.json": JSON.stringify({
        address: `0x${"ab".repeat(20)}`,
        metadata: metadata("0.8.20+commit.a1b79de6", 99),
      }),
    };
    const recorded = by("hardhat-deploy", "deployments/sepolia/Vault.json");
    assert.equal((await made(files)).runs, 11);
    assert.deepEqual(await made(files, recorded), { runs: 99, told: [] });
  });

  it("is told so where the artifact of one names its record", async () => {
    const files = {
      ...BOTH,
      "artifacts/build-info/1.json": hardhatBuild(),
      "artifacts/contracts/Vault.sol/Vault.dbg.json": JSON.stringify({
        _format: "hh-sol-dbg-1",
        buildInfo: "../../build-info/1.json",
      }),
      "out/build-info/f.json": FOUNDRY_BUILD,
    };
    const told = several("artifacts/build-info/1.json", "out/build-info/f.json");
    assert.deepEqual(await made(files), { runs: 11, told });
    assert.deepEqual(await made(files, BROADCAST), { runs: 22, told: [] });
  });

  it("is told so where one of the builds is older than the files, which may have been deployed before", async () => {
    const files = {
      ...BOTH,
      "artifacts/build-info/1.json": hardhatBuild(OLDER),
      "out/build-info/f.json": FOUNDRY_BUILD,
    };
    assert.deepEqual(await made(files), {
      runs: 22,
      told: several(
        "the one of the files as they are now, out/build-info/f.json",
        "artifacts/build-info/1.json",
      ),
    });
  });
});

describe("A build that is older than the files", () => {
  it("refuses nothing where another tool deployed the contract, whose own build is as the files are", async () => {
    const stale = { ...BOTH, "artifacts/build-info/1.json": hardhatBuild(OLDER) };
    const options = { ...BROADCAST, staleBuild: "refuse" } as const;
    assert.deepEqual(await made({ ...stale, "out/Vault.sol/Vault.json": FOUNDRY_ARTIFACT }, options), {
      runs: 22,
      told: [],
    });
    assert.equal((await made(stale, options)).runs, 22);
    await assert.rejects(made(stale, { ...IGNITION, staleBuild: "refuse" }), (error) => {
      return error instanceof LedgerLensError && error.code === "stale_build";
    });
  });

  it("gives way to the configuration of the tool that deployed the contract, also where metadata holds its sources", async () => {
    const found = await made(
      {
        "contracts/Vault.sol": VAULT,
        "truffle-config.js": 'module.exports = { compilers: { solc: { version: "0.8.19" } } };',
        "foundry.toml": toml(22),
        "build/contracts/Vault.json": JSON.stringify({
          abi: [],
          contractName: "Vault",
          bytecode: "0x00",
          deployedBytecode: "0x00",
          metadata: metadata("0.8.19+commit.7dd6d404", 33, "project:/contracts/Vault.sol", OLDER),
        }),
      },
      BROADCAST,
    );
    assert.equal(found.runs, 22);
  });
});

describe("A build that the deployed code speaks against", () => {
  it("is taken with a word where another tool computes how it compiles", async () => {
    const signs = { settings: {}, signsAgainst: () => ({ contradictions: ["other runs"], doubts: [] }) };
    const files = { ...BOTH, "hardhat.config.js": COMPUTED, "out/build-info/f.json": FOUNDRY_BUILD };
    assert.deepEqual(await made(files, { deployedSigns: signs }), {
      runs: 22,
      told: [
        "The deployed code speaks against out/build-info/f.json (solc 0.8.24, optimizer on with 22 runs, paris), which is taken all the same, since hardhat.config.js computes its settings. Build with the tool that deployed Vault.",
      ],
    });
  });
});

describe("A contract in another language, of which there is no build", () => {
  const yul = { "contracts/Y.yul": 'object "Y" { code { return(0, 0) } }' };
  const Y = "contracts/Y.yul:Y";
  const vyper = { "contracts/V.vy": "# @version ^0.3.10\nx: public(uint256)\n" };
  const V = "contracts/V.vy:V";

  it("asks for what the tool computes that deployed it, and tells of it where nothing is known", async () => {
    const files = { ...BOTH, ...yul, "hardhat.config.js": COMPUTED };
    await assert.rejects(made(files, IGNITION, Y), (error) => {
      return error instanceof LedgerLensError && error.code === "configuration_unknown";
    });
    assert.deepEqual(await made(files, undefined, Y), {
      runs: 22,
      told: [
        "Both Foundry and Hardhat compile contracts/Y.yul, and hardhat.config.js computes its settings; Foundry's are taken (solc 0.8.24, optimizer on with 22 runs, paris). Build with Hardhat if it deployed the contract.",
      ],
    });
  });

  it("is told nothing where the tools come to the same", async () => {
    const same = toml(11).replace("0.8.24", "0.8.20");
    assert.deepEqual(await made({ ...BOTH, ...yul, "foundry.toml": same }, undefined, Y), {
      runs: 11,
      told: [],
    });
    assert.equal((await made({ ...BOTH, ...yul }, undefined, Y)).told.length, 1);
    const ape = (evm: string) => ({
      ...vyper,
      "foundry.toml": toml(22),
      "ape-config.yaml": `vyper:\n  version: 0.3.10\n  evm_version: ${evm}\n`,
    });
    assert.deepEqual((await made(ape("paris"), undefined, V)).told, []);
    assert.equal((await made(ape("shanghai"), undefined, V)).told.length, 1);
  });

  it("is told where a tool deployed it that the project is not set up for", async () => {
    assert.deepEqual((await made({ ...yul, "hardhat.config.js": hardhat(11) }, BROADCAST, Y)).told, [
      "Foundry deployed Y, and its configuration here says nothing of how contracts/Y.yul is compiled; taken are solc 0.8.20, optimizer on with 11 runs, paris. Give the compiler version and ledgerLens.compilerSettings if the deployment has others.",
    ]);
    const ape = { ...vyper, "ape-config.yaml": "vyper:\n  version: 0.3.10\n  evm_version: shanghai\n" };
    const ofApe = by("ape", ".build/__local__.json");
    assert.deepEqual((await made(ape, ofApe, V)).told, []);
    assert.deepEqual((await made(ape, by("moccasin", "deployments.db"), V)).told, [
      "moccasin deployed V, and its configuration here says nothing of how contracts/V.vy is compiled; taken are Vyper 0.3.10, shanghai. Give the compiler version and ledgerLens.compilerSettings if the deployment has others.",
    ]);
    assert.deepEqual((await made({ ...ape, "hardhat.config.js": hardhat(11) }, IGNITION, V)).told, [
      "Hardhat deployed V, and its settings for contracts/V.vy are not read; taken are Vyper 0.3.10. Give the compiler version and ledgerLens.compilerSettings if the deployment has others.",
    ]);
  });
});

describe("A contract that Ignition deployed with Hardhat 3, of which no build is kept", () => {
  it("has the settings of the build profile production, which is told", async () => {
    const profile = (runs: number) =>
      `{ version: "0.8.20", settings: { optimizer: { enabled: true, runs: ${runs} } } }`;
    const files = {
      "package.json": '{ "type": "module", "devDependencies": { "hardhat": "^3.0.0" } }',
      "contracts/Vault.sol": VAULT,
      "hardhat.config.ts": `export default { solidity: { profiles: { default: ${profile(5)}, production: ${profile(55)} } } };`,
    };
    assert.deepEqual(await made(files), { runs: 5, told: [] });
    const told = ["Hardhat Ignition compiles with the build profile production, so its settings are taken."];
    assert.deepEqual(await made(files, IGNITION), { runs: 55, told });
    assert.deepEqual(await made(files, { ...IGNITION, profile: "default" }), { runs: 5, told: [] });
    assert.deepEqual(await made(BOTH, IGNITION).then(({ runs }) => runs), 11);
  });
});

describe("A contract that another project of the workspace deployed", () => {
  const files = {
    "packages/a/hardhat.config.js": hardhat(11),
    "packages/a/package.json": BOTH["package.json"],
    "packages/a/contracts/Vault.sol": VAULT,
    "packages/b/foundry.toml": toml(77, "src"),
  };
  const importing = {
    "packages/b/remappings.txt": "a/=../a/\n",
    "packages/b/src/Named.sol":
      'pragma solidity ^0.8.0; import "a/contracts/Vault.sol"; contract Named is Vault {}',
  };
  const ofB = by("foundry", "packages/b/broadcast/Deploy.s.sol/1/run-latest.json");
  const Vault = "packages/a/contracts/Vault.sol:Vault";

  it("is compiled as that one compiles it", async () => {
    assert.deepEqual(await made({ ...files, ...importing }, ofB, Vault), {
      runs: 77,
      told: [
        "packages/a and packages/b compile packages/a/contracts/Vault.sol; packages/b deployed it, so its settings are taken.",
      ],
    });
    const ofA = by("hardhat-ignition", "packages/a/ignition/deployments/chain-1/deployed_addresses.json");
    for (const options of [undefined, ofA])
      assert.deepEqual(await made({ ...files, ...importing }, options, Vault), { runs: 11, told: [] });
  });

  it("is compiled as that one built it where the deployed code shows it, and speaks against the other", async () => {
    const built = {
      ...files,
      ...importing,
      "packages/a/artifacts/build-info/1.json": hardhatBuild(),
      "packages/b/out/Vault.sol/Vault.json": JSON.stringify({
        ...(JSON.parse(FOUNDRY_ARTIFACT) as object),
        rawMetadata: metadata("0.8.24+commit.e11b9ed9", 77, "../a/contracts/Vault.sol"),
      }),
    };
    const signs = {
      deployedSigns: {
        settings: {},
        signsAgainst: ({ stdJsonInput }: { readonly stdJsonInput: StandardJsonInput }) => ({
          contradictions: stdJsonInput.settings.optimizer?.runs === 77 ? [] : ["other runs"],
          doubts: [],
        }),
      },
    };
    const { runs, told } = await made(built, signs, Vault);
    assert.deepEqual([runs, told.length], [77, 1]);
    const { findings } = await inputFrom(ROOT, built, Vault, ofB);
    assert.deepEqual(
      findings.filter(({ code }) => code === "not_on_disk"),
      [],
    );
  });

  it("is told where that one does not compile it", async () => {
    const { runs, told } = await made(files, ofB, Vault);
    assert.equal(runs, 11);
    assert.equal(
      told[0],
      "packages/b deployed Vault, and does not compile packages/a/contracts/Vault.sol, as far as its builds and imports tell; the settings of packages/a are taken (solc 0.8.20, optimizer on with 11 runs, paris).",
    );
  });
});
