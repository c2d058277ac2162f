import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { vault, world } from "./world.ts";

interface Answer {
  readonly prediction: string;
  readonly reasons: readonly string[];
}

function predict(address: string, more: object = {}): Thenable<Answer> {
  return vscode.commands.executeCommand<Answer>("ledgerLens.predictMatch", {
    contract: "contracts/Vault.sol:Vault",
    chainId: world().chainId,
    address,
    ...more,
  });
}

describe("Predicting what a verification would come to", () => {
  it("answers a word and reasons, and submits nothing", async () => {
    const { prediction, reasons } = await predict(vault(1).address);
    assert.ok(["exact_match", "match", "unknown"].includes(prediction), prediction);
    assert.ok(reasons.length > 0);
    for (const reason of reasons) assert.match(reason, /\.$/);
  });

  it("knows that nothing is deployed at an address", async () => {
    const { prediction, reasons } = await predict("0x00000000000000000000000000000000000000ab");
    assert.equal(prediction, "mismatch");
    assert.match(reasons[0] ?? "", /^Nothing is deployed at this address/);
  });

  it("takes the compiler that it is given, and the transaction that created the contract", async () => {
    const { address, transactionHash: creationTransactionHash } = vault(1);
    const deployed = await predict(address, { compilerVersion: "0.8.37", creationTransactionHash });
    assert.notEqual(deployed.prediction, "mismatch", deployed.reasons.join(" "));
    assert.deepEqual(deployed, await predict(address));
    const other = await predict(address, { compilerVersion: "0.8.28", creationTransactionHash });
    assert.ok(["mismatch", "unknown"].includes(other.prediction), other.reasons.join(" "));
    assert.match(other.reasons.join(" "), /0\.8\.28/);
    assert.match(other.reasons.join(" "), /0\.8\.37/);
    await assert.rejects(
      async () => predict(address, { creationTransactionHash: "0x12" }),
      (error: { code?: string; message?: string }) =>
        error.code !== undefined && /^\S.*\.$/.test(error.message ?? ""),
    );
  });

  it("never promises a match for a changed constant", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");
    const file = vscode.Uri.joinPath(folder, "contracts/Vault.sol").fsPath;
    const original = await readFile(file, "utf8");
    await writeFile(file, original.replace("FEE_BASIS_POINTS = 25;", "FEE_BASIS_POINTS = 52;"));
    try {
      const { prediction } = await predict(vault(1).address);
      assert.ok(["mismatch", "unknown"].includes(prediction), prediction);
    } finally {
      await writeFile(file, original);
    }
  });

  it("says that no node can be asked about a chain without one", async () => {
    await assert.rejects(
      async () =>
        vscode.commands.executeCommand("ledgerLens.predictMatch", {
          contract: "contracts/Vault.sol:Vault",
          chainId: "424242",
          address: vault(1).address,
        }),
      (error: { code?: string }) => error.code === "no_code_source",
    );
  });
});
