// A ledger that answers whatever it likes: what it says never decides what else is asked, nor how long this thread is held.
import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import { accountRow, callsOf } from "../../../src/core/ledger/accounts/accountRows.ts";
import { contentRow } from "../../../src/core/ledger/itemRows.ts";
import { LedgerItems } from "../../../src/core/ledger/ledgerItems.ts";
import type { NameSource } from "../../../src/core/ledger/names/nameSource.ts";
import { eventually } from "../../rig/eventually.ts";
import { longestBlock } from "../../rig/longestBlock.ts";
import { bytesOf, entityOf, integerOf } from "../../sandbox/ledger/protobufEncoder.ts";
import { NOW, startLedger } from "../../unit/ledger/loopbackLedger.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const NO_IDS: readonly unknown[] = [
  "../../../../elsewhere",
  "0.0.5/../../../../elsewhere",
  "%2e%2e/%2e%2e/elsewhere",
  "\\..\\..\\elsewhere",
  "0.0.5?limit=100&",
  "0.0.5#",
  `0.0.${"9".repeat(10_000)}`,
  1e300,
  ["0.0.7"],
  { id: "0.0.7" },
];

/** Calls a contract of this number, from the account 0.0.89. */
function schedule(at: number, signatures: readonly object[] = []) {
  const call = bytesOf(3, Buffer.concat([entityOf(1, `0.0.${5_000 + at}`), bytesOf(4, Buffer.alloc(4, 7))]));
  return {
    schedule_id: `0.0.${900 + at}`,
    payer_account_id: "0.0.89",
    consensus_timestamp: `${NOW / 1_000 - 240}.000000000`,
    signatures,
    transaction_body: Buffer.concat([integerOf(1, 1n), call]).toString("base64"),
  };
}

async function ledgerOf(answers: (target: string) => unknown, names: NameSource[] = []) {
  const ledger = await startLedger((target) => {
    const body = answers(target);
    return body === undefined ? undefined : JSON.stringify(body);
  }, stops);
  const items = new LedgerItems({
    service: ledger.service,
    network: () => ledger.network,
    memory: { get: () => undefined, update: () => Promise.resolve() },
    namer: (of) => new ActionNamer(of, names),
    titleOf: (canonical, content) => contentRow(canonical, content, NOW),
  });
  return { ...ledger, items };
}

