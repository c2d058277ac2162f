import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { isCancellation } from "../../../src/core/errors.ts";
import { startLedger, type LedgerReply } from "./loopbackLedger.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const transaction = "0.0.5-1640084590-665216882";
const path = `/api/v1/contracts/results/${transaction}/actions`;
const page = (indexes: readonly number[], next: unknown) =>
  JSON.stringify({ actions: indexes.map((index) => ({ index, call_depth: index })), links: { next } });
const indexesOf = (items: readonly Readonly<Record<string, unknown>>[]) => items.map(({ index }) => index);

describe("The actions of a transaction", () => {
  it("come page by page, and only when asked for", async () => {
    const { service, server } = await startLedger(
      (target) =>
        target.includes("gt:3")
          ? page([], null)
          : target.includes("gt:1")
            ? page([2, 3], `${path}?limit=2&index=gt:3`)
            : page([0, 1], `${path}?limit=2&index=gt:1`),
      stops,
    );
    const actions = await service.actions("0.0.5@1640084590.665216882", { limit: 2 });
    assert.equal(server.asked.length, 1);
    assert.deepEqual(indexesOf(actions.tree.actions), [0, 1]);
    assert.equal(actions.complete, false);
    const progress: unknown[] = [];
    await actions.pages.loadAll({ onProgress: (step) => progress.push(step) });
    // A full last page has a link to an empty one.
    assert.deepEqual(progress, [
      { loaded: 4, pages: 2 },
      { loaded: 4, pages: 3 },
    ]);
    assert.deepEqual(server.asked, [
      `${path}?limit=2`,
      `${path}?limit=2&index=gt:1`,
      `${path}?limit=2&index=gt:3`,
    ]);
    const { tree, ...record } = actions.toRecord();
    assert.equal(record.complete, true);
    assert.equal(record.actions.length, 4);
    assert.equal(tree.length, 1);
    await actions.pages.loadMore();
    assert.equal(server.asked.length, 3);
  });

  it("are asked for with index, limit and order, checked before anything is sent", async () => {
    const { service, server } = await startLedger(() => page([], null), stops);
    await service.actions(transaction);
    await service.actions(transaction, { index: "gte:5", limit: 7, order: "desc" });
    await service.actions(transaction, { index: 3 });
    assert.deepEqual(server.asked, [
      `${path}?limit=100`,
      `${path}?limit=7&index=gte:5&order=desc`,
      `${path}?limit=100&index=3`,
    ]);
    for (const query of [
      { limit: 0 },
      { limit: 101 },
      { limit: 1.5 },
      { index: "above:5" },
      { index: "12345678901" },
      { index: -1 },
      { order: "random" as "asc" },
    ])
      await assert.rejects(service.actions(transaction, query), { code: "invalid_parameter" });
    assert.equal(server.asked.length, 3);
  });

  it("are found by the hash where the interface does not know the id", async () => {
    const hash = Buffer.alloc(48, 0xab);
    hash.fill(0xcd, 32);
    const wanted = `0x${"ab".repeat(32)}`;
    const { service, server } = await startLedger((target) => {
      if (target.startsWith("/api/v1/contracts")) return page([0], null);
      return JSON.stringify({
        transactions: [
          { nonce: 1, transaction_hash: Buffer.alloc(48, 1).toString("base64") },
          { nonce: 0, transaction_hash: hash.toString("base64") },
        ],
      });
    }, stops);
    for (const [text, lookup] of [
      ["0.0.5@1640084590.665216882?scheduled", `/api/v1/transactions/${transaction}?scheduled=true`],
      [`0x${hash.toString("hex")}`, undefined],
    ] as const) {
      const before = server.asked.length;
      const actions = await service.actions(text);
      assert.equal(actions.canonical, wanted);
      assert.deepEqual(server.asked.slice(before), [
        ...(lookup === undefined ? [] : [lookup]),
        `/api/v1/contracts/results/${wanted}/actions?limit=100`,
      ]);
    }
    assert.equal((await service.actions(`${transaction}/1`)).canonical, `0x${"01".repeat(32)}`);
    await service.actions("1640084590.5");
    assert.ok(server.asked.includes("/api/v1/transactions?timestamp=1640084590.500000000"));
  });

  it("are empty without an error where the ledger has none", async () => {
    const { service } = await startLedger(() => page([], null), stops);
    const actions = await service.actions(transaction);
    assert.deepEqual(actions.toRecord(), { actions: [], tree: [], complete: true });
  });
});

