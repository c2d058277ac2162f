import assert from "node:assert/strict";
import * as vscode from "vscode";
import { startServer, type LoopbackServer } from "../rig/loopback/httpServer.ts";
import { eventually } from "../rig/eventually.ts";
import { press, pressUntil } from "./pressing.ts";
import { watchScreen } from "./shownQuestions.ts";
import { world } from "./world.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Nested {
  readonly position: number;
  readonly children: readonly Nested[];
}

interface Actions {
  readonly actions: readonly Fields[];
  readonly tree: readonly Nested[];
  readonly complete: boolean;
}

interface Schedules {
  readonly schedules: readonly { readonly schedule_id: string; readonly creator_account_id: string }[];
  readonly complete: boolean;
}

function call<T>(command: string, args: object): Thenable<T> {
  return vscode.commands.executeCommand<T>(`ledgerLens.${command}`, args);
}

/** The row of an item, as the view hands it to its commands. */
function row(kind: string, canonical: string): object {
  const itemId = `${new URL(world().ledger).host}/${kind}/${canonical}`;
  return { type: "item", id: itemId, itemId, parent: undefined };
}

async function refusal(work: Thenable<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message };
  }
  return assert.fail("expected a refusal");
}

async function useLedger(url: string): Promise<void> {
  await vscode.workspace
    .getConfiguration("ledgerLens")
    .update("ledgerUrl", url, vscode.ConfigurationTarget.Global);
}

