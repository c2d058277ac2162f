import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { contractInput } from "../../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../../src/core/languages/workspaceContract.ts";
import type { CompilerInput } from "../../../src/core/sources/standardJsonInput.ts";
import { diskFiles } from "../../../src/core/files/diskFiles.ts";
import { writeTree } from "../../oracles/writeTree.ts";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";
import { UnknownConfigurationError } from "../../../src/core/compilerInput/unknownConfiguration.ts";
import { inputFrom } from "../compilerInput/inputFrom.ts";
import { below, memoryFolders } from "../files/memoryFolders.ts";

const ROOT = "/home/me/vault";
const VAULT = "pragma solidity ^0.8.0; contract Vault {}";

/** As a library's configuration has it that its maintainers drive from the command line. */
const FROM_COMMAND_LINE = `
const { argv } = require("yargs/yargs")()
  .env("")
  .options({ compiler: { type: "string", default: "0.8.24" }, gas: { type: "boolean" } });
const withOptimizations = argv.gas || argv.coverage;
module.exports = {
  solidity: {
    version: argv.compiler,
    settings: { optimizer: { enabled: withOptimizations, runs: argv.runs }, viaIR: withOptimizations && argv.ir },
  },
};`;

async function openOf(
  files: Readonly<Record<string, string>>,
  contract: string,
  options?: ContractInputOptions,
): Promise<UnknownConfigurationError> {
  let found: unknown;
  await assert.rejects(inputFrom(ROOT, files, contract, options), (error) => {
    found = error;
    return error instanceof UnknownConfigurationError;
  });
  return found as UnknownConfigurationError;
}

