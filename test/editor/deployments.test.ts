import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { recordBroadcast, removeBroadcast } from "../sandbox/broadcastRecord.ts";
import { vault, world } from "./world.ts";

interface Outcome {
  readonly contract: string;
  readonly address: string;
  readonly outcome: string;
  readonly reason?: string;
}

describe("What the project's own records say was deployed", () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;

  before(() => recordBroadcast(folder?.fsPath ?? "", world().chainId, [vault(0), vault(4)]));

  after(() => removeBroadcast(folder?.fsPath ?? ""));

  it("stands above the contract", async () => {
    // The editor hears of changed files a moment later.
    await eventually(async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        "vscode.executeCodeLensProvider",
        vscode.Uri.joinPath(folder ?? vscode.Uri.file("/"), "contracts/Vault.sol"),
        10,
      );
      const titles = lenses.map(({ command }) => command?.title ?? "");
      const deployed = lenses.filter(({ command }) =>
        ["ledgerLens.verifyDeployment", "ledgerLens.openDeploymentInExplorer"].includes(
          command?.command ?? "",
        ),
      );
      assert.ok(deployed.length > 0, titles.join("\n"));
      assert.ok(
        deployed.every(({ command }) => command?.title.endsWith(" on Local chain (31337)")),
        titles.join("\n"),
      );
    });
  });

  it("is verified all at once, and what is verified already is left alone", async () => {
    const outcomes = await vscode.commands.executeCommand<Outcome[]>("ledgerLens.verifyAllDeployments", {
      confirmPublish: true,
    });
    assert.deepEqual(
      Object.fromEntries(outcomes.map(({ address, outcome }) => [address, outcome])),
      { [vault(0).address]: "skipped", [vault(4).address]: "exact_match" },
      JSON.stringify(outcomes),
    );
  });
});
