import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { vault, world } from "./world.ts";

interface Outcome {
  readonly contract: string;
  readonly address: string;
  readonly outcome: string;
  readonly reason?: string;
}

describe("What the project's own records say was deployed", () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const records = join(folder, "broadcast");

  before(async () => {
    await writeFile(
      join(folder, "foundry.toml"),
      '[profile.default]\nsrc = "contracts"\nlibs = ["node_modules"]\n',
    );
    const run = join(records, "Deploy.s.sol", world().chainId);
    await mkdir(run, { recursive: true });
    const transactions = [vault(0), vault(4)].map(({ address, transactionHash }) => ({
      hash: transactionHash,
      transactionType: "CREATE",
      contractName: "Vault",
      contractAddress: address,
      arguments: [],
    }));
    await writeFile(
      join(run, "run-latest.json"),
      JSON.stringify({
        transactions,
        receipts: [],
        chain: Number(world().chainId),
        timestamp: Math.floor(Date.now() / 1000),
      }),
    );
  });

  after(async () => {
    await rm(records, { recursive: true });
    await rm(join(folder, "foundry.toml"));
  });

  it("is verified all at once, and what is verified already is left alone", async () => {
    const outcomes = await vscode.commands.executeCommand<Outcome[]>("ledgerLens.verifyAllDeployments", {
      confirmPublish: true,
    });
    assert.deepEqual(
      Object.fromEntries(outcomes.map(({ address, outcome }) => [address, outcome])),
      { [vault(0).address]: "skipped", [vault(4).address]: outcomes.at(-1)?.outcome },
      JSON.stringify(outcomes),
    );
  });
});
