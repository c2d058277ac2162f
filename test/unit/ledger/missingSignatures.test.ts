import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { signerOf } from "../../../src/core/ledger/schedules/missingSignatures.ts";
import { readSchedule } from "../../../src/core/ledger/schedules/schedule.ts";
import { scheduleRow } from "../../../src/core/ledger/schedules/scheduleRows.ts";
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
    const { state, missing } = signerOf("0.0.2003", key, readSchedule(record(...signed), network));
    return [state, missing.length];
  };

  it("are told by the keys of those that have to sign, prefixes of a few bytes included", () => {
    assert.deepEqual(of(ed(A)), ["missing", 1]);
    assert.deepEqual(of(ed(A), "6b6b"), ["missing", 1]);
    assert.deepEqual(of(ed(A), "5a5a"), ["signed", 0]);
    assert.deepEqual(of({ kind: "list", keys: [ed(A), ed(B)] }, A), ["missing", 1]);
    assert.deepEqual(of({ kind: "threshold", threshold: 1, keys: [ed(A), ed(B)] }, B), ["signed", 0]);
    assert.deepEqual(of({ kind: "threshold", threshold: 2, keys: [ed(A), ed(B), ed("77".repeat(32))] }, A), [
      "missing",
      2,
    ]);
  });

  it("are unknown where a contract may sign, or no key can be had", () => {
    const contract: LedgerKey = { kind: "contract", id: "0.0.9" };
    assert.deepEqual(of(contract), ["unknown", 0]);
    assert.deepEqual(of({ kind: "threshold", threshold: 1, keys: [ed(A), contract] }), ["unknown", 0]);
    assert.deepEqual(of({ kind: "threshold", threshold: 2, keys: [ed(A), ed(B), contract] }), ["missing", 2]);
    assert.deepEqual(of({ kind: "list", keys: [] }), ["missing", 0]);
    assert.deepEqual(of(undefined), ["unknown", 0]);
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