describe("Links to the next page", () => {
  const open = async (next: unknown, base = "") => {
    const ledger = await startLedger(
      (target) => (target.includes("gt:") ? page([1], null) : page([0], next)),
      stops,
      base,
    );
    return { ...ledger, actions: await ledger.service.actions(transaction) };
  };

  it("are not followed to another origin or another interface, and the first page stays", async () => {
    for (const next of [
      "https://example.org/api/v1/contracts/results/x/actions",
      "//example.org/api/v1/contracts/results/x/actions",
      "http://127.0.0.1:1/api/v1/x?gt:",
      "/admin?gt:",
      "/api/v1/../../admin?gt:",
      "\\\\example.org\\api\\v1\\x",
      "javascript:alert(1)",
      "https://",
      5,
      { a: 1 },
    ]) {
      const { actions, server, network } = await open(next);
      assert.equal(actions.complete, false, JSON.stringify(next));
      assert.deepEqual(indexesOf(actions.pages.items), [0]);
      for (let time = 0; time < 2; time++) {
        await assert.rejects(actions.pages.loadMore(), {
          code: "foreign_link",
          message: `${network.name} names a next page outside ${network.name}, which Ledger Lens does not follow. What was loaded so far is shown.`,
        });
      }
      assert.equal(server.asked.length, 1);
    }
  });

  it("are followed with their host, and below the path of a configured base", async () => {
    for (const [base, next] of [
      ["", (url: string) => `${url}/api/v1/x?index=gt:0`],
      ["/ledger", () => "/api/v1/x?index=gt:0"],
      ["/ledger", () => "/ledger/api/v1/x?index=gt:0"],
    ] as const) {
      let url = "";
      const ledger = await startLedger(
        (target) => (target.includes("gt:") ? page([1], null) : page([0], next(url))),
        stops,
        base,
      );
      url = ledger.server.url;
      const actions = await ledger.service.actions(transaction);
      await actions.pages.loadMore();
      assert.equal(ledger.server.asked[1], `${base}/api/v1/x?index=gt:0`);
      assert.equal(actions.complete, true);
    }
  });

  it("are not followed in a circle or through empty pages without end", async () => {
    const circle = await startLedger(
      (target) => page([0], target.includes("gt:1") ? `${path}?limit=100` : `${path}?limit=100&index=gt:1`),
      stops,
    );
    const actions = await circle.service.actions(transaction);
    await assert.rejects(actions.pages.loadAll(), { code: "repeated_page" });
    assert.equal(circle.server.asked.length, 2);
    assert.equal(actions.complete, false);
    assert.equal(actions.tree.actions.length, 1);

    let count = 0;
    const endless = await startLedger(() => page([], `${path}?index=gt:${count++}`), stops);
    const none = await endless.service.actions(transaction);
    await assert.rejects(none.pages.loadAll(), { code: "repeated_page" });
    assert.equal(endless.server.asked.length, 3);
  });
});

describe("A page that fails", () => {
  it("leaves what was loaded and can be asked for again", async () => {
    let second: string | LedgerReply = {
      status: 500,
      body: '{"_status":{"messages":[{"message":"Internal error"}]}}',
    };
    const { service, network } = await startLedger(
      (target) => (target.includes("gt:") ? second : page([0], `${path}?index=gt:0`)),
      stops,
    );
    const actions = await service.actions(transaction);
    await assert.rejects(actions.pages.loadMore(), {
      code: "server_error",
      message: `${network.name} answered with status 500 when asked for the contract actions of ${transaction}. Try again later.`,
    });
    second = '{"links":{}}';
    await assert.rejects(actions.pages.loadMore(), { code: "wrong_shape" });
    assert.equal(actions.tree.actions.length, 1);
    second = page([1], null);
    await actions.pages.loadMore();
    assert.deepEqual(indexesOf(actions.tree.actions), [0, 1]);
    assert.equal(actions.complete, true);
  });

  it("may be cancelled, and loaded later", async () => {
    const controller = new AbortController();
    let isHeld = true;
    const { service, server } = await startLedger(
      (target) =>
        target.includes("gt:")
          ? isHeld
            ? new Promise<undefined>(() => {
                setImmediate(() => controller.abort());
              })
            : page([1], null)
          : page([0], `${path}?index=gt:0`),
      stops,
    );
    const actions = await service.actions(transaction);
    await assert.rejects(actions.pages.loadAll({ signal: controller.signal }), isCancellation);
    assert.deepEqual([actions.complete, actions.tree.actions.length], [false, 1]);
    isHeld = false;
    await Promise.all([actions.pages.loadMore(), actions.pages.loadMore()]);
    assert.deepEqual([actions.complete, actions.tree.actions.length], [true, 2]);
    // Two callers at once are one request.
    assert.equal(server.asked.length, 3);
  });
});
