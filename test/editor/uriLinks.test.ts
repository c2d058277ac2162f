import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { pressUntil } from "./pressing.ts";
import { watchScreen, type Screen } from "./shownQuestions.ts";
import { world } from "./world.ts";

/** Follows a link, as the editor hands it over; a workbench in a browser has no links of its own scheme. */
function follow(path: string, query: Readonly<Record<string, string>>): Thenable<unknown> {
  const link = vscode.Uri.from({
    scheme: vscode.env.uriScheme,
    authority: "ledger-lens.ledger-lens",
    path: `/${path}`,
    query: String(new URLSearchParams(query)),
  });
  return vscode.commands.executeCommand("ledgerLens.openLink", link);
}

const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));

describe("A link to something of the ledger", () => {
  let screen: Screen;
  before(() => {
    screen = watchScreen();
  });
  after(() => screen.stop());

  it("opens the page of a transaction", async () => {
    await follow("transaction", { id: world().scenes.transactionIds.swap });
    await eventually(() => assert.ok(tabs().some((label) => label.startsWith("Transaction "))));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("switches to another network only after a question, and stays where it is without an answer", async () => {
    const before = vscode.workspace.getConfiguration("ledgerLens").get<string>("ledgerUrl");
    void follow("token", { id: "0.0.5", network: "testnet" });
    const question = () =>
      screen.questions.find(({ placeholder }) => placeholder.startsWith("This link is of"));
    await eventually(() => assert.equal(question()?.isOpen, true));
    assert.match(question()?.lines.join() ?? "", /^Switch to Hedera Testnet .*Stay on /);
    assert.equal(vscode.workspace.getConfiguration("ledgerLens").get<string>("ledgerUrl"), before);
    await pressUntil(["hide"], () => assert.equal(question()?.isOpen, false));
    assert.equal(vscode.workspace.getConfiguration("ledgerLens").get<string>("ledgerUrl"), before);
  });

  it("that names nothing says so, and no server or command can be named by it", async () => {
    for (const [path, query] of [
      ["transaction", {}],
      ["transaction", { id: "https://evil.example/api/v1/transactions/1" }],
      ["command", { id: "workbench.action.closeWindow" }],
      ["token", { id: "0.0.5", network: "https://evil.example" }],
      ["job", { id: "../../v2/contract/1" }],
    ] as const) {
      const told = screen.messages.length;
      void follow(path, query);
      await eventually(() => assert.ok(screen.messages.length > told, `${path} ${JSON.stringify(query)}`));
    }
    const last = screen.messages.slice(-5).join("\n");
    assert.match(last, /This link names nothing that Ledger Lens can open/);
    assert.match(last, /There is no such network/);
  });
});
