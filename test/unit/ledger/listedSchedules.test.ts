import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import { contentRow } from "../../../src/core/ledger/itemRows.ts";
import { LedgerItems } from "../../../src/core/ledger/ledgerItems.ts";
import { networkAt, type LedgerNetwork } from "../../../src/core/ledger/references/network.ts";
import type { LedgerRow } from "../../../src/core/rows/ledgerRow.ts";
import { eventually } from "../../rig/eventually.ts";
import { bytesOf, entityOf, integerOf, zigzagOf } from "../../sandbox/ledger/protobufEncoder.ts";
import { encoded } from "./actions.ts";
import { NOW, startLedger, type LedgerAnswers } from "./loopbackLedger.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const KEY = "5a".repeat(32);
const input = Buffer.from(encoded("setPrice(uint256)", [5_000n]).slice(2), "hex");
const callOfShop = bytesOf(3, Buffer.concat([entityOf(1, "0.0.4242"), bytesOf(4, input)]));

const schedule = (num: number, changes: Readonly<Record<string, unknown>> = {}) => ({
  schedule_id: `0.0.${num}`,
  creator_account_id: "0.0.88",
  payer_account_id: "0.0.89",
  consensus_timestamp: `${NOW / 1000 - 240}.000000000`,
  signatures: [],
  transaction_body: Buffer.concat([integerOf(1, 1n), callOfShop]).toString("base64"),
  ...changes,
});
const executed = (num: number, second: number) =>
  schedule(num, { executed_timestamp: `${NOW / 1000 - second}.000000000` });

/** A ledger with these schedules, of which the one that ran 20 s ago failed. */
async function listOf(schedules: readonly object[], other: LedgerAnswers = () => undefined) {
  const { server, service, network } = await startLedger(
    async (target) => {
      const own = await other(target);
      if (own !== undefined) return own;
      if (target.startsWith("/api/v1/schedules?")) return JSON.stringify({ schedules });
      const moment = /^\/api\/v1\/transactions\?timestamp=(.*)$/.exec(target)?.[1];
      if (moment !== undefined) {
        const result = moment.startsWith(String(NOW / 1000 - 20)) ? "INSUFFICIENT_PAYER_BALANCE" : "SUCCESS";
        return JSON.stringify({ transactions: [{ result, consensus_timestamp: moment }] });
      }
      return target === "/api/v1/accounts/0.0.89?transactions=false"
        ? JSON.stringify({ account: "0.0.89", key: { _type: "ED25519", key: KEY } })
        : undefined;
    },
    stops as (() => Promise<void>)[],
  );
  const chosen: { network: LedgerNetwork } = { network };
  const items = new LedgerItems({
    service,
    network: () => chosen.network,
    memory: { get: () => undefined, update: () => Promise.resolve() },
    namer: (of) =>
      new ActionNamer(of, [
        {
          certainty: "workspace",
          definitions: () => Promise.resolve([{ abi: "function setPrice(uint256 price)" }]),
          contractName: () => Promise.resolve({ name: "Shop" }),
        },
      ]),
    titleOf: (canonical, content) => contentRow(canonical, content, NOW),
  });
  stops.push(() => items.dispose());
  const { item } = await items.open({ kind: "schedules" });
  const found = (of: string) => {
    const content = items.get(of)?.content;
    assert.ok(content);
    return contentRow("", content, NOW);
  };
  const asked = (path: string) => server.asked.filter((target) => target.startsWith(path)).length;
  const rows = () => (found(item.id).children ?? []).map(({ description, icon }) => [icon, description]);
  return { items, id: item.id, rows, found, asked, chosen };
}

/** What a schedule moves, as its rows say it. */
function movesOf({ children = [] }: LedgerRow) {
  const body = children.find(({ label }) => label === "Transaction")?.children ?? [];
  return body.filter(({ id }) => id.startsWith("transfer")).map((one) => [one.label, one.description]);
}