describe("A compiler that the configuration leaves to the command line", () => {
  const files = { "hardhat.config.js": FROM_COMMAND_LINE, "contracts/Vault.sol": VAULT };

  it("is never guessed: a caller gets an error that says what is computed and what to give", async () => {
    const error = await openOf(files, "contracts/Vault.sol:Vault");
    assert.equal(error.code, "configuration_unknown");
    assert.equal(
      error.message,
      "hardhat.config.js, line 8: solidity.version is computed (argv.compiler) (and 2 more), so the compiler of Vault isn't known. Build the project, or give the compiler version, and optimizer and viaIR in the setting ledgerLens.compilerSettings.",
    );
    assert.deepEqual(error.open.proposals, []);
  });

  it("is known as soon as it is given with the settings", async () => {
    const { code, open } = await openOf(files, "contracts/Vault.sol:Vault", { compilerVersion: "0.8.20" });
    assert.equal(code, "configuration_unknown");
    assert.deepEqual([...new Set(open.unknown.map(({ setting }) => setting))], ["optimizer", "viaIR"]);
    const given = { optimizer: { enabled: true, runs: 7 }, viaIR: false };
    for (const settings of [{ settings: given }, { defaultSettings: given }]) {
      const input = await inputFrom(ROOT, files, "contracts/Vault.sol:Vault", {
        compilerVersion: "0.8.20",
        ...settings,
      });
      assert.match(input.compilerVersion, /^0\.8\.20\+/);
      assert.deepEqual(input.stdJsonInput.settings.optimizer, { enabled: true, runs: 7 });
      // What Hardhat itself sets for this compiler stays.
      assert.equal(input.stdJsonInput.settings.evmVersion, "paris");
    }
  });

  it("is read from what a monorepo's projects share, in the open folder and not outside of it", async () => {
    const config = 'import { solidity } from "../../config/solc"; export default { solidity };';
    const files = {
      "packages/core/hardhat.config.ts": config,
      "packages/core/contracts/Vault.sol": VAULT,
    };
    const shared = 'export const solidity = { version: "0.8.24", settings: { viaIR: true } };';
    const input = await inputFrom(
      ROOT,
      { ...files, "config/solc.ts": shared },
      "packages/core/contracts/Vault.sol:Vault",
    );
    assert.match(input.compilerVersion, /^0\.8\.24\+/);
    assert.equal(input.stdJsonInput.settings["viaIR"], true);
    const all = memoryFolders(below(ROOT, { ...files, "config/solc.ts": shared }));
    const open = [`${ROOT}/packages/core`];
    await assert.rejects(
      contractInput(all, open, await findWorkspaceContract(all, open, "contracts/Vault.sol:Vault")),
      UnknownConfigurationError,
    );
  });

  it("is proposed by the foundry.toml beside it, the last build and the deployed code", async () => {
    const record = {
      _format: "hh-sol-build-info-1",
      solcVersion: "0.8.19",
      solcLongVersion: "0.8.19+commit.7dd6d404",
      input: {
        language: "Solidity",
        sources: { "contracts/Other.sol": { content: "contract Other {}" } },
        settings: { optimizer: { enabled: true, runs: 9 } },
      },
      output: { contracts: { "contracts/Other.sol": { Other: {} } } },
    };
    const { open, message } = await openOf(
      {
        ...files,
        "foundry.toml":
          '[profile.default]\nsrc = "src"\nsolc = "0.8.24"\noptimizer = true\noptimizer_runs = 1_000',
        "src/A.sol": "contract A {}",
        "artifacts/build-info/1.json": JSON.stringify(record),
      },
      "contracts/Vault.sol:Vault",
      {
        deployedCompilerVersion: "0.8.99",
        deployedSigns: {
          settings: { optimizer: { enabled: true } },
          signsAgainst: () => ({ contradictions: [], doubts: [] }),
        },
      },
    );
    assert.match(
      message,
      /foundry\.toml says solc 0\.8\.24, optimizer on with 1,000 runs, IR pipeline off\.$/,
    );
    assert.deepEqual(
      open.proposals.map(({ from, compilerVersion, settings }) => [
        from,
        compilerVersion,
        settings.optimizer,
      ]),
      [
        ["foundry.toml", "0.8.24+commit.e11b9ed9", { enabled: true, runs: 1_000 }],
        ["artifacts/build-info/1.json", "0.8.19+commit.7dd6d404", { enabled: true, runs: 9 }],
        ["the deployed code", "0.8.99", { enabled: true }],
      ],
    );
  });

  it("is the one that the deployed code names, whose settings are asked for all the same", async () => {
    const error = await openOf(files, "contracts/Vault.sol:Vault", { deployedCompilerVersion: "0.8.21" });
    assert.match(error.message, /so optimizer and viaIR of Vault aren't known/);
    const known = await inputFrom(
      ROOT,
      { ...files, "hardhat.config.js": 'module.exports = { solidity: process.argv[2] || "0.8.3" };' },
      "contracts/Vault.sol:Vault",
      {
        deployedCompilerVersion: "0.8.21",
        settings: { optimizer: { enabled: false }, viaIR: false, evmVersion: "paris" },
      },
    );
    assert.match(known.compilerVersion, /^0\.8\.21\+/);
  });

  for (const [what, config] of [
    ["a file elsewhere", 'module.exports = { solidity: require("./compilers") };'],
    ["an opaque configuration", "module.exports = makeConfig();"],
    ["what is spread over it", 'module.exports = { solidity: { version: "0.8.20", ...require("./more") } };'],
    [
      "a list that more may be added to",
      'module.exports = { solidity: { compilers: ["0.8.20", ...more()].map((version) => ({ version })) } };',
    ],
    [
      "an optimizer from elsewhere",
      'module.exports = { solidity: { version: "0.8.20", settings: require("./settings.json") } };',
    ],
    [
      "runs from the command line",
      'module.exports = { solidity: { version: "0.8.20", settings: { optimizer: { enabled: true, runs: argv.runs } } } };',
    ],
    [
      "an override",
      'module.exports = { solidity: { version: "0.8.20", overrides: { "contracts/Vault.sol": { version: argv.v } } } };',
    ],
  ] as const)
    it(`is never guessed where it comes from ${what}`, async () => {
      const { code } = await openOf({ ...files, "hardhat.config.js": config }, "contracts/Vault.sol:Vault");
      assert.equal(code, "configuration_unknown");
    });

  it("is not asked for in a Truffle project either", async () => {
    const { open } = await openOf(
      {
        "truffle-config.js": "module.exports = { compilers: { solc: { version: argv.solc } } };",
        "contracts/Vault.sol": VAULT,
      },
      "contracts/Vault.sol:Vault",
    );
    assert.equal(open.configuration, "truffle-config.js");
  });

  it("takes the branch of a variable that is not set, and says that it depends on one", async () => {
    const input = await inputFrom(
      ROOT,
      {
        "hardhat.config.js": `module.exports = { solidity: { version: process.env.SOLC ?? "0.8.20", settings: {
          optimizer: { enabled: true, runs: 20, ...(process.env.COVERAGE ? { enabled: false } : { runs: 33 }) } } } };`,
        "contracts/Vault.sol": VAULT,
      },
      "contracts/Vault.sol:Vault",
    );
    assert.deepEqual(input.stdJsonInput.settings.optimizer, { enabled: true, runs: 33 });
    assert.deepEqual(
      input.findings.map(({ code, sentence }) => [code, sentence]),
      [
        [
          "environment_unset",
          "hardhat.config.js, line 1, depends on SOLC and COVERAGE of the environment, which count as not set.",
        ],
      ],
    );
  });
});

describe("A project that both Hardhat and Foundry could compile", () => {
  const TOML =
    '[profile.default]\nsrc = "contracts"\nsolc = "0.8.24"\noptimizer = true\noptimizer_runs = 1_000\nevm_version = "paris"';
  const KNOWN = 'module.exports = { solidity: "0.8.20" };';
  const BROADCAST = {
    deployment: { recordedBy: "foundry", record: `${ROOT}/broadcast/Deploy.s.sol/1/run-latest.json` },
  };
  const IGNITION = {
    deployment: {
      recordedBy: "hardhat-ignition",
      record: `${ROOT}/ignition/deployments/chain-1/deployed_addresses.json`,
    },
  };
  const by = async (
    files: Readonly<Record<string, string>>,
    options?: ContractInputOptions,
    contract = "contracts/Vault.sol",
  ) => {
    const input = await inputFrom(
      ROOT,
      { "contracts/Vault.sol": VAULT, ...files },
      `${contract}:Vault`,
      options,
    );
    const { compilerVersion, findings } = input;
    return {
      version: compilerVersion.replace(/\+.*/, ""),
      severity: findings.find(({ code }) => code === "two_tools")?.severity,
    };
  };

  it("is compiled by Foundry where hardhat.config names no compiler", async () => {
    for (const config of ["module.exports = {};", 'require("x"); module.exports = { networks: {} };'])
      assert.deepEqual(await by({ "foundry.toml": TOML, "hardhat.config.js": config }), {
        version: "0.8.24",
        severity: undefined,
      });
  });

  it("is compiled by Foundry where hardhat.config computes its compiler, which is told", async () => {
    const both = { "foundry.toml": TOML, "hardhat.config.js": FROM_COMMAND_LINE };
    const { compilerVersion, findings } = await inputFrom(
      ROOT,
      { "contracts/Vault.sol": VAULT, ...both },
      "contracts/Vault.sol:Vault",
    );
    assert.equal(compilerVersion, "0.8.24+commit.e11b9ed9");
    assert.deepEqual(
      findings.find(({ code }) => code === "two_tools"),
      {
        code: "two_tools",
        severity: "warning",
        sentence:
          "Both Foundry and Hardhat compile contracts/Vault.sol, and hardhat.config.js computes its settings; Foundry's are taken (solc 0.8.24, optimizer on with 1,000 runs, IR pipeline off, paris). Build with Hardhat if it deployed the contract.",
        path: `${ROOT}/contracts/Vault.sol`,
      },
    );
    const fits = { settings: {}, signsAgainst: () => ({ contradictions: [], doubts: [] }) };
    assert.deepEqual(await by(both, { deployedCompilerVersion: "0.8.24", deployedSigns: fits }), {
      version: "0.8.24",
      severity: "note",
    });
    assert.deepEqual(
      await by(both, {
        deployment: { recordedBy: "foundry", record: `${ROOT}/broadcast/D.s.sol/1/run-latest.json` },
      }),
      { version: "0.8.24", severity: undefined },
    );
  });

  it("asks for what hardhat.config computes where Hardhat deployed it", async () => {
    const record = `${ROOT}/ignition/deployments/chain-1/deployed_addresses.json`;
    await assert.rejects(
      by(
        { "foundry.toml": TOML, "hardhat.config.js": FROM_COMMAND_LINE },
        { deployment: { recordedBy: "hardhat-ignition", record } },
      ),
      { code: "configuration_unknown" },
    );
  });

  it("is compiled by the one whose folder holds the contract, in whatever profile and spelling", async () => {
    const both = { "hardhat.config.js": KNOWN, "foundry.toml": TOML.replace('"contracts"', '"./src/"') };
    assert.equal((await by(both)).version, "0.8.20");
    for (const folder of ["src", "test", "script"])
      assert.equal(
        (await by({ ...both, [`${folder}/V.sol`]: VAULT }, {}, `${folder}/V.sol`)).version,
        "0.8.24",
      );
    const profiles = { ...both, "foundry.toml": `${both["foundry.toml"]}\n[profile.more]\nsrc = "more"` };
    assert.equal((await by({ ...profiles, "more/V.sol": VAULT }, {}, "more/V.sol")).version, "0.8.24");
  });

  it("is no file of Foundry's by the folders of a profile whose settings are not taken, where Hardhat compiles it", async () => {
    const toml = `${TOML.replace('"contracts"', '"src"')}\n[profile.release]\nsrc = "contracts"`;
    await assert.rejects(by({ "foundry.toml": toml, "hardhat.config.js": FROM_COMMAND_LINE }), {
      code: "configuration_unknown",
    });
    const both = { "foundry.toml": toml, "hardhat.config.js": KNOWN };
    assert.deepEqual(await by(both), { version: "0.8.20", severity: undefined });
    assert.deepEqual(await by(both, { profile: "release" }), { version: "0.8.20", severity: "warning" });
  });

  it("is a file of Foundry's too where a test of the profile that is taken imports what another profile's folder holds", async () => {
    const toml = `${TOML.replace('"contracts"', '"src"')}\n[profile.release]\nsrc = "contracts"`;
    const imported = {
      "foundry.toml": toml,
      "hardhat.config.js": KNOWN,
      "test/V.t.sol": 'pragma solidity ^0.8.0; import "../contracts/Vault.sol"; contract VaultTest {}',
    };
    assert.deepEqual(await by(imported), { version: "0.8.20", severity: "warning" });
    assert.deepEqual(await by(imported, { deployedCompilerVersion: "0.8.24" }), {
      version: "0.8.24",
      severity: "note",
    });
    const record = `${ROOT}/broadcast/Deploy.s.sol/1/run-latest.json`;
    assert.deepEqual(await by(imported, { deployment: { recordedBy: "foundry", record } }), {
      version: "0.8.24",
      severity: "note",
    });
  });

  it("is compiled by the one that deployed it, or whose settings the deployed code shows", async () => {
    const both = { "hardhat.config.js": KNOWN, "foundry.toml": TOML };
    const record = `${ROOT}/broadcast/Deploy.s.sol/1/run-latest.json`;
    assert.deepEqual(await by(both, { deployment: { recordedBy: "foundry", record } }), {
      version: "0.8.24",
      severity: "note",
    });
    assert.deepEqual(await by(both, { deployedCompilerVersion: "0.8.24" }), {
      version: "0.8.24",
      severity: "note",
    });
    assert.deepEqual(await by(both, { deployedCompilerVersion: "0.8.20" }), {
      version: "0.8.20",
      severity: "note",
    });
    const signs = {
      settings: {},
      signsAgainst: ({
        stdJsonInput: { settings },
      }: {
        stdJsonInput: { settings: { optimizer?: { enabled?: boolean } } };
      }) => ({
        contradictions: [],
        doubts: settings.optimizer?.enabled === true ? [] : ["not optimized"],
      }),
    };
    assert.deepEqual(await by(both, { deployedSigns: signs }), { version: "0.8.24", severity: "note" });
  });

  it("is told where nothing decides, and is not where both come to the same", async () => {
    const both = { "hardhat.config.js": KNOWN, "foundry.toml": TOML };
    assert.deepEqual(await by(both), { version: "0.8.20", severity: "warning" });
    const same = `module.exports = { solidity: { version: "0.8.24", settings: { optimizer: { enabled: true, runs: 1000 },
      evmVersion: "paris", viaIR: false, metadata: { useLiteralContent: false, bytecodeHash: "ipfs", appendCBOR: true }, libraries: {} } } };`;
    assert.deepEqual(await by({ ...both, "hardhat.config.js": same }), {
      version: "0.8.24",
      severity: undefined,
    });
  });

  it("is compiled by the one that can, unless another one deployed it", async () => {
    const both = { "hardhat.config.js": 'module.exports = { solidity: "0.7.6" };', "foundry.toml": TOML };
    assert.deepEqual(await by(both), { version: "0.8.24", severity: undefined });
    await assert.rejects(by(both, IGNITION), { code: "no_compiler" });
  });

  it("is compiled by each whose tests or sources import it", async () => {
    const imported = (path: string) => `pragma solidity ^0.8.0; import "${path}"; contract Importer {}`;
    const both = { "hardhat.config.js": KNOWN, "foundry.toml": TOML.replace('"contracts"', '"src"') };
    const byForge = { ...both, "test/V.t.sol": imported("../contracts/Vault.sol") };
    assert.deepEqual(await by(both), { version: "0.8.20", severity: undefined });
    assert.deepEqual(await by(byForge), { version: "0.8.20", severity: "warning" });
    assert.deepEqual(await by(byForge, BROADCAST), { version: "0.8.24", severity: "note" });
    assert.deepEqual(await by(byForge, { deployedCompilerVersion: "0.8.24" }), {
      version: "0.8.24",
      severity: "note",
    });
    const byHardhat = {
      ...both,
      "src/V.sol": VAULT,
      "contracts/I.sol": imported("../src/V.sol"),
    };
    assert.deepEqual(await by(byHardhat, BROADCAST, "src/V.sol"), { version: "0.8.24", severity: "note" });
    assert.deepEqual(await by(byHardhat, IGNITION, "src/V.sol"), { version: "0.8.20", severity: "note" });
  });

  it("is no file of Foundry's by another profile's folder where Hardhat's sources import it", async () => {
    const files = {
      "hardhat.config.js": KNOWN,
      "foundry.toml": `${TOML.replace('"contracts"', '"src"')}\n[profile.more]\nsrc = "more"`,
      "more/V.sol": VAULT,
      "contracts/I.sol": 'pragma solidity ^0.8.0; import "../more/V.sol"; contract Importer {}',
    };
    assert.equal((await by(files, {}, "more/V.sol")).version, "0.8.20");
  });

  it("asks for what the machine chooses in foundry.toml where Foundry deployed it, and tells of it elsewhere", async () => {
    const both = { "hardhat.config.js": KNOWN, "foundry.toml": TOML, ".env": "FOUNDRY_EVM_VERSION=${FORK}" };
    await assert.rejects(by(both, BROADCAST), { code: "configuration_unknown" });
    assert.deepEqual(await by(both), { version: "0.8.20", severity: "warning" });
  });

  it("is told where the tool that deployed it says nothing of it", async () => {
    const both = { "hardhat.config.js": KNOWN, "foundry.toml": TOML.replace('"contracts"', '"src"') };
    const files = { "contracts/Vault.sol": VAULT, ...both };
    const { compilerVersion, findings } = await inputFrom(
      ROOT,
      files,
      "contracts/Vault.sol:Vault",
      BROADCAST,
    );
    assert.match(compilerVersion, /^0\.8\.20\+/);
    assert.deepEqual(
      findings.filter(({ code }) => code === "two_tools"),
      [
        {
          code: "two_tools",
          severity: "warning",
          sentence:
            "Foundry deployed Vault, and its configuration here says nothing of how contracts/Vault.sol is compiled; taken are solc 0.8.20, optimizer off, paris. Give the compiler version and ledgerLens.compilerSettings if the deployment has others.",
          path: `${ROOT}/contracts/Vault.sol`,
        },
      ],
    );
    const vyperOnly = { "moccasin.toml": '[project]\nsrc = "contracts"\n' };
    const record = { deployment: { recordedBy: "moccasin", record: `${ROOT}/deployments.db` } };
    assert.equal((await by(vyperOnly, record)).severity, "warning");
  });

  /** A record of a build by Hardhat. */
  const built = (version: string) => ({
    _format: "hh-sol-build-info-1",
    solcVersion: version.replace(/\+.*/, ""),
    solcLongVersion: version,
    input: {
      language: "Solidity",
      sources: { "contracts/Vault.sol": { content: VAULT } },
      settings: { optimizer: { enabled: false, runs: 200 }, evmVersion: "paris" },
    },
    output: { contracts: { "contracts/Vault.sol": { Vault: {} } } },
  });

  it("is what was deployed and not what the other tool built", async () => {
    const both = {
      "hardhat.config.js": KNOWN,
      "foundry.toml": TOML,
      "artifacts/build-info/1.json": JSON.stringify(built("0.8.20+commit.a1b79de6")),
    };
    assert.deepEqual(await by(both), { version: "0.8.20", severity: undefined });
    assert.deepEqual(await by(both, IGNITION), { version: "0.8.20", severity: undefined });
    assert.deepEqual(await by(both, BROADCAST), { version: "0.8.24", severity: "note" });
    const signs = { settings: {}, signsAgainst: () => ({ contradictions: [], doubts: [] }) };
    assert.deepEqual(await by(both, { deployedCompilerVersion: "0.8.24", deployedSigns: signs }), {
      version: "0.8.24",
      severity: "note",
    });
    // A code that is of neither is none of Foundry's by that alone.
    assert.equal(
      (await by(both, { deployedCompilerVersion: "0.8.17", deployedSigns: signs })).version,
      "0.8.20",
    );
  });

  it("is told where the build is another tool's than the one that deployed it, of which nothing better is known", async () => {
    const hardhat = {
      "hardhat.config.js": KNOWN,
      "artifacts/build-info/1.json": JSON.stringify(built("0.8.20+commit.a1b79de6")),
    };
    for (const foundry of [
      {},
      { "foundry.toml": TOML.replace('"contracts"', '"src"') },
      { "foundry.toml": TOML.replace("0.8.24", "0.7.6") },
      { "foundry.toml": TOML, ".env": "FOUNDRY_EVM_VERSION=${FORK}" },
    ]) {
      const files = { "contracts/Vault.sol": VAULT, ...hardhat, ...foundry };
      const { compilerVersion, findings } = await inputFrom(
        ROOT,
        files,
        "contracts/Vault.sol:Vault",
        BROADCAST,
      );
      assert.match(compilerVersion, /^0\.8\.20\+/);
      assert.deepEqual(
        findings.filter(({ code }) => code === "two_tools").map(({ sentence }) => sentence),
        [
          "Foundry deployed Vault, and artifacts/build-info/1.json is no build of it; taken are solc 0.8.20, optimizer off, paris. Build with Foundry if the deployment has other settings.",
        ],
      );
    }
    assert.deepEqual(await by(hardhat, IGNITION), { version: "0.8.20", severity: undefined });
  });

  it("is what another recorder of the same tool keeps", async () => {
    const kept = {
      language: "Solidity",
      sources: { "contracts/Vault.sol": { content: VAULT } },
      settings: { optimizer: { enabled: true, runs: 7 }, evmVersion: "paris" },
    };
    const metadata = JSON.stringify({
      compiler: { version: "0.8.19+commit.7dd6d404" },
      settings: { compilationTarget: { "contracts/Vault.sol": "Vault" } },
    });
    const files = {
      "contracts/Vault.sol": VAULT,
      "hardhat.config.js": KNOWN,
      "foundry.toml": TOML,
      "deployments/sepolia/.chainId": "11155111",
      "deployments/sepolia/Vault.json": JSON.stringify({
        address: `0x${"ab".repeat(20)}`,
        solcInputHash: "abc",
        metadata,
      }),
      "deployments/sepolia/solcInputs/abc.json": JSON.stringify(kept),
    };
    const { compilerVersion, source } = await inputFrom(ROOT, files, "contracts/Vault.sol:Vault", IGNITION);
    assert.deepEqual([compilerVersion.replace(/\+.*/, ""), source], ["0.8.19", "build-info"]);
  });

  it("has the settings of the tool that deployed it where it is in another language, too", async () => {
    const files = {
      "hardhat.config.js": KNOWN,
      "foundry.toml": TOML,
      "ape-config.yaml": "vyper:\n  version: 0.3.10\n  evm_version: shanghai\n",
      "contracts/V.vy": "# @version 0.3.10\nx: public(uint256)\n",
      "contracts/Y.yul": 'object "Y" { code { return(0, 0) } }',
    };
    const made = async (contract: string, options?: ContractInputOptions) => {
      const input = await inputFrom(ROOT, files, contract, options);
      const told = input.findings.find(({ code }) => code === "two_tools")?.severity;
      return [input.compilerVersion.replace(/\+.*/, ""), input.stdJsonInput.settings["evmVersion"], told];
    };
    const ape = { deployment: { recordedBy: "ape", record: "/home/me/.ape/ethereum/deployments.json" } };
    assert.deepEqual(await made("contracts/V.vy:V"), ["0.3.10", "paris", "warning"]);
    assert.deepEqual(await made("contracts/V.vy:V", ape), ["0.3.10", "shanghai", undefined]);
    assert.deepEqual(await made("contracts/V.vy:V", BROADCAST), ["0.3.10", "paris", undefined]);
    assert.deepEqual(await made("contracts/Y.yul:Y"), ["0.8.20", "paris", "warning"]);
    assert.deepEqual(await made("contracts/Y.yul:Y", BROADCAST), ["0.8.24", "paris", undefined]);
  });
});

describe("A contract that forge compiles in several compiler profiles", () => {
  const FILES = {
    "foundry.toml": `[profile.default]
solc = "0.8.24"
optimizer = true
optimizer_runs = 200
evm_version = "cancun"
additional_compiler_profiles = [{ name = "ir", via_ir = true, optimizer_runs = 9 }]
compilation_restrictions = [{ paths = "src/Heavy.sol", via_ir = true }]`,
    "src/Heavy.sol":
      'pragma solidity ^0.8.0; import "../lib/kit/src/Kit.sol"; import "./Made.sol"; contract Heavy {}',
    "src/Made.sol": "pragma solidity ^0.8.0; contract Made { uint256 public x; }",
    "src/Light.sol": 'pragma solidity ^0.8.0; import "../lib/kit/src/Kit.sol"; contract Light {}',
    "lib/kit/src/Kit.sol": "pragma solidity ^0.8.0; contract Kit { uint256 public x; }",
  };
  const by = async (contract: string, viaIr?: boolean) => {
    const deployedSigns = {
      settings: {},
      signsAgainst: ({ stdJsonInput }: Pick<CompilerInput, "stdJsonInput">) => ({
        contradictions: [],
        doubts: stdJsonInput.settings["viaIR"] === viaIr ? [] : ["compiled otherwise"],
      }),
    };
    const input = await inputFrom(ROOT, FILES, contract, viaIr === undefined ? {} : { deployedSigns });
    const { settings } = input.stdJsonInput;
    return {
      viaIR: settings["viaIR"],
      runs: (settings.optimizer as { runs: number }).runs,
      told: input.findings.find(({ code }) => code === "several_profiles")?.severity,
    };
  };

  it("is taken by the settings that the deployed code shows, and told where nothing shows any", async () => {
    // A library, which is compiled only where it is imported, and a source, which has its own settings besides.
    const KIT = "lib/kit/src/Kit.sol:Kit";
    assert.deepEqual(await by(KIT, false), { viaIR: false, runs: 200, told: "note" });
    assert.deepEqual(await by(KIT, true), { viaIR: true, runs: 9, told: "note" });
    assert.equal((await by(KIT)).told, "warning");
    const MADE = "src/Made.sol:Made";
    assert.deepEqual(await by(MADE, false), { viaIR: false, runs: 200, told: "note" });
    assert.deepEqual(await by(MADE, true), { viaIR: true, runs: 9, told: "note" });
    assert.deepEqual(await by(MADE), { viaIR: false, runs: 200, told: "warning" });
    assert.deepEqual(await by("src/Heavy.sol:Heavy", false), { viaIR: true, runs: 9, told: undefined });
    assert.deepEqual(await by("src/Light.sol:Light"), { viaIR: false, runs: 200, told: undefined });
  });
});

describe("A project of Hardhat 3 that imports what lies outside the open folder", () => {
  it("says that a remapping is missing from the metadata of its other contracts", async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-beyond-")));
    try {
      writeTree(base, {
        "shared/package.json": '{ "name": "shared", "version": "1.0.0" }',
        "shared/A.sol": "contract A {}",
        "node_modules/shared": `->${base}/shared`,
        "app/node_modules/hardhat/package.json": '{ "name": "hardhat", "version": "3.0.0" }',
        "app/hardhat.config.ts": 'export default { solidity: "0.8.24" };',
        "app/contracts/Vault.sol": VAULT,
        "app/contracts/Other.sol": 'pragma solidity ^0.8.0; import "shared/A.sol"; contract Other {}',
      });
      const open = [join(base, "app")];
      const contract = await findWorkspaceContract(diskFiles, open, "contracts/Vault.sol:Vault");
      const { findings } = await contractInput(diskFiles, open, contract);
      const beyond = findings.filter(({ code }) => code === "outside_project");
      assert.equal(beyond.length, 1);
      assert.match(
        beyond[0]?.sentence ?? "",
        /^contracts\/Other\.sol, line 1: the import "shared\/A\.sol" leads to .* an exact match is not possible\.$/,
      );
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });
});

describe("A Foundry project whose other contracts import what lies outside the open folder", () => {
  const outsideOf = async (files: Readonly<Record<string, string>>) => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "ledger-lens-beyond-")));
    try {
      writeTree(base, {
        "shared/A.sol": 'pragma solidity 0.8.20; import "@dep/base/P.sol"; contract A {}',
        "app/src/Other.sol": 'pragma solidity ^0.8.0; import "@shared/A.sol"; contract Other {}',
        "app/package.json": '{ "name": "app", "dependencies": { "@dep/base": "1.0.0" } }',
        "node_modules/@dep/base/package.json": '{ "name": "@dep/base", "version": "1.0.0" }',
        "node_modules/@dep/base/P.sol": "pragma solidity ^0.8.0;\r\ncontract P {}",
        "node_modules/@dep/base/Q.sol": 'pragma solidity ^0.8.0; import "./P.sol"; contract Q {}',
        "app/remappings.txt": "@shared/=../shared/\n@dep/base/=../node_modules/@dep/base/",
        ...files,
      });
      const open = [join(base, "app")];
      const contract = await findWorkspaceContract(diskFiles, open, "src/Vault.sol:Vault");
      const { findings } = await contractInput(diskFiles, open, contract);
      return findings.filter(({ code }) => code === "outside_project").map(({ sentence }) => sentence);
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  };
  const VAULT_OF_Q = 'pragma solidity ^0.8.0; import "@dep/base/Q.sol"; contract Vault is Q {}';

  it("says that the compiler may be another one, unless the configuration names it", async () => {
    const vault = { "app/src/Vault.sol": VAULT };
    assert.deepEqual(await outsideOf({ ...vault, "app/foundry.toml": "" }), [
      "../shared/A.sol of the same project lies outside the open folders and can't be read, but the pragmas of all files that forge compiles together decide which compiler it takes; open the folder that holds all of it.",
    ]);
    assert.deepEqual(
      await outsideOf({ ...vault, "app/foundry.toml": '[profile.default]\nsolc = "0.8.20"' }),
      [],
    );
  });

  it("says that line endings of a package above it may be others, where it has any that could", async () => {
    const configured = {
      "app/foundry.toml": '[profile.default]\nsolc = "0.8.20"',
      "app/src/Vault.sol": VAULT_OF_Q,
    };
    assert.deepEqual(await outsideOf(configured), [
      "../shared/A.sol of the same project lies outside the open folders and can't be read, but all files that forge compiles together decide whether it keeps the line endings (CRLF) of ../node_modules/@dep/base/P.sol; open the folder that holds all of it.",
    ]);
    assert.deepEqual(
      await outsideOf({
        ...configured,
        "node_modules/@dep/base/P.sol": "pragma solidity ^0.8.0;\ncontract P {}",
      }),
      [],
    );
  });
});

