import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { WatchedWorkspace } from "../../src/editor/watchedWorkspace.ts";
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

  before(async () => {
    await vscode.commands.executeCommand("ledgerLens.verifyContract", {
      contract: "contracts/Vault.sol:Vault",
      chainId: world().chainId,
      address: vault(0).address,
      confirmPublish: true,
    });
    await recordBroadcast(folder?.fsPath ?? "", world().chainId, [vault(0), vault(4)]);
  });

  after(() => removeBroadcast(folder?.fsPath ?? ""));

  it("stands above the contract", async () => {
    await vscode.workspace.openTextDocument(
      vscode.Uri.joinPath(folder ?? vscode.Uri.file("/"), "contracts/Vault.sol"),
    );
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

describe("Folders that come or go as a whole", () => {
  const MANY = 200;
  const place = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", "whole");
  const workspace = new WatchedWorkspace({ error: () => undefined, warn: () => undefined });

  after(async () => {
    workspace.dispose();
    await rm(place, { recursive: true, force: true });
  });

  /** How many contracts of the folder are known. */
  const known = async () =>
    (await workspace.index.contracts()).filter(({ path }) => path.startsWith(`${place}/`)).length;

  it("bring and take their contracts, although the editor is not told of each file", async () => {
    assert.equal(await known(), 0);
    for (let at = 0; at < MANY; at++) {
      const folder = join(place, `p${at}/inner`);
      // As a tool does that unpacks a project: the editor has not begun to watch a new folder when files come into it.
      mkdirSync(folder, { recursive: true });
      await writeFile(join(folder, `P${at}.sol`), `pragma solidity ^0.8.0;\ncontract P${at} {}\n`);
    }
    await eventually(async () => assert.equal(await known(), MANY));
    await rm(place, { recursive: true });
    await eventually(async () => assert.equal(await known(), 0));
  });
});
