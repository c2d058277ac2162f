import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { press } from "./pressing.ts";
import { watchScreen, type Screen } from "./shownQuestions.ts";
import { vault, world } from "./world.ts";

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");

interface Answer {
  readonly contractName: string;
  readonly files: readonly { readonly name: string; readonly content: string }[];
}

describe("The verified source of an address", () => {
  let screen: Screen;
  const deployment = () => ({ chainId: world().chainId, address: vault(0).address });

  before(() =>
    vscode.commands.executeCommand("ledgerLens.verifyContract", {
      contract: "contracts/Vault.sol:Vault",
      ...deployment(),
      confirmPublish: true,
    }),
  );
  beforeEach(() => {
    screen = watchScreen();
  });
  afterEach(() => screen.stop());
  after(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  const opened = () => {
    const { uri } = vscode.window.activeTextEditor?.document ?? {};
    assert.match(uri?.path ?? "", /^\/verified\/31337\/0x\w{40}\/contracts\/Vault\.sol$/);
    return uri;
  };

  it("is given to a program as it was verified, and nothing opens", async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    const { contractName, files } = await vscode.commands.executeCommand<Answer>(
      "ledgerLens.openVerifiedSource",
      deployment(),
    );
    assert.equal(contractName, "Vault");
    const [first] = files;
    assert.equal(first?.name, "contracts/Vault.sol");
    const own = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, "contracts/Vault.sol"));
    assert.equal(first.content, new TextDecoder().decode(own));
    assert.ok(files.length > 1, "the files that it imports are there");
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it("says after a reload, when its text is gone, what it was and how to open it again", async () => {
    const address = `0x${"ab".repeat(20)}`;
    const gone = (path: string) =>
      Promise.resolve(
        vscode.workspace.fs.readFile(vscode.Uri.from({ scheme: "ledger-lens-ledger", path })),
      ).then(
        (): never => assert.fail("it was kept"),
        (error: unknown) => String(error),
      );
    assert.match(
      await gone(`/verified/1/${address}/contracts/Vault.sol`),
      new RegExp(
        `This was contracts/Vault\\.sol, a verified source of ${address} on Ethereum.*Run Open Verified Source`,
      ),
    );
    assert.match(
      await gone("/what was sent/1/Vault.sol"),
      /in an earlier run and is not kept\. Open it again from/,
    );
  });

  it("opens for a person as a document that can't be changed, and compares with the workspace's file", async () => {
    void vscode.commands.executeCommand("ledgerLens.openThisSource", {
      ...deployment(),
      file: "contracts/Vault.sol",
    });
    await eventually(() => opened());
    const uri = opened();
    assert.equal(vscode.workspace.fs.isWritableFileSystem(uri?.scheme ?? ""), false);
    await vscode.commands.executeCommand("ledgerLens.compareWithWorkspace", uri);
    await eventually(() => {
      const { input, label } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof vscode.TabInputTextDiff, label);
      assert.equal(label, "Vault.sol: verified ↔ workspace");
      assert.equal(input.original.path, uri?.path);
      assert.equal(input.modified.path, vscode.Uri.joinPath(folder, "contracts/Vault.sol").path);
    });
    // Two equal columns do not say so.
    await eventually(() =>
      assert.deepEqual(screen.messages, ["No differences: Vault.sol in the workspace is the verified file."]),
    );
    // The first tab was a preview, which the comparison took the place of: its text is there all the same.
    const text = await vscode.workspace.fs.readFile(uri ?? folder);
    assert.match(new TextDecoder().decode(text), /contract Vault/);
  });

  it("is compared by the row or the page of its job, also where other files have the same name", async () => {
    const path = vscode.Uri.joinPath(folder, "contracts/Vault.sol").path;
    const package_ = vscode.Uri.joinPath(folder, "node_modules/other/contracts/Vault.sol");
    await vscode.workspace.fs.writeFile(package_, new TextEncoder().encode("contract Vault {}\n"));
    try {
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      const record = {
        ...deployment(),
        service: world().service,
        submission: { path, contractIdentifier: "contracts/Vault.sol:Vault", contractName: "Vault" },
      };
      await vscode.commands.executeCommand("ledgerLens.compareRowWithWorkspace", { row: { record } });
      const { input, label } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof vscode.TabInputTextDiff, label);
      assert.match(input.original.path, /\/contracts\/Vault\.sol$/);
      assert.equal(input.modified.path, path);
      // The same source, opened as a document, finds the project's own file without a question.
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await vscode.commands.executeCommand("ledgerLens.compareWithWorkspace", input.original);
      const again = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      assert.ok(again instanceof vscode.TabInputTextDiff);
      assert.equal(again.modified.path, path);
    } finally {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, "node_modules/other"), {
        recursive: true,
      });
    }
  });

  it("is told to be the file of the workspace but for its line endings, and not where another line was written", async () => {
    const path = vscode.Uri.joinPath(folder, "contracts/Vault.sol");
    const before = await vscode.workspace.fs.readFile(path);
    const text = new TextDecoder().decode(before);
    const record = {
      ...deployment(),
      service: world().service,
      submission: {
        path: path.path,
        contractIdentifier: "contracts/Vault.sol:Vault",
        contractName: "Vault",
      },
    };
    const comparedWith = async (written: string) => {
      await vscode.workspace.fs.writeFile(path, new TextEncoder().encode(written));
      await vscode.commands.executeCommand("ledgerLens.compareRowWithWorkspace", { row: { record } });
    };
    try {
      await comparedWith(`${text}// Another line.\n`);
      assert.deepEqual(screen.messages, []);
      await comparedWith(text.replaceAll("\n", "\r\n"));
      assert.deepEqual(screen.messages, [
        "Vault.sol in the workspace is the verified file, but for its line endings.",
      ]);
    } finally {
      await vscode.workspace.fs.writeFile(path, before);
    }
  });

  it("is told not to be there where nothing is verified", async () => {
    await assert.rejects(
      async () =>
        vscode.commands.executeCommand("ledgerLens.openVerifiedSource", {
          chainId: world().chainId,
          address: "0x000000000000000000000000000000000000dEaD",
        }),
      { message: /^0x0000…dEaD on Local chain \(31337\) is not verified at 127\.0\.0\.1:\d+, so that/ },
    );
  });

  it("asks for the chain and the address where neither is known", async () => {
    const asked = vscode.commands.executeCommand("ledgerLens.openVerifiedSource");
    await eventually(() => assert.match(screen.questions.at(-1)?.placeholder ?? "", /^On which chain/));
    await press("hide");
    await asked;
    assert.equal(screen.questions.at(-1)?.title, "Open Verified Source");
  });
});
