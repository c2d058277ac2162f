import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import type { LedgerRow } from "../../../src/core/rows/ledgerRow.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { readSchedule, scheduleState, timeLeft } from "../../../src/core/ledger/schedules/schedule.ts";
import { scheduledAction, scheduleRow, stateText } from "../../../src/core/ledger/schedules/scheduleRows.ts";
import { bytesOf, entityOf, integerOf, textOf, zigzagOf } from "../../sandbox/ledger/protobufEncoder.ts";
import { contentRow } from "../../../src/core/ledger/itemRows.ts";
import { LedgerItems } from "../../../src/core/ledger/ledgerItems.ts";
import { eventually } from "../../rig/eventually.ts";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import { encoded } from "./actions.ts";
import { NOW, startLedger } from "./loopbackLedger.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const seconds = (offset: number) => `${NOW / 1000 + offset}.000000000`;

/** 0.0.5 gives 1.5 HBAR to 0.0.6. */
const transfer = Buffer.concat([
  integerOf(1, 200_000_000n),
  textOf(2, "rent"),
  bytesOf(
    9,
    bytesOf(
      1,
      bytesOf(1, entityOf(1, "0.0.5"), zigzagOf(2, -150_000_000n)),
      bytesOf(1, entityOf(1, "0.0.6"), zigzagOf(2, 150_000_000n)),
    ),
  ),
]).toString("base64");

const record = (changes: Readonly<Record<string, unknown>> = {}) => ({
  admin_key: null,
  consensus_timestamp: seconds(-60),
  creator_account_id: "0.0.88",
  deleted: false,
  executed_timestamp: null,
  expiration_time: null,
  memo: "for January",
  payer_account_id: "0.0.89",
  schedule_id: "0.0.700",
  signatures: [
    {
      consensus_timestamp: seconds(-60),
      public_key_prefix: Buffer.from("abcd", "hex").toString("base64"),
      signature: "AAEC\nAwQF",
      type: "ED25519",
    },
  ],
  transaction_body: transfer,
  wait_for_expiry: false,
  ...changes,
});
const network = networkAt("http://127.0.0.1:1");
const read = (changes: Readonly<Record<string, unknown>> = {}) => readSchedule(record(changes), network);

function row(from: LedgerRow, ...labels: readonly string[]): LedgerRow {
  return labels.reduce((at, label) => {
    const child = at.children?.find((one) => one.label === label);
    assert.ok(child, `${at.label} has no row ${label}`);
    return child;
  }, from);
}

describe("A schedule's state", () => {
  const state = (changes: Readonly<Record<string, unknown>>, offset = 0) =>
    scheduleState(read(changes), NOW + offset);

  it("is expired 31 minutes after its creation, or one minute after its expiration time", () => {
    const created = { consensus_timestamp: seconds(0) };
    assert.equal(state(created, 31 * 60_000 - 1), "pending");
    assert.equal(state(created, 31 * 60_000), "expired");
    const expiring = { consensus_timestamp: seconds(-86_400), expiration_time: seconds(3600) };
    assert.equal(state(expiring, 3_660_000 - 1), "pending");
    assert.equal(state(expiring, 3_660_000), "expired");
    // To the nanosecond.
    assert.equal(state({ consensus_timestamp: `${NOW / 1000}.000000001` }, 31 * 60_000), "pending");
  });

  it("is executed before deleted before expired", () => {
    const old = { consensus_timestamp: "1.0" };
    assert.equal(state({ ...old, executed_timestamp: seconds(-1), deleted: true }), "executed");
    assert.equal(state({ ...old, deleted: true }), "deleted");
    assert.equal(state({ consensus_timestamp: null }), "pending");
  });

  it("counts down to its end", () => {
    const text = (changes: Readonly<Record<string, unknown>>) => stateText(read(changes), NOW);
    assert.equal(text({ consensus_timestamp: seconds(-4 * 60) }), "pending, expires in 26 min");
    assert.equal(
      text({ expiration_time: seconds(3 * 3600 + 300), wait_for_expiry: true }),
      "pending, runs in 3 h 5 min",
    );
    assert.equal(text({ expiration_time: seconds(61.5 * 86_400) }), "pending, expires in 61 days 12 h");
    assert.equal(text({ expiration_time: seconds(-30) }), "pending, expires now");
    assert.equal(text({ expiration_time: "whenever" }), "pending, end unknown");
    assert.equal(text({ deleted: true }), "deleted");
    assert.equal(text({ consensus_timestamp: seconds(-90 * 60) }), "expired 1 h ago");
    assert.equal(text({ expiration_time: seconds(-2 * 86_400) }), "expired 2 days ago");
    assert.equal(timeLeft(read({ expiration_time: `${NOW / 1000 + 1}.5` }), NOW), 1500);
  });
});

