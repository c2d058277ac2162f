import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";
import { failedJob } from "./failedJob.ts";
import { holdEnter, pressUntil, takeLine } from "./pressing.ts";
import { watchScreen, type Screen } from "./shownQuestions.ts";
import { world } from "./world.ts";

/** Follows a link as the editor hands it over, its query decoded; a workbench in a browser has no links of its own scheme. */
function follow(path: string, query: Readonly<Record<string, string>>): Thenable<unknown> {
  const link = vscode.Uri.from({
    scheme: vscode.env.uriScheme,
    authority: "ledger-lens.ledger-lens",
    path: `/${path}`,
    query: Object.entries(query)
      .map((part) => part.join("="))
      .join("&"),
  });
  return vscode.commands.executeCommand("ledgerLens.openLink", link);
}

const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));

const configuration = () => vscode.workspace.getConfiguration("ledgerLens");
const configure = (name: string, value: unknown) =>
  configuration().update(name, value, vscode.ConfigurationTarget.Global);

/** An item as the view hands it to its commands. */
function row(ledger: string, kind: string, canonical: string): object {
  const itemId = `${new URL(ledger).host}/${kind}/${canonical}`;
  return { type: "item", id: itemId, itemId, parent: undefined };
}

/** What the view has of an item, as the ledger sent it; the first page of several. */
async function openedItem(screen: Screen, ledger: string, kind: string, canonical: string): Promise<string> {
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  const shown = vscode.commands.executeCommand("ledgerLens.showRawJson", row(ledger, kind, canonical));
  let isDone = false;
  const end = () => (isDone = true);
  void shown.then(end, end);
  await eventually(() => assert.ok(isDone || screen.questions.some((one) => one.isOpen)));
  await pressUntil(["accept"], () => assert.ok(isDone));
  await shown;
  const { document } = vscode.window.activeTextEditor ?? {};
  assert.equal(document?.languageId, "json", `${kind} ${canonical} is not in the view`);
  return document.getText();
}

const removeItem = (ledger: string, kind: string, canonical: string) =>
  vscode.commands.executeCommand("ledgerLens.removeLedgerItem", row(ledger, kind, canonical));

describe("A link to something of the ledger", () => {
  let screen: Screen;
  before(() => {
    screen = watchScreen();
  });
  after(() => screen.stop());

  it("opens the page of a transaction", async () => {
    await follow("transaction", { id: world().scenes.transactionIds.swap });
    await eventually(() => assert.ok(tabs().some((label) => /^[✓✕] Transaction /.test(label))));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("opens a token, a schedule and an address in the view", async () => {
    const { ledger, scenes } = world();
    const pool = scenes.contracts.pool.toLowerCase();
    for (const [path, id, kind, field] of [
      ["token", scenes.tokens.coin, "token", "token_id"],
      ["schedule", scenes.schedules.pending, "schedule", "schedule_id"],
      ["address", pool, "account", "evm_address"],
    ] as const) {
      await removeItem(ledger, kind, id);
      await follow(path, { id });
      const text = await openedItem(screen, ledger, kind, id);
      const record = JSON.parse(text) as Readonly<Record<string, unknown>>;
      assert.equal(String(record[field]).toLowerCase(), id, path);
    }
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("opens the contract of a row of the Verification view by its menu", async () => {
    const { ledger, chainId, scenes } = world();
    const address = scenes.contracts.pool.toLowerCase();
    for (const row of [{ deployment: { chainId, address } }, { record: { chainId, address } }]) {
      await removeItem(ledger, "account", address);
      await vscode.commands.executeCommand("ledgerLens.showInLedger", { row });
      const text = await openedItem(screen, ledger, "account", address);
      assert.equal((JSON.parse(text) as { evm_address: string }).evm_address.toLowerCase(), address);
    }
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("opens the page of a job", async () => {
    const id = await failedJob();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await follow("job", { id });
    await eventually(() => assert.match(tabs().join("\n"), /^✕ Vault/));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  describe("of another network", () => {
    const NAME = "Second Ledger";
    let second: LoopbackServer;
    const askedOfSecond: string[] = [];

    before(async () => {
      second = await startServer((request, response) => {
        const { url = "" } = request;
        askedOfSecond.push(url);
        void fetch(world().ledger + url).then(async (answer) => {
          response.writeHead(answer.status, { "content-type": "application/json" });
          response.end(await answer.text());
        });
      });
      await configure("networks", [{ name: NAME, ledgerUrl: second.url }]);
    });
    beforeEach(async () => {
      await configure("ledgerUrl", world().ledger);
      askedOfSecond.length = 0;
    });
    after(async () => {
      await configure("ledgerUrl", world().ledger);
      await configure("networks", undefined);
      await second.stop();
    });

    const { coin } = world().scenes.tokens;
    const question = () =>
      screen.questions.findLast(
        ({ placeholder, isOpen }) => isOpen && placeholder.startsWith(`This link is of ${NAME}`),
      );

    it("switches to it and opens what it names there when that is chosen", async () => {
      const followed = follow("token", { id: coin, network: NAME });
      await eventually(() => assert.ok(question()));
      await takeLine(screen, /^Switch to Second Ledger$/, () => assert.equal(question(), undefined));
      await followed;
      assert.equal(configuration().get("ledgerUrl"), second.url);
      assert.match(await openedItem(screen, second.url, "token", coin), /"Sample Coin"/);
      assert.ok(askedOfSecond.some((url) => url.endsWith(`/tokens/${coin}`)));
      await removeItem(second.url, "token", coin);
    });

    it("is understood where its name has signs of which links are made", async () => {
      const name = "R&D = C# 50% + more";
      await configure("networks", [{ name, ledgerUrl: second.url }]);
      // As the editor itself reads what a browser hands over.
      const { scheme, authority } = { scheme: vscode.env.uriScheme, authority: "ledger-lens.ledger-lens" };
      const link = `${scheme}://${authority}/token?id=${coin}&network=${encodeURIComponent(name)}`;
      void vscode.commands.executeCommand("ledgerLens.openLink", vscode.Uri.parse(link, true));
      const asked = () =>
        screen.questions.findLast(
          ({ placeholder, isOpen }) => isOpen && placeholder.startsWith(`This link is of ${name}`),
        );
      await eventually(() => assert.ok(asked()));
      await pressUntil(["hide"], () => assert.equal(asked(), undefined));
      await configure("networks", [{ name: NAME, ledgerUrl: second.url }]);
    });

    it("is not switched to by a key that is held down for what was on the screen before", async () => {
      const followed = follow("token", { id: coin, network: NAME });
      await eventually(() => assert.match(question()?.active ?? "", /^Switch to Second Ledger/));
      await holdEnter();
      assert.equal(configuration().get("ledgerUrl"), world().ledger);
      assert.ok(question(), "it is still asked");
      await pressUntil(["hide"], () => assert.equal(question(), undefined));
      await followed;
      assert.equal(configuration().get("ledgerUrl"), world().ledger);
      assert.deepEqual(askedOfSecond, []);
    });

    it("stays and opens nothing when that is chosen", async () => {
      const followed = follow("token", { id: coin, network: NAME });
      await eventually(() => assert.ok(question()));
      await takeLine(screen, /^Stay on /, () => assert.equal(question(), undefined));
      await followed;
      assert.equal(configuration().get("ledgerUrl"), world().ledger);
      assert.deepEqual(askedOfSecond, []);
    });
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
