import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ContractInputOptions } from "../../../src/core/compilerInput/contractInputOptions.ts";
import { inputFrom } from "../compilerInput/inputFrom.ts";

const ROOT = "/home/me/vault";
const VAULT = "pragma solidity ^0.8.0; contract Vault { uint256 public x; }";

describe("A contract of Solidity in a project of Ape", () => {
  const by = (files: Readonly<Record<string, string>>, options?: ContractInputOptions) =>
    inputFrom(ROOT, { "contracts/Vault.sol": VAULT, ...files }, "contracts/Vault.sol:Vault", options);

  it("has the settings that its configuration names", async () => {
    const { compilerVersion, contractIdentifier, stdJsonInput } = await by({
      "ape-config.yml":
        "solidity:\n  version: 0.8.24\n  evm_version: paris\n  optimize: false\n  via_ir: false\n",
    });
    assert.equal(compilerVersion, "0.8.24+commit.e11b9ed9");
    assert.equal(contractIdentifier, "contracts/Vault.sol:Vault");
    assert.deepEqual(
      { ...stdJsonInput.settings, outputSelection: undefined },
      {
        outputSelection: undefined,
        optimizer: { enabled: false, runs: 200 },
        evmVersion: "paris",
        viaIR: false,
      },
    );
  });

  it("is optimized for 200 runs where it names none, and told of no pipeline by a release before 0.7.5", async () => {
    const usual = await by({ "ape-config.yaml": "name: vault\n" });
    assert.deepEqual(usual.stdJsonInput.settings.optimizer, { enabled: true, runs: 200 });
    const old = await by({
      "ape-config.yaml": "solidity:\n  version: 0.7.4\n  optimization_runs: 9\n  via_ir: true\n",
      "contracts/Vault.sol": VAULT.replace("^0.8.0", ">=0.7.0"),
    });
    assert.deepEqual(old.stdJsonInput.settings.optimizer, { enabled: true, runs: 9 });
    assert.equal(old.stdJsonInput.settings["viaIR"], undefined);
  });

  it("finds what its remappings lead to", async () => {
    const { stdJsonInput } = await by({
      "ape-config.yaml": "solidity:\n  import_remapping:\n    - '@kit=lib/kit'\n",
      "contracts/Vault.sol": `pragma solidity ^0.8.0; import "@kit/Kit.sol"; contract Vault is Kit {}`,
      "lib/kit/Kit.sol": "pragma solidity ^0.8.0; contract Kit {}",
    });
    assert.deepEqual(Object.keys(stdJsonInput.sources).sort(), ["contracts/Vault.sol", "lib/kit/Kit.sol"]);
    assert.deepEqual(stdJsonInput.settings.remappings, ["@kit=lib/kit"]);
  });

  it("is configured by pyproject.toml before any other file, if Ape has a table there", async () => {
    const other = { "ape-config.yaml": "solidity:\n  version: 0.8.19\n" };
    const project = '[tool.ape.solidity]\nversion = "0.8.20"\n';
    assert.match((await by({ ...other, "pyproject.toml": project })).compilerVersion, /^0\.8\.20\+/);
    const foreign = '[project]\nname = "vault"\n';
    assert.match((await by({ ...other, "pyproject.toml": foreign })).compilerVersion, /^0\.8\.19\+/);
  });

  it("may be Foundry's as well, where Ape's plugin is set up: the one that deployed it decides", async () => {
    const foundry = { "foundry.toml": '[profile.default]\nsrc = "contracts"\nsolc = "0.8.28"\n' };
    const both = { ...foundry, "ape-config.yaml": "solidity:\n  version: 0.8.19\n" };
    const deployment = { recordedBy: "ape", record: `${ROOT}/.build/__local__.json` };
    assert.match((await by(both, { deployment })).compilerVersion, /^0\.8\.19\+/);
    assert.ok((await by(both)).findings.some(({ code }) => code === "two_tools"));
    const vyperOnly = { ...foundry, "ape-config.yaml": "plugins:\n  - name: vyper\n" };
    const { compilerVersion, findings } = await by(vyperOnly);
    assert.match(compilerVersion, /^0\.8\.28\+/);
    assert.ok(!findings.some(({ code }) => code === "two_tools"));
  });
});