describe("A schedule", () => {
  it("says what it will do, who asked for it and who signed", async () => {
    const body = JSON.stringify(record());
    const { service, server } = await startLedger(() => body, stops);
    const { schedule, state, text } = await service.schedule("700");
    assert.deepEqual(server.asked, ["/api/v1/schedules/0.0.700"]);
    assert.equal(state, "pending");
    assert.equal(text, body);
    const shown = scheduleRow(schedule, NOW);
    assert.equal(shown.label, "Schedule 0.0.700");
    assert.equal(shown.description, "pending, expires in 29 min · crypto transfer · 1 signature");
    assert.equal(row(shown, "Transaction", "0.0.5").description, "gives 1.5 ℏ");
    assert.equal(row(shown, "Transaction", "0.0.6").description, "gets 1.5 ℏ");
    assert.equal(row(shown, "Transaction", "Highest fee").description, "2 ℏ");
    assert.equal(row(shown, "Transaction", "Memo").description, "rent");
    assert.equal(row(shown, "Memo").description, "for January");
    assert.equal(row(shown, "Creator").opens?.canonical, "0.0.88");
    assert.equal(row(shown, "Admin key").description, "none · it can't be deleted");
    assert.equal(row(shown, "Signatures", "ED25519").copyText, "abcd");
  });

  it("names the call that it will make", async () => {
    const input = Buffer.from(encoded("setPrice(uint256)", [5_000n]).slice(2), "hex");
    const call = bytesOf(3, Buffer.concat([entityOf(1, "0.0.4242"), bytesOf(4, input)]));
    const schedule = read({ transaction_body: Buffer.from(call).toString("base64") });
    const action = scheduledAction(schedule);
    assert.ok(action);
    const names = await new ActionNamer(network, [
      {
        certainty: "workspace",
        definitions: (_kind, selector) =>
          Promise.resolve(
            selector === encoded("setPrice(uint256)", [0n]).slice(0, 10)
              ? [{ abi: "function setPrice(uint256 price)" }]
              : [],
          ),
        contractName: () => Promise.resolve({ name: "Shop" }),
      },
    ]).name(action);
    const shown = scheduleRow(schedule, NOW, { call: names });
    assert.match(shown.description ?? "", /^pending, expires in 29 min · Shop\.setPrice · /);
    const { description } = row(shown, "Transaction", "Function");
    assert.equal(description, "setPrice(price: 5,000)");
    assert.match(
      row(scheduleRow(schedule, NOW), "Transaction", "Function").description ?? "",
      /^0x[0-9a-f]{8}$/,
    );
  });

  it("that expired says when, and who had not signed by then", async () => {
    const end = (one: LedgerRow) =>
      one.children
        ?.filter(({ id }) => id === "expiration")
        .map(({ label, description }) => [label, description]);
    const lapsed = record({ consensus_timestamp: seconds(-90 * 60), signatures: [] });
    const { service } = await startLedger((target) => {
      if (target === "/api/v1/schedules/0.0.700") return JSON.stringify(lapsed);
      return target === "/api/v1/accounts/0.0.5?transactions=false"
        ? JSON.stringify({ account: "0.0.5", key: { _type: "ED25519", key: "5a".repeat(32) } })
        : undefined;
    }, stops);
    const items = new LedgerItems({
      service,
      network: () => network,
      memory: { get: () => undefined, update: () => Promise.resolve() },
      namer: (of) => new ActionNamer(of, []),
      titleOf: (canonical, content) => contentRow(canonical, content, NOW),
    });
    stops.push(() => {
      items.dispose();
      return Promise.resolve();
    });
    const { item } = await items.open({ kind: "schedule", scheduleId: "0.0.700" });
    await eventually(() => {
      const content = items.get(item.id)?.content;
      assert.ok(content);
      const shown = contentRow("", content, NOW);
      assert.equal(
        shown.description,
        "expired 1 h ago · crypto transfer · 0 signatures · 0.0.5 has not signed",
      );
      assert.deepEqual(end(shown), [["Expired", "2025-12-31 23:00:00 UTC"]]);
    });
    // Of one that has its time yet the record need not say when that is over.
    assert.deepEqual(end(scheduleRow(read(), NOW)), [["Expires", "2026-01-01 00:29:00 UTC"]]);
    assert.deepEqual(end(scheduleRow(read({ deleted: true }), NOW)), []);
    const changes = scheduleRow(readSchedule(lapsed, network), NOW).changesAt ?? Infinity;
    assert.ok(changes <= NOW + 60_001, "a minute later it is 1 h 1 min");
  });

  it("says keys alike, short in the row and whole in the tooltip", () => {
    const signature = (type: string, hex: string) => ({
      type,
      public_key_prefix: Buffer.from(hex, "hex").toString("base64"),
    });
    const shown = scheduleRow(
      read({
        signatures: [
          signature("ED25519", "11".repeat(32)),
          signature("ECDSA_SECP256K1", `02${"ab".repeat(32)}`),
          signature("ED25519", "abcdef"),
          signature("CONTRACT", ""),
          signature("SOMETHING_NEW", "22".repeat(20)),
        ],
        admin_key: { _type: "ECDSA_SECP256K1", key: `02${"33".repeat(32)}` },
      }),
      NOW,
    );
    assert.deepEqual(
      row(shown, "Signatures").children?.map(({ label, description }) => [label, description]),
      [
        ["ED25519", "111111…1111"],
        ["ECDSA secp256k1", "02abab…abab"],
        ["ED25519", "abcdef"],
        ["Contract", ""],
        ["SOMETHING_NEW", "222222…2222"],
      ],
    );
    assert.deepEqual(row(shown, "Signatures", "ED25519").tooltip, ["11".repeat(32)]);
    assert.equal(row(shown, "Admin key").description, "ECDSA secp256k1 · 023333…3333");
    assert.equal(row(shown, "Admin key").copyText, `02${"33".repeat(32)}`);
  });

  it("shows a body that can't be decoded as hex", () => {
    const shown = (body: unknown) => row(scheduleRow(read({ transaction_body: body }), NOW), "Transaction");
    assert.equal(shown("AQECAgMD").description, "not decoded · 0x010102020303");
    assert.equal(shown("AQECAgMD").copyText, "0x010102020303");
    assert.equal(shown("%%").description, "not base64 · %%");
    assert.equal(shown(null).description, "not in the answer");
    assert.match(
      scheduleRow(read({ transaction_body: "AQECAgMD" }), NOW).description ?? "",
      /body not decoded/,
    );
  });

  it("tells what became of an executed one, which need not be success", async () => {
    const executed = seconds(-10);
    for (const [result, icon, words, own] of [
      ["SUCCESS", "pass", "executed", "succeeded"],
      [
        "INSUFFICIENT_PAYER_BALANCE",
        "error",
        "executed, but failed: insufficient payer balance",
        "insufficient payer balance",
      ],
      ["INVALID_TOKEN_ID", "error", "executed, but failed: invalid token ID", "invalid token ID"],
      [
        "FEE_SCHEDULE_FILE_PART_UPLOADED",
        "pass",
        "executed: fee schedule file part uploaded",
        "fee schedule file part uploaded",
      ],
      ["No such $(code)", "error", "executed, but failed: No such $ (code)", "No such $ (code)"],
    ] as const) {
      const hash = Buffer.alloc(48, 7).toString("base64");
      const { service, server } = await startLedger(
        (target) =>
          target.includes("/transactions")
            ? JSON.stringify({
                transactions: [{ result, transaction_hash: hash, transaction_id: "0.0.88-1-2" }],
              })
            : JSON.stringify(record({ executed_timestamp: executed })),
        stops,
      );
      const { schedule, state } = await service.schedule("0.0.700");
      assert.equal(state, "executed");
      const outcome = await service.scheduleResult(schedule);
      assert.equal(server.asked[1], `/api/v1/transactions?timestamp=${executed}`);
      const shown = scheduleRow(schedule, NOW, outcome && { result: outcome });
      assert.equal(shown.icon, icon);
      assert.equal(shown.description, `${words} · crypto transfer · 1 signature`);
      assert.equal(row(shown, "Result").description, own);
      assert.equal(row(shown, "Result").copyText, result);
      assert.match(String(row(shown, "Result").tooltip), new RegExp(result.split("$")[0] ?? ""));
      assert.deepEqual(row(shown, "Result").opens, {
        kind: "transaction",
        canonical: `0x${"07".repeat(32)}`,
      });
    }
    const { service, server, network: asked } = await startLedger(() => '{"transactions":[]}', stops);
    const gone = readSchedule(record({ executed_timestamp: executed }), asked);
    assert.equal(await service.scheduleResult(gone), undefined);
    const never = readSchedule(record({ executed_timestamp: "12345678901.0" }), asked);
    assert.equal(await service.scheduleResult(never), undefined);
    assert.equal(server.asked.length, 1, "the ledger is asked for no moment that it can't have");
    assert.equal(await service.scheduleResult(read()), undefined);
  });
});

