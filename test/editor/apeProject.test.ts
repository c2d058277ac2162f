import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";

const FOLDER = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
const PROJECT = join(FOLDER, "ape");

const FILES = {
  "ape-config.yaml": "name: vault\nvyper:\n  version: 0.3.10\n  evm_version: paris\n",
  "contracts/Vault.vy": "# @version ^0.3.9\n\n@external\ndef unlock() -> uint256:\n    return 1\n",
};

describe("A project of Ape", () => {
  before(async () => {
    for (const [name, content] of Object.entries(FILES)) {
      await mkdir(dirname(join(PROJECT, name)), { recursive: true });
      await writeFile(join(PROJECT, name), content);
    }
  });

  after(() => rm(PROJECT, { recursive: true, force: true }));

  it("is built as its YAML says, by the packages that the bundle loads late", async () => {
    const exported = await vscode.commands.executeCommand<{
      compilerVersion: string;
      stdJsonInput: { settings: { evmVersion?: string } };
    }>("ledgerLens.exportCompilerInput", { contract: "ape/contracts/Vault.vy:Vault" });
    assert.equal(exported.compilerVersion, "0.3.10+commit.91361694");
    assert.equal(exported.stdJsonInput.settings.evmVersion, "paris");
  });
});
