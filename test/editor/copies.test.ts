import assert from "node:assert/strict";
import * as vscode from "vscode";
import { vault, world } from "./world.ts";

/** What the status bar told while something was done. */
async function toldInPassing(work: () => Thenable<unknown>): Promise<readonly string[]> {
  const { window } = vscode;
  const { setStatusBarMessage } = window;
  const told: string[] = [];
  Object.assign(window, { setStatusBarMessage: (message: string) => void told.push(message) });
  try {
    await work();
    return told;
  } finally {
    Object.assign(window, { setStatusBarMessage });
  }
}

function run(command: string, ...args: unknown[]): () => Thenable<unknown> {
  return () => vscode.commands.executeCommand(`ledgerLens.${command}`, ...args);
}

function copied(): Thenable<string> {
  return vscode.env.clipboard.readText();
}

describe("What is copied", () => {
  beforeEach(() => vscode.env.clipboard.writeText(""));

  it("is told in the status bar by its name: an address, another value, a text", async () => {
    const { address } = vault(0);
    const row = { label: "Vault", copyText: address };
    assert.deepEqual(await toldInPassing(run("copyVerificationValue", { row })), ["Address copied"]);
    assert.equal(await copied(), address);
    const version = { label: "Compiler", copyText: "0.8.28+commit.7893614a" };
    assert.deepEqual(await toldInPassing(run("copyVerificationFact", { row: version })), ["Value copied"]);
    assert.equal(await copied(), version.copyText);
    const component = { label: "Mirror Node" };
    assert.deepEqual(await toldInPassing(run("copyStatusRow", { row: component })), ["Text copied"]);
    assert.equal(await copied(), component.label);
  });

  it("is told of an item of the ledger", async () => {
    const tokenId = world().scenes.tokens.coin;
    await run("showToken", { tokenId })();
    const itemId = `${new URL(world().ledger).host}/token/${tokenId}`;
    const node = { type: "item", id: itemId, itemId, parent: undefined };
    assert.deepEqual(await toldInPassing(run("copyLedgerValue", node)), ["Value copied"]);
    assert.equal(await copied(), tokenId);
  });
});