describe("The list of schedules", () => {
  it("is newest first, by creator, page by page, each schedule once", async () => {
    const page = (ids: readonly number[], next: string | null) =>
      JSON.stringify({
        schedules: ids.map((id) => record({ schedule_id: `0.0.${id}` })),
        links: { next },
      });
    const { service, server } = await startLedger(
      (target) =>
        target.includes("lt:")
          ? page([701, 700], null)
          : page([703, 702, 701], "/api/v1/schedules?limit=25&order=desc&schedule.id=lt:0.0.702"),
      stops,
    );
    const list = await service.schedules({ accountId: "0x0000000000000000000000000000000000000058" });
    assert.deepEqual(server.asked, ["/api/v1/schedules?account.id=0.0.88&limit=25&order=desc"]);
    assert.equal(list.complete, false);
    assert.equal(list.schedules.length, 3);
    await list.pages.loadMore();
    assert.deepEqual(
      list.schedules.map(({ scheduleId }) => scheduleId),
      ["0.0.703", "0.0.702", "0.0.701", "0.0.700"],
    );
    assert.equal(list.toRecord().complete, true);
    await assert.rejects(service.schedules({ limit: 101 }), { code: "invalid_parameter" });
    await assert.rejects(service.schedules({ order: "up" as "asc" }), { code: "invalid_parameter" });
    await assert.rejects(service.schedules({ accountId: "0.0.5@1.5" }), { code: "invalid_parameter" });
    assert.equal(server.asked.length, 2);
  });
});
