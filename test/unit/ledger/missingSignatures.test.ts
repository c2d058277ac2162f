import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { accountHolder } from "../../../src/core/ledger/schedules/keyHolders.ts";
import { signerOf } from "../../../src/core/ledger/schedules/missingSignatures.ts";
import { readSchedule } from "../../../src/core/ledger/schedules/schedule.ts";
import { scheduleRow } from "../../../src/core/ledger/schedules/scheduleRows.ts";
import type { LedgerRow } from "../../../src/core/rows/ledgerRow.ts";
import type { LedgerKey } from "../../../src/core/ledger/tokens/ledgerKey.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { NOW, startLedger } from "./loopbackLedger.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const A = "5a".repeat(32);
const B = "6b".repeat(32);
const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");
const record = (...signed: readonly string[]) => ({
  schedule_id: "0.0.7711",
  creator_account_id: "0.0.2002",
  payer_account_id: "0.0.2003",
  consensus_timestamp: `${NOW / 1_000 - 60}.000000001`,
  deleted: false,
  signatures: signed.map((hex) => ({ type: "ED25519", public_key_prefix: base64(hex) })),
});
const ed = (hex: string): LedgerKey => ({ kind: "ed25519", hex });

describe("The signatures that a schedule lacks", () => {
  const network = networkAt("http://127.0.0.1:5551");
  const of = (key: LedgerKey | undefined, ...signed: readonly string[]) => {
    const { state, missing } = signerOf(
      accountHolder("0.0.2003"),
      key,
      readSchedule(record(...signed), network),
    );
    return [state, missing.length];
  };

  it("are told by the keys of those that have to sign, prefixes of a few bytes included", () => {
    assert.deepEqual(of(ed(A)), ["missing", 1]);
    assert.deepEqual(of(ed(A), "6b6b"), ["missing", 1]);
    assert.deepEqual(of(ed(A), "5a5a"), ["signed", 0]);
    assert.deepEqual(of({ kind: "list", keys: [ed(A), ed(B)] }, A), ["missing", 1]);
    assert.deepEqual(of({ kind: "threshold", threshold: 1, keys: [ed(A), ed(B)] }, B), ["signed", 0]);
  });

  it("are unknown where a contract may sign, or no key can be had", () => {
    const contract: LedgerKey = { kind: "contract", id: "0.0.9" };
    assert.deepEqual(of(contract), ["unknown", 0]);
    assert.deepEqual(of({ kind: "threshold", threshold: 1, keys: [ed(A), contract] }), ["unknown", 0]);
    assert.deepEqual(of({ kind: "list", keys: [] }), ["missing", 0]);
    assert.deepEqual(of(undefined), ["unknown", 0]);
  });

  const C = "77".repeat(32);
  const rowOf = (key: LedgerKey, ...signed: readonly string[]) => {
    const schedule = readSchedule(record(...signed), network);
    const row = scheduleRow(schedule, NOW, { signers: [signerOf(accountHolder("0.0.2003"), key, schedule)] });
    const signer = row.children?.find(({ label }) => label === "0.0.2003");
    assert.ok(signer);
    return { row, signer };
  };
  const texts = (rows: readonly LedgerRow[] = []): unknown[] =>
    rows.map(({ label, description, children }) => [label, description, ...texts(children)]);

  it("of a threshold are as many as it still needs, and it has signed in part", () => {
    const two: LedgerKey = { kind: "threshold", threshold: 2, keys: [ed(A), ed(B), ed(C)] };
    const { row, signer } = rowOf(two, A);
    assert.match(row.description ?? "", /1 signature · 0\.0\.2003 has signed in part$/);
    assert.equal(signer.description, "has signed in part");
    assert.deepEqual(texts(signer.children), [
      [
        "1 of these 2 is missing",
        "2 of 3, 1 given",
        ["Key", "ED25519 · 6b6b6b…6b6b"],
        ["Key", "ED25519 · 777777…7777"],
      ],
    ]);
    assert.deepEqual(texts(rowOf(two).signer.children)[0], [
      "2 of these 3 are missing",
      "2 of 3, 0 given",
      ["Key", "ED25519 · 5a5a5a…5a5a"],
      ["Key", "ED25519 · 6b6b6b…6b6b"],
      ["Key", "ED25519 · 777777…7777"],
    ]);
  });

  it("of lists and thresholds within each other are no more than what is still needed", () => {
    const one: LedgerKey = { kind: "threshold", threshold: 1, keys: [ed(A), ed(B)] };
    const both: LedgerKey = { kind: "list", keys: [ed(A), ed(B)] };
    // The rule within is met, so that the key beside it is all that is missing.
    assert.deepEqual(texts(rowOf({ kind: "list", keys: [one, ed(C)] }, B).signer.children), [
      ["Missing", "ED25519 · 777777…7777"],
    ]);
    // Of a rule all of which is needed each key is.
    assert.deepEqual(
      texts(rowOf({ kind: "threshold", threshold: 2, keys: [both, ed(C)] }, A).signer.children),
      [
        ["Missing", "ED25519 · 6b6b6b…6b6b"],
        ["Missing", "ED25519 · 777777…7777"],
      ],
    );
    assert.deepEqual(
      texts(rowOf({ kind: "threshold", threshold: 1, keys: [both, ed(C)] }, A).signer.children),
      [
        [
          "1 of these 2 is missing",
          "1 of 2, 0 given",
          ["Key", "ED25519 · 6b6b6b…6b6b"],
          ["Key", "ED25519 · 777777…7777"],
        ],
      ],
    );
    assert.deepEqual(texts(rowOf({ kind: "threshold", threshold: 1, keys: [both, ed(C)] }).signer.children), [
      [
        "1 of these 2 is missing",
        "1 of 2, 0 given",
        [
          "These 2 are missing",
          "2 of 2, 0 given",
          ["Key", "ED25519 · 5a5a5a…5a5a"],
          ["Key", "ED25519 · 6b6b6b…6b6b"],
        ],
        ["Key", "ED25519 · 777777…7777"],
      ],
    ]);
    const contract: LedgerKey = { kind: "contract", id: "0.0.9" };
    assert.deepEqual(
      texts(rowOf({ kind: "threshold", threshold: 2, keys: [ed(A), ed(B), contract] }).signer.children),
      [
        [
          "2 of these 3 are missing",
          "2 of 3, 0 given",
          ["Key", "ED25519 · 5a5a5a…5a5a"],
          ["Key", "ED25519 · 6b6b6b…6b6b"],
          ["Unknown", "Contract · 0.0.9"],
        ],
      ],
    );
  });

  it("of a contract, or of a key that can't be had, are said to be unknown", () => {
    const { signer, row } = rowOf({ kind: "contract", id: "0.0.9" });
    assert.equal(signer.description, "unknown: a contract may sign for it");
    assert.deepEqual(texts(signer.children), [["Key", "Contract · 0.0.9"]]);
    assert.match(row.description ?? "", /0 signatures$/);
    const schedule = readSchedule(record(), network);
    const unheard = scheduleRow(schedule, NOW, {
      signers: [signerOf(accountHolder("0.0.2003"), undefined, schedule)],
    });
    assert.equal(
      unheard.children?.find(({ label }) => label === "0.0.2003")?.description,
      "unknown: its key was not found",
    );
  });

  it("are asked of the ledger, account by account, and stand in the schedule's rows", async () => {
    const { service } = await startLedger((target) => {
      if (target === "/api/v1/schedules/0.0.7711") return JSON.stringify(record(B));
      if (target === "/api/v1/accounts/0.0.2003?transactions=false")
        return JSON.stringify({ account: "0.0.2003", key: { _type: "ED25519", key: A } });
      return undefined;
    }, stops);
    const { schedule } = await service.schedule("0.0.7711");
    const signers = await service.signers(schedule);
    const row = scheduleRow(schedule, NOW, { signers });
    assert.match(row.description ?? "", /^pending, expires in .*1 signature · 0\.0\.2003 has not signed$/);
    const signer = row.children?.find(({ label }) => label === "0.0.2003");
    assert.equal(signer?.description, "has not signed");
    assert.deepEqual(signer.opens, { kind: "account", canonical: "0.0.2003" });
    assert.deepEqual(
      signer.children?.map(({ label, description, copyText }) => [label, description, copyText]),
      [["Missing", `ED25519 · ${A.slice(0, 6)}…${A.slice(-4)}`, A]],
    );
  });
});
