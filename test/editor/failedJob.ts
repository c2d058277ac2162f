import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { vault, world } from "./world.ts";

/**
 * Submits the vault with another fee than the deployed one has, at an address where nothing is ever verified; the file is put
 * back.
 *
 * @returns the verification id of the job, which has failed
 */
export async function failedJob(): Promise<string> {
  const file = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", "contracts/Vault.sol");
  const original = await readFile(file, "utf8");
  await writeFile(file, original.replace("FEE_BASIS_POINTS = 25;", "FEE_BASIS_POINTS = 52;"));
  try {
    const answer = await vscode.commands.executeCommand<{ verificationId: string; status: string }>(
      "ledgerLens.verifyContract",
      {
        contract: "contracts/Vault.sol:Vault",
        chainId: world().chainId,
        address: vault(7).address,
        confirmPublish: true,
      },
    );
    assert.equal(answer.status, "failed");
    return answer.verificationId;
  } finally {
    await writeFile(file, original);
  }
}
