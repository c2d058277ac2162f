import assert from "node:assert/strict";
import * as vscode from "vscode";
import { failedJob } from "./failedJob.ts";
import { vault, world } from "./world.ts";

async function lenses(file: string): Promise<{ line: number; title: string }[]> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");
  const uri = vscode.Uri.joinPath(folder, file);
  await vscode.workspace.openTextDocument(uri);
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    uri,
    10,
  );
  return found.map(({ range, command }) => ({ line: range.start.line, title: command?.title ?? "" }));
}

async function setCodeLens(isOn: boolean | undefined): Promise<void> {
  await vscode.workspace
    .getConfiguration("ledgerLens")
    .update("codeLens", isOn, vscode.ConfigurationTarget.Global);
}

describe("Above the contracts of a file", () => {
  // Of a vault that no other suite verifies.
  before(() =>
    vscode.commands.executeCommand("ledgerLens.verifyContract", {
      contract: "contracts/Vault.sol:Vault",
      chainId: world().chainId,
      address: vault(6).address,
      confirmPublish: true,
    }),
  );
  after(() => setCodeLens(undefined));

  it("stands Verify, and how the last verification stands", async () => {
    const [state, verify, ...others] = await lenses("contracts/Vault.sol");
    assert.equal(others.length, 0);
    assert.match(state?.title ?? "", /^\$\((pass-filled|pass)\)\u00a0.* on Local chain \(31337\)$/);
    assert.equal(verify?.title, "Verify…");
    assert.equal(verify.line, 14);
  });

  it("stands that the file is edited since, as soon as it is and until that is taken back", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.joinPath(folder, "contracts/Vault.sol"),
    );
    const state = async () => (await lenses("contracts/Vault.sol"))[0]?.title ?? "";
    const verified = await state();
    assert.match(verified, / on Local chain \(31337\)$/);
    await vscode.window.showTextDocument(document);
    const text = document.getText();
    // A page that opens late may be in front by now: what is edited is said by its address, not by where the focus is.
    const write = async (wanted: string) => {
      const edit = new vscode.WorkspaceEdit();
      const all = new vscode.Range(new vscode.Position(0, 0), document.positionAt(document.getText().length));
      edit.replace(document.uri, all, wanted);
      assert.ok(await vscode.workspace.applyEdit(edit));
    };
    try {
      await write(`${text}// More.\n`);
      assert.equal(await state(), `${verified}, edited since`);
    } finally {
      await write(text);
      await document.save();
    }
    assert.equal(await state(), verified);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("stands first where the contract is verified, and behind that the last verification, which failed", async () => {
    await failedJob();
    const [verified, failed] = await lenses("contracts/Vault.sol");
    // Nothing but a space that does not collapse keeps the text from the icon.
    assert.match(
      verified?.title ?? "",
      /^\$\((?:pass-filled|pass)\)\u00a0(?:(?:exact )?match|verified at \d+ addresses) on Local chain \(31337\)/,
    );
    assert.match(
      failed?.title ?? "",
      /^\$\(error\)\u00a0No match at 0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4} on Local chain \(31337\)$/,
      "beside another place the address tells which one",
    );
  });

  it("stands nothing that can't be deployed, and nothing in other people's code", async () => {
    const pool = await lenses("contracts/exchange/Pool.sol");
    assert.deepEqual(
      pool.map(({ title }) => title),
      ["Verify…"],
    );
    assert.deepEqual(await lenses("node_modules/@openzeppelin/contracts/token/ERC20/ERC20.sol"), []);
  });

  it("stands nothing when it is switched off", async () => {
    await setCodeLens(false);
    assert.deepEqual(await lenses("contracts/Vault.sol"), []);
  });
});