describe("A hostile ledger", () => {
  it("leads to no other address by what stands in the place of an id or an address", async () => {
    for (const id of NO_IDS) {
      const { service, server, network } = await ledgerOf((target) =>
        target.includes("/results")
          ? { results: [] }
          : { account: id, contract_id: id, evm_address: id, payer_account_id: id },
      );
      const { id: read, address } = await service.account("0.0.5");
      assert.deepEqual([read, address], ["0.0.5", undefined], String(id));
      assert.deepEqual(server.asked.toSorted(), [
        "/api/v1/accounts/0.0.5?transactions=false",
        "/api/v1/contracts/0.0.5",
        "/api/v1/contracts/0.0.5/results?limit=10&order=desc",
      ]);
      // Other services are asked about that address.
      const asked = `0x${"a1".repeat(20)}`;
      assert.deepEqual(await service.contract(asked, network), { address: asked });
    }
  });

  it("has no more calls of an account named than were asked for", async () => {
    const { service, network } = await ledgerOf((target) =>
      target.includes("/results")
        ? {
            results: Array.from({ length: 5_000 }, (_, at) => ({
              to: `0x${at.toString(16).padStart(40, "a")}`,
              result: "SUCCESS",
            })),
          }
        : { contract_id: "0.0.5" },
    );
    const account = await service.account("0.0.5");
    assert.equal(callsOf(account).length, 10);
    const [calls] = accountRow(account, new ActionNamer(network, []), undefined, NOW).children ?? [];
    assert.equal(calls?.children?.length, 10);
  });

  it("has the names of no more contracts looked for than a list of schedules asks questions", async () => {
    const asked = new Set<string | undefined>();
    const names: NameSource = {
      certainty: "verified",
      contractName: ({ address }) => {
        asked.add(address);
        return Promise.resolve(undefined);
      },
      definitions: () => Promise.resolve([]),
    };
    const schedules = Array.from({ length: 300 }, (_, at) => schedule(at));
    const { items, server } = await ledgerOf(
      (target) => (target.startsWith("/api/v1/schedules") ? { schedules } : { account: "0.0.89" }),
      [names],
    );
    const { item } = await items.open({ kind: "schedules" });
    items.lookIntoSchedules(item.id);
    await eventually(() => assert.equal(asked.size, 100));
    // Whatever was to be asked beyond that would have been by now: all of it goes out in the same order.
    await eventually(() => assert.ok(server.asked.includes("/api/v1/accounts/0.0.89?transactions=false")));
    assert.equal(asked.size, 100);
  });

  it("has no services asked about more contracts of a transaction than there can be", async () => {
    const asked = new Set<string>();
    const names: NameSource = {
      certainty: "verified",
      contractName: ({ address = "none" }) => {
        asked.add(address);
        return Promise.resolve(undefined);
      },
      definitions: (_kind, _selector, { address }) => {
        if (address !== undefined) asked.add(address);
        return Promise.resolve([]);
      },
    };
    const { network } = await ledgerOf(() => ({}));
    const namer = new ActionNamer(network, [names]);
    for (let at = 0; at < 7_000; at++) {
      const address = `0x${at.toString(16).padStart(40, "a")}`;
      await namer.event({ address, topics: [`0x${"1".repeat(64)}`] });
      await namer.name({ to: address, call_type: "CALL", input: "0xa9059cbb" });
      await namer.storageLayout(address);
    }
    assert.equal(asked.size, 6_000);
  });

  it("is not asked for page after page where it puts next to nothing on each", async () => {
    let page = 0;
    const { service, server } = await ledgerOf(() => ({
      actions: page++ % 3 === 0 ? [{ index: page, call_depth: 0 }] : [],
      links: { next: `/api/v1/contracts/results/x/actions?page=${page}` },
    }));
    const actions = await service.actions("0.0.5@1640084590.665216882");
    await actions.pages.loadAll({ atMost: 1_000 });
    assert.ok(server.asked.length <= 201, String(server.asked.length));
    assert.equal(actions.complete, false);
  });

  it("is not read on where it says megabytes of one thing", async () => {
    const { service } = await ledgerOf((target) => ({
      token_id: "0.0.5",
      account: "0.0.5",
      transactions: [],
      said: target.includes("/results") ? "" : "x".repeat(5 * 1024 * 1024),
    }));
    for (const ask of [
      () => service.token("0.0.5"),
      () => service.account("0.0.5"),
      () => service.schedule("0.0.5"),
      () => service.actions("1640084590.5"),
    ])
      await assert.rejects(ask(), { code: "too_large" });
  });

  it("does not hold the thread by thousands of signatures of thousands of keys", async () => {
    const COUNT = 3_000;
    const digits = (at: number) => at.toString(16).padStart(64, "0");
    const key = bytesOf(
      6,
      ...Array.from({ length: COUNT }, (_, at) => bytesOf(1, bytesOf(2, Buffer.from(digits(at), "hex")))),
    );
    const signatures = Array.from({ length: COUNT }, (_, at) => ({
      public_key_prefix: Buffer.from(digits(at + COUNT), "hex").toString("base64"),
    }));
    const { items } = await ledgerOf((target) =>
      target.startsWith("/api/v1/schedules")
        ? schedule(0, signatures)
        : { account: "0.0.89", key: { _type: "ProtobufEncoded", key: Buffer.from(key).toString("hex") } },
    );
    const { blockMs } = await longestBlock(async () => {
      const { item } = await items.open({ kind: "schedule", scheduleId: "0.0.900" });
      await eventually(() => {
        const content = items.get(item.id)?.content;
        assert.ok(content);
        assert.match(contentRow(item.canonical, content, NOW).description ?? "", /0\.0\.89 has not signed/);
      });
    });
    // A comparison of each with each takes seconds.
    assert.ok(blockMs < 1_000, `${blockMs} ms`);
  });

  it("makes no other amount of one, and no other argument, by a token's symbol or its decimals", async () => {
    const symbols: readonly (readonly [said: unknown, unit: string | undefined])[] = [
      ["SMC", "SMC"],
      ["USD₮0", "USD₮0"],
      ["1INCH", "1INCH"],
      ["WBTC[hts]", "WBTC[hts]"],
      ["SAUCE/HBAR LP", "SAUCE/HBAR LP"],
      ["🍕", "🍕"],
      ["000 USDC", undefined],
      ["000", undefined],
      ["e18", undefined],
      ["1e18", undefined],
      [".5M", undefined],
      ["½", undefined],
      ["A, to: 0.0.666", undefined],
      ["A\u202eB", undefined],
      ["[a](command:b)", undefined],
      ["x".repeat(200), undefined],
      [["SMC"], undefined],
    ];
    for (const [symbol, unit] of symbols) {
      const { service, network } = await ledgerOf(() => ({ token_id: "0.0.5", decimals: "2", symbol }));
      const found = await service.denominations(network, ["0.0.5"], undefined);
      assert.deepEqual(
        found.get("0.0.5"),
        { decimals: 2, ...(unit !== undefined && { symbol: unit }) },
        String(symbol),
      );
    }
    const { service, network } = await ledgerOf(() => ({
      token_id: "0.0.5",
      decimals: 9_999,
      symbol: "SMC",
    }));
    assert.equal((await service.denominations(network, ["0.0.5"], undefined)).size, 0);
  });
});
