import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { writeOpenedItems, type OpenedItem } from "../../../src/core/ledger/openedItems.ts";
import { rememberChain } from "../../../src/editor/lastChains.ts";
import { isHederaUsed } from "../../../src/editor/status/hederaUse.ts";

/** What the editor keeps. */
function memento() {
  const kept = new Map<string, unknown>();
  return {
    keys: () => [...kept.keys()],
    get: (name: string) => kept.get(name),
    update: (name: string, value: unknown) => {
      kept.set(name, value);
      return Promise.resolve();
    },
  };
}

const TOKEN: OpenedItem = {
  kind: "token",
  networkId: "testnet",
  canonical: "0.0.5001",
  pinned: false,
  label: "Token",
  description: "",
};

describe("Whether Hedera is used", () => {
  it("is told by the chains of verifications: not by one on Ethereum, but by one on a network of Hedera", async () => {
    const [items, memory] = [memento(), memento()];
    assert.equal(isHederaUsed({ items, chains: memory }), false);
    await rememberChain({ memory }, "1");
    assert.equal(isHederaUsed({ items, chains: memory }), false);
    await rememberChain({ memory }, "296");
    await rememberChain({ memory }, "11155111");
    assert.equal(isHederaUsed({ items, chains: memory }), true);
  });

  it("is told by what is open in the Ledger view", async () => {
    const [items, chains] = [memento(), memento()];
    await writeOpenedItems(items, [TOKEN]);
    assert.equal(isHederaUsed({ items, chains }), true);
    await writeOpenedItems(items, []);
    assert.equal(isHederaUsed({ items, chains }), false);
  });
});
