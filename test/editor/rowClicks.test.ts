import assert from "node:assert/strict";
import * as vscode from "vscode";
import { shown } from "../../src/core/text/shownText.ts";
import { rowItem } from "../../src/editor/ui/rowItem.ts";
import { eventually } from "../rig/eventually.ts";
import { vault, world } from "./world.ts";

function click(command: string, row: object): Thenable<unknown> {
  return vscode.commands.executeCommand(`ledgerLens.${command}`, { row });
}

function shownFile(): string | undefined {
  return vscode.window.activeTextEditor?.document.uri.fsPath;
}

describe("A row", () => {
  it("whose label is shortened is read whole by a screen reader, and one that could not be drawn opens the log", () => {
    const row = {
      id: "1",
      label: shown`UniswapV3…nManager`,
      wholeLabel: shown`UniswapV3PositionManager`,
      description: shown`exact match`,
    };
    const { label, accessibilityInformation } = rowItem(row, "1", false);
    assert.equal(label, "UniswapV3…nManager");
    assert.equal(accessibilityInformation?.label, "UniswapV3PositionManager, exact match");
    const { command } = rowItem({ ...row, fault: new Error("x") }, "1", false);
    assert.equal(command?.command, "ledgerLens.showLog");
  });
});

describe("A click on a row", () => {
  const path = vscode.Uri.joinPath(
    vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/"),
    "contracts/Vault.sol",
  ).fsPath;

  beforeEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("of a file of a submission that is no longer kept opens the file of the workspace", async () => {
    const record = { id: "of an earlier month" };
    const submittedFile = { name: "contracts/Vault.sol", path };
    await click("openSubmittedFile", { record, submittedFile });
    await eventually(() => assert.equal(shownFile(), path));
  });

  it("of a deployment opens its contract, at its name, where no job tells of it, else the page of the newest one", async () => {
    const deployment = {
      chainId: world().chainId,
      address: `0x${"ab".repeat(20)}`,
      contract: "contracts/Vault.sol:Vault",
      defined: { path, name: "Vault" },
      record: "/nowhere.json",
    };
    await click("showDeployment", { deployment });
    await eventually(() => {
      assert.equal(shownFile(), path);
      const { document, selection } = vscode.window.activeTextEditor ?? assert.fail("no editor");
      // Above it stands how it is verified.
      assert.match(document.lineAt(selection.active).text, /^contract Vault /);
    });
    const { address } = vault(8);
    await vscode.commands.executeCommand("ledgerLens.verifyContract", {
      contract: "contracts/Vault.sol:Vault",
      chainId: world().chainId,
      address,
      confirmPublish: true,
    });
    await click("showDeployment", {
      deployment: { ...deployment, address: address.toUpperCase().replace("0X", "0x") },
    });
    await eventually(() => {
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      assert.ok(activeTab?.input instanceof vscode.TabInputWebview);
      assert.equal(activeTab.label, "✓ Vault");
    });
  });
});
