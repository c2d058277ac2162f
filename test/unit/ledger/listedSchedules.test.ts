import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import { contentRow } from "../../../src/core/ledger/itemRows.ts";
import { LedgerItems } from "../../../src/core/ledger/ledgerItems.ts";
import { networkAt, type LedgerNetwork } from "../../../src/core/ledger/references/network.ts";
import { eventually } from "../../rig/eventually.ts";
import { bytesOf, entityOf, integerOf } from "../../sandbox/ledger/protobufEncoder.ts";
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
  const rows = () => {
    const content = items.get(item.id)?.content;
    assert.ok(content);
    return (contentRow("", content, NOW).children ?? []).map(({ description, icon }) => [icon, description]);
  };
  const asked = (path: string) => server.asked.filter((target) => target.startsWith(path)).length;
  return { items, id: item.id, rows, asked, chosen };
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
        ["pass", "executed: SUCCESS · Shop.setPrice · 0 signatures"],
        ["error", "executed: INSUFFICIENT_PAYER_BALANCE · Shop.setPrice · 0 signatures"],
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
