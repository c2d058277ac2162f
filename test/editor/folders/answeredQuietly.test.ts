// That a program is answered and a person's window is left alone. Whether the sidebar shows something else is told by a section
// of the extension that holds these tests, which the runs of other suites do not have.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually } from "../../rig/eventually.ts";
import { VIEW_OF_TESTS } from "../../rig/holderOfTests.ts";
import { startServer, type LoopbackServer } from "../../rig/loopback/httpServer.ts";

const HASH = `0x${"ab".repeat(32)}`;
const SCHEDULE = { schedule_id: "0.0.7711", creator_account_id: "0.0.1001", deleted: false };

/** What a mirror node and a status page answer, by the end of the path. */
const ANSWERS: Readonly<Record<string, object>> = {
  "/tokens/0.0.456858": {
    token_id: "0.0.456858",
    name: "Sample Coin",
    symbol: "SMC",
    type: "FUNGIBLE_COMMON",
    decimals: "6",
    total_supply: "5432109876543",
  },
  [`/results/${HASH}/actions`]: {
    actions: [
      {
        call_depth: 0,
        call_operation_type: "CALL",
        call_type: "CALL",
        from: `0x${"0".repeat(37)}3e9`,
        gas: 300_000,
        gas_used: 100_000,
        index: 0,
        input: "0x",
        recipient: "0.0.1010",
        result_data: "0x",
        result_data_type: "OUTPUT",
        timestamp: "1676540001.234390005",
        to: `0x${"0".repeat(37)}3f2`,
        value: 0,
      },
    ],
    links: { next: null },
  },
  "/schedules": { schedules: [SCHEDULE], links: { next: null } },
  [`/schedules/${SCHEDULE.schedule_id}`]: SCHEDULE,
  "/summary.json": {
    page: { id: "page", name: "Hedera", url: "https://status.example", updated_at: "2026-01-01T00:00:00Z" },
    status: { indicator: "none", description: "All Systems Operational" },
    components: [],
    incidents: [],
    scheduled_maintenances: [],
  },
};

/** Each command that shows something, with an argument object that says enough. */
const COMMANDS: Readonly<Record<string, object>> = {
  showToken: { tokenId: "0.0.456858" },
  showTransactionActions: { transaction: HASH },
  showSchedules: {},
  showSchedule: { scheduleId: SCHEDULE.schedule_id },
  showStatus: {},
};

describe("A program that calls a command which shows something", () => {
  const SETTINGS = ["ledgerUrl", "statusUrl"];
  let server: LoopbackServer;
  let view: vscode.TreeView<string>;

  const configure = async (url: string | undefined) => {
    const configuration = vscode.workspace.getConfiguration("ledgerLens");
    for (const name of SETTINGS) await configuration.update(name, url, vscode.ConfigurationTarget.Global);
  };

  before(async () => {
    server = await startServer((request, response) => {
      const { pathname } = new URL(request.url ?? "", "http://127.0.0.1");
      const found = Object.entries(ANSWERS).find(([end]) => pathname.endsWith(end));
      response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(found?.[1] ?? { _status: { messages: [{ message: "Not found" }] } }));
    });
    await configure(server.url);
    const nothing: vscode.TreeDataProvider<string> = {
      getChildren: () => [],
      getTreeItem: (label) => new vscode.TreeItem(label),
    };
    view = vscode.window.createTreeView(VIEW_OF_TESTS, { treeDataProvider: nothing });
    await vscode.commands.executeCommand(`${VIEW_OF_TESTS}.focus`);
    await eventually(() => assert.ok(view.visible));
  });

  after(async () => {
    view.dispose();
    await configure(undefined);
    await server.stop();
  });

  it("is answered, and neither a page is opened nor another view is shown", async () => {
    const { tabGroups } = vscode.window;
    const tabs = () => tabGroups.all.map((group) => group.tabs.map(({ label }) => label));
    const seen: string[] = [];
    let caller = "";
    const listeners = [
      tabGroups.onDidChangeTabs(() => seen.push(`${caller}: other tabs`)),
      tabGroups.onDidChangeTabGroups(() => seen.push(`${caller}: other groups of tabs`)),
      view.onDidChangeVisibility(() => seen.push(`${caller}: another view`)),
    ];
    try {
      for (const [command, args] of Object.entries(COMMANDS)) {
        caller = command;
        const before = tabs();
        const answer: unknown = await vscode.commands.executeCommand(`ledgerLens.${command}`, args);
        assert.equal(typeof answer, "object", command);
        assert.deepEqual(tabs(), before, command);
        assert.ok(view.visible, command);
      }
      // What a command had begun to show would be told before this is.
      caller = "a person";
      await vscode.commands.executeCommand("ledgerLens.ledger.focus");
      await eventually(() => assert.deepEqual(seen, ["a person: another view"]));
      assert.equal(view.visible, false);
    } finally {
      for (const listener of listeners) listener.dispose();
    }
  });
});