describe("A setting of forge that the .env makes of what only a machine defines", () => {
  const files = {
    "foundry.toml": '[profile.default]\nevm_version = "london"\n',
    ".env": "RPC=https://rpc\nFOUNDRY_EVM_VERSION=${FORK}\n",
    "src/Vault.sol": VAULT,
  };

  it("is asked for by its line in that file, and no default stands for it", async () => {
    const { message } = await openOf(files, "src/Vault.sol:Vault");
    assert.equal(
      message,
      ".env, line 2: evm_version is computed (${FORK}), so evmVersion of Vault isn't known. Build the project, or give evmVersion in the setting ledgerLens.compilerSettings.",
    );
    const { stdJsonInput } = await inputFrom(ROOT, files, "src/Vault.sol:Vault", {
      settings: { evmVersion: "paris" },
    });
    assert.equal(stdJsonInput.settings.evmVersion, "paris");
  });

  it("is asked for with all that a profile decides which the machine chooses, and with nothing that the profiles share", async () => {
    const toml = '[profile.default]\nevm_version = "london"\n[profile.prod]\nbytecode_hash = "none"\n';
    const { message } = await openOf(
      { ...files, "foundry.toml": toml, ".env": "FOUNDRY_PROFILE=$STAGE\n" },
      "src/Vault.sol:Vault",
    );
    assert.equal(
      message,
      ".env, line 1: profile is computed ($STAGE), so metadata of Vault isn't known. Build the project, or give metadata in the setting ledgerLens.compilerSettings.",
    );
    const chosen = await openOf({ ...files, ".env": "FOUNDRY_CONFIG=$WHERE\n" }, "src/Vault.sol:Vault");
    assert.equal(
      chosen.message,
      ".env, line 1: config is computed ($WHERE), so the compiler of Vault isn't known. Build the project, or give the compiler version, and optimizer, viaIR, evmVersion, metadata, debug and libraries in the setting ledgerLens.compilerSettings.",
    );
  });
});
