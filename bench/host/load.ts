import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { longestBlock } from "../../test/rig/longestBlock.ts";
import { world } from "../../test/editor/world.ts";
import { MAIN, SMALL } from "./largeProject.ts";

/** Files that change while somebody types. */
const CHANGED_FILES = 5_000;
const TYPED = 200;
const LONGEST_MS = 180_000;

function call(command: string, args: object): Promise<unknown> {
  return Promise.resolve(vscode.commands.executeCommand(`ledgerLens.${command}`, args));
}

function verify(contract: string, at: number): Promise<unknown> {
  const address = `0x${(at + 1).toString(16).padStart(40, "0")}`;
  return call("verifyContract", { contract, chainId: world().chainId, address, confirmPublish: true });
}

describe("The event loop of the extension host", function () {
  this.timeout(LONGEST_MS);

  async function print(name: string, work: () => Promise<unknown>): Promise<void> {
    const begun = performance.now();
    const { blockMs } = await longestBlock(work);
    const seconds = (performance.now() - begun) / 1000;
    console.log(`${name}: longest block ${blockMs.toFixed(1)} ms, ${seconds.toFixed(1)} s in all`);
  }

  it("is free while contracts are verified", async () => {
    await vscode.commands.executeCommand("ledgerLens.verification.focus");
    await print("one verification, the first of all", () => verify(SMALL, 0));
    await print("50 verifications at once", () =>
      Promise.all(Array.from({ length: 50 }, (_, at) => verify(SMALL, at + 1))),
    );
    await print("input of 100,000 sources", () => call("exportCompilerInput", { contract: MAIN }));
    await print("verification of 100,000 sources", () => verify(MAIN, 100));
  });

  it("is free while 10,000 actions are shown", async () => {
    await vscode.commands.executeCommand("ledgerLens.ledger.focus");
    const transaction = `0x${"7a".repeat(32)}`;
    await print("10,000 actions", () => call("showTransactionActions", { transaction, limit: 10_000 }));
  });

  it("is free while many files change and somebody types", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
    const document = await vscode.workspace.openTextDocument(join(folder, "src/Small.sol"));
    const editor = await vscode.window.showTextDocument(document);
    await print(`${CHANGED_FILES.toLocaleString("en-US")} files changed while typing`, async () => {
      for (let at = 0; at < TYPED; at++) {
        const each = CHANGED_FILES / TYPED;
        const paths = Array.from({ length: each }, (_, of) => {
          const number = at * each + of;
          return join(folder, `src/d${Math.floor(number / 1000)}/L${number}.sol`);
        });
        await Promise.all(paths.map((path) => writeFile(path, "library Changed {}\n")));
        await editor.edit((edit) =>
          edit.insert(document.positionAt(document.getText().length), "// typed\n"),
        );
      }
      await vscode.commands.executeCommand("vscode.executeCodeLensProvider", document.uri);
    });
    await document.save();
  });
});