describe("The schedules of a list", () => {
  it("say how they ended or how long they have, what they call, and who has not signed", async () => {
    const { items, id, rows, asked } = await listOf([executed(703, 10), executed(702, 20), schedule(701)]);
    assert.deepEqual(rows()[1], ["play-circle", "executed · contract call · 0 signatures"]);
    assert.equal(asked("/api/v1/transactions"), 0, "nothing is asked of a list that nobody looks at");
    items.lookIntoSchedules(id);
    items.lookIntoSchedules(id);
    await eventually(() =>
      assert.deepEqual(rows(), [
        ["pass", "executed · Shop.setPrice · 0 signatures"],
        ["error", "executed, but failed: insufficient payer balance · Shop.setPrice · 0 signatures"],
        ["watch", "pending, expires in 26 min · Shop.setPrice · 0 signatures · 0.0.89 has not signed"],
      ]),
    );
    assert.equal(asked("/api/v1/transactions"), 2, "each result is asked for once");
    await items.refresh(id);
    items.lookIntoSchedules(id);
    assert.equal(rows()[1]?.[0], "error", "what became of a schedule stays known");
    await eventually(() => assert.equal(asked("/api/v1/accounts"), 2));
    assert.equal(asked("/api/v1/transactions"), 2);
  });

  it("say amounts of tokens by symbol and decimals, each token looked up once", async () => {
    const amount = (account: string, units: bigint) => bytesOf(2, entityOf(1, account), zigzagOf(2, units));
    const moves = bytesOf(
      9,
      bytesOf(2, entityOf(1, "0.0.77"), amount("0.0.5", -10_000_000n), amount("0.0.6", 10_000_000n)),
      bytesOf(2, entityOf(1, "0.0.78"), amount("0.0.5", -1n)),
    );
    const body = { transaction_body: Buffer.from(moves).toString("base64") };
    const { items, id, rows, asked, found } = await listOf(
      [schedule(701, body), schedule(700, body)],
      (target) => {
        if (target === "/api/v1/schedules/0.0.701") return JSON.stringify(schedule(701, body));
        return target === "/api/v1/tokens/0.0.77"
          ? JSON.stringify({ token_id: "0.0.77", symbol: "SMC", decimals: "6" })
          : undefined;
      },
    );
    const expected = [
      ["0.0.5", "gives 10.0 SMC"],
      ["0.0.6", "gets 10.0 SMC"],
      ["0.0.5", "gives 1 smallest unit of 0.0.78"],
    ];
    items.lookIntoSchedules(id);
    await eventually(() => {
      for (const one of found(id).children ?? []) assert.deepEqual(movesOf(one), expected);
    });
    assert.equal(rows().length, 2);
    const { item } = await items.open({ kind: "schedule", scheduleId: "0.0.701" });
    await eventually(() => assert.deepEqual(movesOf(found(item.id)), expected));
    assert.equal(asked("/api/v1/tokens/0.0.77"), 1);
  });

  it("ask for the key of an account once, and for no more than a hundred things in all", async () => {
    const { items, id, rows, asked } = await listOf([
      ...Array.from({ length: 10 }, (_, at) => schedule(900 - at)),
      ...Array.from({ length: 140 }, (_, at) => executed(800 - at, 1_000 + at)),
    ]);
    items.lookIntoSchedules(id);
    await eventually(() => {
      assert.match(String(rows()[9]?.[1]), /0\.0\.89 has not signed$/);
      assert.equal(asked("/api/v1/transactions"), 99);
    });
    assert.equal(asked("/api/v1/accounts"), 1);
    assert.deepEqual(rows().at(-1), ["play-circle", "executed · Shop.setPrice · 0 signatures"]);
  });

  it("are asked for no longer when another network is chosen, and again when it is back", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { items, id, rows, asked, chosen } = await listOf(
      Array.from({ length: 40 }, (_, at) => executed(800 - at, 1_000 + at)),
      async (target) => {
        if (target.startsWith("/api/v1/transactions")) await held;
        return undefined;
      },
    );
    const own = chosen.network;
    items.lookIntoSchedules(id);
    await eventually(() => assert.equal(asked("/api/v1/transactions"), 4));
    chosen.network = networkAt("http://127.0.0.1:1");
    release();
    chosen.network = await eventually(() => {
      assert.ok(rows().some(([icon]) => icon === "pass"));
      return own;
    });
    assert.equal(asked("/api/v1/transactions"), 4, "what waited for its turn is not asked");
    items.lookIntoSchedules(id);
    await eventually(() => assert.ok(rows().every(([icon]) => icon === "pass")));
  });

  it("are asked for no longer when the list is removed", async () => {
    const { items, id, asked } = await listOf(
      Array.from({ length: 40 }, (_, at) => executed(800 - at, 1_000 + at)),
      (target) => (target.startsWith("/api/v1/transactions") ? new Promise(() => undefined) : undefined),
    );
    items.lookIntoSchedules(id);
    await eventually(() => assert.equal(asked("/api/v1/transactions"), 4));
    const before = asked("");
    items.remove(id);
    await items.open({ kind: "schedules" });
    assert.equal(asked(""), before + 1);
  });
});
