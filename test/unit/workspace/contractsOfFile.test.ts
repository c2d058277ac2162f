import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { contractsOfFile, deploymentsOfContract } from "../../../src/core/workspace/contractsOfFile.ts";
import type { FoundDeployment } from "../../../src/core/workspace/workspaceDeployments.ts";

const vault = { path: "/w/src/Vault.sol", name: "Vault" };
const mock = { path: "/w/src/Vault.sol", name: "VaultMock" };
const otherVault = { path: "/w/src/old/OldVault.sol", name: "Vault" };
const auction = { path: "/w/src/Auction.vy", name: "Auction" };
const dashed = { path: "/w/src/my-vault.vy", name: "my-vault" };
const RECORD = "/w/broadcast/Deploy.s.sol/296/run-latest.json";
const deployed: FoundDeployment = {
  chainId: "296",
  address: "0x9d44000000000000000000000000000000001688",
  contract: "Vault",
  recordedBy: "foundry",
  record: RECORD,
  defined: vault,
};
const withoutContract: FoundDeployment = {
  chainId: "296",
  address: deployed.address,
  contract: "Gone",
  recordedBy: "foundry",
  record: "/w/broadcast/Gone.s.sol/1/run-1.json",
};
const known = {
  contracts: [vault, mock, otherVault, auction, dashed],
  deployments: [deployed, withoutContract],
};

const of = (path: string) => contractsOfFile(path, known);

describe("The contracts that a file is of", () => {
  it("are for a source those that it defines, and where they were deployed", () => {
    assert.deepEqual(of("/w/src/Vault.sol"), { contracts: [vault, mock], deployments: [deployed] });
    assert.deepEqual(of("/w/src/Auction.vy"), { contracts: [auction], deployments: [] });
  });

  it("are for a record the deployments that it tells", () => {
    assert.deepEqual(of(RECORD), { contracts: [], deployments: [deployed] });
  });

  it("are for an artifact the one that it was built from, told apart by the name of the file", () => {
    assert.deepEqual(of("/w/out/Vault.sol/Vault.json"), { contracts: [vault], deployments: [deployed] });
    assert.deepEqual(of("/w/out/Vault.sol/Vault.0.8.28.json").contracts, [vault]);
    assert.deepEqual(of("/w/out/OldVault.sol/Vault.json"), { contracts: [otherVault], deployments: [] });
    assert.deepEqual(of("/w/build/contracts/Vault.json").contracts, [vault, otherVault]);
    assert.deepEqual(of("/w/out/my-vault.vy/my-vault.json").contracts, [dashed]);
  });

  it("are none for a file that is of no contract of the workspace", () => {
    const none = { contracts: [], deployments: [] };
    for (const path of [
      "/w/artifacts/src/Vault.sol/Vault.dbg.json",
      "/w/package.json",
      "/w/src/Library.sol",
      withoutContract.record,
    ])
      assert.deepEqual(of(path), none, path);
  });
});

describe("Where a contract was deployed, as records say", () => {
  const ofContract = (text: string, folders: readonly string[] = ["/w"]) =>
    deploymentsOfContract(folders, text, known.deployments);

  it("is found by each spelling that names it, also where several folders are open", () => {
    for (const spelling of [
      "src/Vault.sol:Vault",
      "./src/Vault.sol:Vault",
      "src\\Vault.sol:Vault",
      "/w/src/Vault.sol:Vault",
    ])
      assert.deepEqual(ofContract(spelling), [deployed], spelling);
    assert.deepEqual(ofContract("src/Vault.sol:Vault", ["/other", "/w"]), [deployed]);
  });

  it("is nowhere for another contract, and not asked for of what names none", () => {
    for (const other of ["src/Vault.sol:VaultMock", "src/old/OldVault.sol:Vault"])
      assert.deepEqual(ofContract(other), [], other);
    assert.throws(() => ofContract("Vault"), { code: "invalid_contract" });
    assert.throws(() => ofContract("/elsewhere/Vault.sol:Vault"), { code: "invalid_contract" });
  });
});
