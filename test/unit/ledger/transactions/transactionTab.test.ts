import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  transactionTabTitle,
  type TransactionTab,
} from "../../../../src/core/ledger/transactions/transactionTab.ts";

const tab = (seconds: number, changes: Partial<TransactionTab> = {}): TransactionTab => ({
  canonical: `0.0.1001-${seconds}-000000000`,
  networkName: "Hedera Testnet",
  ...changes,
});
const titles = (...tabs: readonly TransactionTab[]) => tabs.map((one) => transactionTabTitle(one, tabs));

describe("The tab of a transaction's page", () => {
  it("is called by the outcome, once that is known, and by the id", () => {
    assert.deepEqual(
      (["failed", "succeeded", "unknown"] as const).map((outcome) =>
        transactionTabTitle(tab(1_700_000_000, { outcome }), []),
      ),
      ["✕ Transaction 0.0.1001@…000000", "✓ Transaction 0.0.1001@…000000", "? Transaction 0.0.1001@…000000"],
    );
    assert.deepEqual(titles(tab(1_700_000_000)), ["Transaction 0.0.1001@…000000"]);
  });

  it("has the whole id where another open one would be called the same", () => {
    assert.deepEqual(
      titles(
        tab(1_700_000_000, { outcome: "failed" }),
        tab(1_700_000_007),
        tab(1_700_000_007, { canonical: "0.0.1001-1700000007-000000000?scheduled" }),
        tab(1_700_000_007, { canonical: "0.0.1002-1700000007-000000000" }),
      ),
      [
        "✕ Transaction 0.0.1001@1700000000.000000000",
        "Transaction 0.0.1001@1700000007.000000000",
        "Transaction 0.0.1001@…000000?scheduled",
        "Transaction 0.0.1002@…000000",
      ],
    );
    const [one, other] = ["0", "1"].map((digit) => `0x1234${digit.repeat(56)}cdef`);
    assert.ok(one !== undefined && other !== undefined);
    assert.deepEqual(titles(tab(0, { canonical: one }), tab(0, { canonical: other })), [
      `Transaction ${one}`,
      `Transaction ${other}`,
    ]);
  });

  it("has its network where another open one is of the same id", () => {
    assert.deepEqual(titles(tab(1_700_000_000), tab(1_700_000_000, { networkName: "Hedera Mainnet" })), [
      "Transaction 0.0.1001@…000000 · Hedera Testnet",
      "Transaction 0.0.1001@…000000 · Hedera Mainnet",
    ]);
  });
});