describe("Looking at a token", () => {
  it("answers its record, every digit of it", async () => {
    const { coin, strange } = world().scenes.tokens;
    const record = await call<Fields>("showToken", { tokenId: coin });
    assert.equal(record["name"], "Sample Coin");
    assert.equal(record["total_supply"], "5432109876543");
    const raw = await (await fetch(`${world().ledger}/api/v1/tokens/${coin}`)).text();
    assert.equal(record["expiry_timestamp"], /"expiry_timestamp":(\d{19}),/.exec(raw)?.[1]);
    const odd = await call<Fields>("showToken", { tokenId: strange });
    assert.equal(odd["max_supply"], "9223372036854775807");
    assert.deepEqual(JSON.parse(JSON.stringify(odd)), odd);
  });

  it("takes the id in every form that people have", async () => {
    for (const tokenId of [
      "456858",
      "0.456858",
      " 0.0.456858 ",
      "0x000000000000000000000000000000000006f89a",
    ]) {
      const { token_id: id } = await call<Fields>("showToken", { tokenId });
      assert.equal(id, "0.0.456858", tokenId);
    }
  });

  it("shows it as of a time, and compares it with now", async () => {
    const { tokens, coinBefore } = world().scenes;
    const before = await call<Fields>("showToken", { tokenId: tokens.coin, timestamp: `lte:${coinBefore}` });
    assert.equal(before["total_supply"], "5000000000000");
    assert.equal(before["pause_status"], "UNPAUSED");
    await call("compareWithNow", row("token", `${tokens.coin}@lte:${coinBefore}`));
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const [past, now] = await Promise.all(
      [input.original, input.modified].map(async (uri) =>
        (await vscode.workspace.openTextDocument(uri)).getText(),
      ),
    );
    assert.match(past ?? "", /Total supply: 5,000,000 SMC\n/);
    assert.match(now ?? "", /Total supply: 5,432,109\.876543 SMC\n/);
    assert.match(now ?? "", /Paused: yes\n/);
  });

  it("shows the raw JSON, byte for byte, and read-only", async () => {
    const { coin } = world().scenes.tokens;
    await call("showRawJson", row("token", coin));
    const raw = await (await fetch(`${world().ledger}/api/v1/tokens/${coin}`)).arrayBuffer();
    const { document } = vscode.window.activeTextEditor ?? {};
    assert.ok(document);
    assert.deepEqual(await vscode.workspace.fs.readFile(document.uri), new Uint8Array(raw));
    assert.equal(document.languageId, "json");
    await assert.rejects(async () => vscode.workspace.fs.writeFile(document.uri, new Uint8Array()));
  });

  it("says in one sentence why something can't be used, before anything is asked", async () => {
    for (const args of [
      { tokenId: "nonsense" },
      { tokenId: "0x5FbDB2315678afecb367f032d93F642f64180aa3" },
      { tokenId: "0.0.5@1640084590.665216882" },
      { tokenId: "0.0.5", timestamp: "gt:5" },
    ]) {
      const { code, message } = await refusal(call("showToken", args));
      assert.equal(code, "invalid_parameter", JSON.stringify(args));
      assert.match(message, /^[A-Z"0].*\.$/);
    }
    const missing = await refusal(call("showToken", { tokenId: "0.0.1" }));
    assert.equal(missing.code, "not_found");
    assert.match(missing.message, /^127\.0\.0\.1:\d+ does not have token 0\.0\.1\. Check the id/);
  });
});

describe("Looking at the contract actions of a transaction", () => {
  it("nests what a failed swap did, three calls deep", async () => {
    const { transactions } = world().scenes;
    const { actions, tree, complete } = await call<Actions>("showTransactionActions", {
      transaction: transactions.slippage,
    });
    assert.equal(complete, true);
    assert.equal(actions.length, 9);
    const depthOf = (nodes: readonly Nested[]): number =>
      nodes.length === 0 ? 0 : 1 + Math.max(...nodes.map(({ children }) => depthOf(children)));
    assert.equal(depthOf(tree), 4);
    assert.equal(tree.length, 1);
    const failed = actions.filter(({ result_data_type: type }) => type === "REVERT_REASON");
    assert.equal(failed.length, 3);
  });

  it("takes every form of a transaction's identifier", async () => {
    const { transactions, transactionIds } = world().scenes;
    const id = transactionIds.slippage;
    const [account = "", seconds = "", nanos = ""] = id.split("-");
    const first = await call<Actions>("showTransactionActions", { transaction: transactions.slippage });
    const consensus = String(first.actions[0]?.["timestamp"]);
    for (const transaction of [
      id,
      `${account}@${seconds}.${nanos}`,
      `${account}@${seconds}.${Number(nanos)}`,
      transactions.slippage.slice(2),
      `${transactions.slippage}${"07".repeat(16)}`,
      consensus,
      `${account}@${seconds}.${nanos}?scheduled`,
      `https://hashscan.io/anything/transaction/${account}-${seconds}-${nanos}`,
    ]) {
      const again = await call<Actions>("showTransactionActions", { transaction });
      assert.equal(again.actions.length, 9, transaction);
    }
  });

  it("asks for a page when a limit is given, else for all, in any order", async () => {
    const transaction = world().scenes.transactions.manyCalls;
    const all = await call<Actions>("showTransactionActions", { transaction });
    assert.equal(all.actions.length, 261);
    assert.equal(all.complete, true);
    const page = await call<Actions>("showTransactionActions", { transaction, limit: 10, index: "gt:4" });
    assert.deepEqual(
      page.actions.map(({ index }) => index),
      [5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    );
    assert.equal(page.complete, false);
    const last = await call<Actions>("showTransactionActions", { transaction, limit: 2, order: "desc" });
    assert.deepEqual(
      last.actions.map(({ index }) => index),
      [259, 260],
    );
    const wrong = await refusal(call("showTransactionActions", { transaction, limit: 101 }));
    assert.equal(wrong.code, "invalid_parameter");
  });

  it("has an empty list for what called no contract", async () => {
    const transaction = world().scenes.transactions.plainTransfer;
    assert.deepEqual(await call("showTransactionActions", { transaction }), {
      actions: [],
      tree: [],
      complete: true,
    });
  });

  it("copies the tree as text, with the failure and its origin marked, and as JSON", async () => {
    const { transactions } = world().scenes;
    await call<Actions>("showTransactionActions", { transaction: transactions.slippage });
    const item = row("transaction", transactions.slippage);
    await call("copyActionsAsText", item);
    const text = await vscode.env.clipboard.readText();
    assert.equal(text.trimEnd().split("\n").length, 9);
    assert.match(text, /^! call Router\.swapThrough\(router: 0x/);
    assert.match(
      text,
      /^ {4}!! call Pool\.swap\(.* · reverted: SlippageTooHigh\(amountOut: [\d,]+, minimumOut: 10,000,000,000,000,000,000\) · /m,
    );
    assert.match(text, /^ {6}static Token\.balanceOf\(account: 0x.*\) · → [\d,]+ · /m);
    await call("copyActionsAsJson", item);
    const copied = JSON.parse(await vscode.env.clipboard.readText()) as Fields[];
    assert.deepEqual(
      copied.map(({ parent }) => parent),
      [null, 0, 0, 0, 3, 3, 3, 6, 6],
    );
  });
});

describe("Going from an action to its source", () => {
  const node = (at: number, type: string) => {
    const item = row("transaction", world().scenes.transactions.slippage) as { readonly itemId: string };
    return { type, id: `${item.itemId}/action/${at}`, itemId: item.itemId, at, parent: undefined };
  };

  it("jumps to the function in the workspace, and from the reason to the statement that reverted", async () => {
    await call<Actions>("showTransactionActions", { transaction: world().scenes.transactions.slippage });
    await call("copyActionsAsText", row("transaction", world().scenes.transactions.slippage));
    await call("goToSource", node(6, "action"));
    const { document, selection } = vscode.window.activeTextEditor ?? {};
    assert.match(document?.uri.path ?? "", /\/contracts\/exchange\/Pool\.sol$/);
    assert.match(document?.lineAt(selection?.active.line ?? 0).text ?? "", /function swap\(/);
    await call("goToSource", {
      ...node(6, "fact"),
      row: { id: "reason", label: "" },
      parent: node(6, "action"),
    });
    const { active } = vscode.window.activeTextEditor?.selection ?? {};
    assert.match(document?.lineAt(active?.line ?? 0).text ?? "", /revert SlippageTooHigh\(/);
  });

  it("finds what a dependency defines", async () => {
    await call("goToSource", node(7, "action"));
    const { document, selection } = vscode.window.activeTextEditor ?? {};
    assert.match(document?.uri.path ?? "", /\/@openzeppelin\/contracts\/token\/ERC20\/ERC20\.sol$/);
    assert.match(document?.lineAt(selection?.active.line ?? 0).text ?? "", /function balanceOf\(/);
  });
});

describe("Looking at schedules", () => {
  it("lists them, the newest first, of all accounts or of one", async () => {
    const { schedules, complete } = await call<Schedules>("showSchedules", { order: "desc" });
    const ids = schedules.map(({ schedule_id: id }) => id);
    assert.deepEqual(ids, ["0.0.7712", "0.0.7711", "0.0.7710", "0.0.7709", "0.0.7708"]);
    assert.equal(complete, true);
    const { scheduler } = world().scenes;
    const own = await call<Schedules>("showSchedules", { accountId: scheduler });
    assert.equal(own.schedules.length, 4);
    assert.ok(own.schedules.every(({ creator_account_id: creator }) => creator === scheduler));
    const first = await call<Schedules>("showSchedules", { accountId: scheduler, limit: 1, order: "asc" });
    assert.deepEqual(
      first.schedules.map(({ schedule_id: id }) => id),
      ["0.0.7709"],
    );
    assert.equal(first.complete, false);
  });

  it("knows the four states by the server's own rule", async () => {
    const { schedules } = world().scenes;
    for (const [scene, scheduleId] of Object.entries(schedules)) {
      const { state, schedule_id: id } = await call<Fields>("showSchedule", { scheduleId });
      assert.equal(state, scene === "garbage" ? "pending" : scene);
      assert.equal(id, scheduleId);
    }
    assert.equal((await refusal(call("showSchedule", { scheduleId: "0.0.1" }))).code, "not_found");
  });
});

describe("Choosing a network", () => {
  after(() => useLedger(world().ledger));

  it("answers the addresses in use", async () => {
    const answer = await call<Fields>("selectNetwork", { network: "testnet" });
    assert.deepEqual(answer, {
      network: "testnet",
      ledgerUrl: "https://testnet.mirrornode.hedera.com",
      verificationUrl: world().service,
      statusUrl: world().statusPage,
    });
    assert.equal((await refusal(call("selectNetwork", { network: "moon" }))).code, "invalid_parameter");
  });

  it("writes no key into the settings of the workspace, which others read", async () => {
    const { Global, Workspace } = vscode.ConfigurationTarget;
    const set = (name: string, value: unknown, target: vscode.ConfigurationTarget) =>
      vscode.workspace.getConfiguration("ledgerLens").update(name, value, target);
    const ledgerUrl = `${world().ledger}/v3/${"k3y".repeat(8)}`;
    await set("networks", [{ name: "With a key", ledgerUrl }], Global);
    await set("ledgerUrl", world().ledger, Workspace);
    try {
      const { code, message } = await refusal(call("selectNetwork", { network: "With a key" }));
      assert.equal(code, "key_in_address");
      assert.match(message, /Remove ledgerLens\.ledgerUrl/);
      const inspected = () => vscode.workspace.getConfiguration("ledgerLens").inspect("ledgerUrl");
      assert.equal(inspected()?.workspaceValue, world().ledger);
      await set("ledgerUrl", undefined, Workspace);
      await call("selectNetwork", { network: "With a key" });
      assert.equal(inspected()?.globalValue, ledgerUrl);
      assert.equal(inspected()?.workspaceValue, undefined);
    } finally {
      await set("ledgerUrl", undefined, Workspace);
      await set("networks", undefined, Global);
    }
  });

  it("refuses a link that belongs to another network, without a request", async () => {
    await call("selectNetwork", { network: "testnet" });
    const { code, message } = await refusal(
      call("showToken", { tokenId: "https://hashscan.io/mainnet/token/0.0.5" }),
    );
    assert.equal(code, "other_network");
    assert.match(message, /Hedera Mainnet.*Hedera Testnet/);
  });
});

describe("A ledger that answers badly", () => {
  let server: LoopbackServer;
  let status = 200;
  let body = "";

  before(async () => {
    server = await startServer((_request, response) => {
      response.writeHead(status, { "content-type": "text/html" }).end(body);
    });
    await useLedger(server.url);
  });
  after(async () => {
    await useLedger(world().ledger);
    await server.stop();
  });

  it("is told in one sentence, whatever comes", async () => {
    for (const [given, text, code] of [
      [403, "<!doctype html><title>403</title>403 Forbidden", "forbidden"],
      [200, "<!doctype html><title>Sign in</title>", "not_json"],
      [200, '{"actions": 5}', "wrong_shape"],
      [200, "[]", "wrong_shape"],
      [400, '{"_status":{"messages":[{"message":"Invalid parameter: index"}]}}', "invalid_parameter"],
      [500, '{"_status":{"messages":[{"message":"Internal error"}]}}', "server_error"],
    ] as const) {
      status = given;
      body = text;
      const error = await refusal(call("showTransactionActions", { transaction: "0.0.5-1-1" }));
      assert.equal(error.code, code, text);
      assert.match(error.message, /^[A-Z1].*\.$/, error.message);
    }
  });

  it("can't lead anywhere else with the link to the next page", async () => {
    status = 200;
    body = '{"actions":[{"index":0,"call_depth":0}],"links":{"next":"https://evil.example/api/v1/x"}}';
    const { actions, complete } = await call<Actions>("showTransactionActions", { transaction: "0.0.5-1-1" });
    assert.equal(actions.length, 1);
    assert.equal(complete, false);
  });
});

describe("An id that the ledger does not have", () => {
  it("is told by Find in Ledger with a way to the other networks", async () => {
    const screen = watchScreen();
    const find = vscode.commands.executeCommand("ledgerLens.findInLedger");
    try {
      await eventually(() => assert.match(screen.questions.at(-1)?.placeholder ?? "", /^Paste a token/));
      screen.search("0.0.987654321");
      await eventually(() => assert.match(screen.questions.at(-1)?.active ?? "", /0\.0\.987654321/));
      const words = /^0\.0\.987654321 is no token, contract, account or schedule on /;
      await pressUntil(["accept"], () =>
        assert.deepEqual(screen.buttonsOf(words), ["Select Network…", "Show Log"]),
      );
      screen.pressButton(words, "Select Network…");
      await eventually(() => assert.match(screen.questions.at(-1)?.placeholder ?? "", /^Which ledger/));
      await press("hide");
      await find;
    } finally {
      screen.stop();
    }
  });
});

describe("What was opened", () => {
  it("can be pinned, unpinned and removed", async () => {
    const { coin } = world().scenes.tokens;
    await call("showToken", { tokenId: coin });
    await call("pinLedgerItem", row("token", coin));
    await call("unpinLedgerItem", row("token", coin));
    await call("removeLedgerItem", row("token", coin));
  });
});

describe("A ledger that can't be reached", () => {
  it("is told with a way to ask it again and to the setting of its address", async () => {
    const screen = watchScreen();
    try {
      await useLedger("http://127.0.0.1:9");
      void vscode.commands.executeCommand("ledgerLens.openLedgerLink", { kind: "token", id: "0.0.5" });
      await eventually(() =>
        assert.deepEqual(screen.buttonsOf(/can't be reached/), ["Try Again", "Open Settings", "Show Log"]),
      );
    } finally {
      screen.stop();
      await call("removeLedgerItem", { itemId: "127.0.0.1:9/token/0.0.5" });
      await useLedger(world().ledger);
    }
  });
});

describe("A network that wants a key in a header", () => {
  it("is told to have refused with a way to enter the key, after which what failed is done again", async () => {
    const [key, wrong] = ["5e1f-entered-by-a-person", "9a02-mistyped-by-a-person"];
    const own = await startServer((request, response) => {
      const isKnown = request.headers["x-own-key"] === key;
      const token = { token_id: "0.0.5", name: "Own", symbol: "OWN", decimals: "0", total_supply: "7" };
      response
        .writeHead(isKnown ? 200 : 401, { "content-type": "application/json" })
        .end(JSON.stringify(isKnown ? { ...token, type: "FUNGIBLE_COMMON" } : {}));
    });
    const set = (value: unknown) =>
      vscode.workspace
        .getConfiguration("ledgerLens")
        .update("networks", value, vscode.ConfigurationTarget.Global);
    const screen = watchScreen();
    const said = /: the API key is missing or wrong \(status 401\)/;
    const { host, origin } = new URL(own.url);
    const enter = async (text: string, asked: string) => {
      // It goes there unencrypted, which the address tells.
      await eventually(() => assert.ok(screen.box?.prompt?.startsWith(`X-Own-Key for ${origin}. ${asked}`)));
      assert.equal(screen.box?.title, `Key for ${origin}`);
      screen.type(text);
      await press("accept");
    };
    try {
      await set([{ name: "Own Ledger", ledgerUrl: own.url, headerName: "X-Own-Key" }]);
      await useLedger(own.url);
      void vscode.commands.executeCommand("ledgerLens.openLedgerLink", { kind: "token", id: "0.0.5" });
      await eventually(() => assert.deepEqual(screen.buttonsOf(said), ["Enter Key…", "Show Log"]));
      screen.pressButton(said, "Enter Key…");
      await enter(wrong, "It is kept in");
      await eventually(() =>
        assert.equal(screen.messages.filter((one) => one.includes("key is missing")).length, 2),
      );
      const item = { type: "item", id: `${host}/token/0.0.5`, itemId: `${host}/token/0.0.5` };
      void vscode.commands.executeCommand("ledgerLens.enterLedgerKey", item);
      await enter(key, "A key is kept");
      await eventually(async () => {
        const { symbol } = await call<Fields>("showToken", { tokenId: "0.0.5" });
        assert.equal(symbol, "OWN");
      });
      assert.ok(!screen.messages.some((one) => one.includes(wrong) || one.includes(key)));
    } finally {
      screen.stop();
      await call("removeLedgerItem", { itemId: `${host}/token/0.0.5` });
      await set(undefined);
      await useLedger(world().ledger);
      await own.stop();
    }
  });
});

describe("What is typed into Find in Ledger", () => {
  it("is refused on two lines where it names nothing: what is wrong, and what to do", async () => {
    const screen = watchScreen();
    const asked = Promise.resolve(vscode.commands.executeCommand("ledgerLens.findInLedger")).catch(
      () => undefined,
    );
    try {
      await eventually(() => assert.ok(screen.questions.some(({ isOpen }) => isOpen)));
      for (const [typed, line] of [
        [
          "hello1",
          `"hello1" isn't a valid ID, hash or link. | Give an id such as 0.0.1234, a transaction id, a hash, or a link.`,
        ],
        ["0x1234", "This has 4 hex digits. | An address has 40, a transaction hash 64 or 96."],
      ] as const) {
        screen.search(typed);
        await eventually(() => {
          const lines = screen.questions.at(-1)?.lines ?? [];
          assert.ok(lines.includes(`$(warning) ${line}`), lines.join("\n"));
        });
      }
    } finally {
      await eventually(async () => {
        await press("hide");
        assert.ok(screen.questions.every(({ isOpen }) => !isOpen));
      });
      await asked;
      screen.stop();
    }
  });
});
