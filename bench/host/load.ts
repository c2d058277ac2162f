import { get } from "node:http";
import { join } from "node:path";
import * as vscode from "vscode";
import { longestBlock } from "../../test/rig/longestBlock.ts";
import { world } from "../../test/editor/world.ts";
import { explainedBlocks, type ExplainedUse } from "./blockProfile.ts";
import { MAIN, SMALL } from "./largeProject.ts";

/** Files that change while a person types. */
const CHANGED_FILES = 5_000;
/** Files that change between two keys. */
const CHANGED_AT_ONCE = 25;
const ACTIONS = 10_000;
const LONGEST_MS = 180_000;

function call(command: string, args: object): Promise<unknown> {
  return Promise.resolve(vscode.commands.executeCommand(`ledgerLens.${command}`, args));
}

function verify(contract: string, at: number): Promise<unknown> {
  const address = `0x${(at + 1).toString(16).padStart(40, "0")}`;
  return call("verifyContract", { contract, chainId: world().chainId, address, confirmPublish: true });
}

/** Asks the server of this run, which is another process; answers what it said. */
function ask(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(world().service + path, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve(text));
    }).on("error", reject);
  });
}

describe("The event loop of the extension host", function () {
  this.timeout(LONGEST_MS);

  async function print(name: string, work: () => Promise<unknown>): Promise<void> {
    const begun = performance.now();
    const explains = process.env["LEDGER_LENS_EXPLAIN_BLOCKS"] !== undefined;
    const { blockMs, wallMs, explanation }: ExplainedUse = explains
      ? await explainedBlocks(work)
      : { ...(await longestBlock(work)), explanation: [] };
    const seconds = (performance.now() - begun) / 1000;
    console.log(
      `${name}: longest block ${blockMs.toFixed(1)} ms of work, ${wallMs.toFixed(1)} ms by the clock, ${seconds.toFixed(1)} s in all`,
    );
    for (const line of explanation) console.log(line);
  }

  it("is free while contracts are verified", async () => {
    await vscode.commands.executeCommand("ledgerLens.verification.focus");
    await print("one verification, the first of all", () => verify(SMALL, 0));
    await print("one verification more", () => verify(SMALL, 1));
    await print("50 verifications at once", () =>
      Promise.all(Array.from({ length: 50 }, (_, at) => verify(SMALL, at + 2))),
    );
    await print("input of 100,000 sources", () => call("exportCompilerInput", { contract: MAIN }));
    await print("verification of 100,000 sources", () => verify(MAIN, 100));
  });

  it("is free while 10,000 actions are shown", async () => {
    await vscode.commands.executeCommand("ledgerLens.ledger.focus");
    const transaction = `0x${"7a".repeat(32)}`;
    await print("the first 1,100 actions", () => call("showTransactionActions", { transaction }));
    const itemId = `${new URL(world().ledger).host}/transaction/${transaction}`;
    await print("10,000 actions, a thousand at a time", async () => {
      for (let loaded = 1_100; loaded < ACTIONS; loaded += 1_000) await call("loadMore", { itemId });
    });
    const sent = await ask("/sent-actions");
    if (sent !== String(ACTIONS)) throw new Error(`${sent} actions were asked for.`);
  });

  it("is free while many files change and a person types", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
    const document = await vscode.workspace.openTextDocument(join(folder, "src/Small.sol"));
    const editor = await vscode.window.showTextDocument(document);
    const { end } = document.lineAt(document.lineCount - 1).range;
    editor.selection = new vscode.Selection(end, end);
    await ask("/change?from=0&count=0");
    await print(`${CHANGED_FILES.toLocaleString("en-US")} files changed while typing`, async () => {
      for (let from = 0; from < CHANGED_FILES; from += CHANGED_AT_ONCE) {
        await ask(`/change?from=${from}&count=${CHANGED_AT_ONCE}`);
        await vscode.commands.executeCommand("type", { text: from % 1_000 === 0 ? "\n//" : "x" });
      }
      await vscode.commands.executeCommand("vscode.executeCodeLensProvider", document.uri);
      // The contracts of all files are asked for again.
      await call("exportCompilerInput", { contract: SMALL });
    });
    if (!document.getText().includes("//xxx")) throw new Error("What was typed did not arrive.");
    await document.save();
  });
});
