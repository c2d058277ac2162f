// What a page asks beside the actions of a transaction: each part by itself, whatever another one does.
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { ActionNamer } from "../../../../src/core/ledger/actions/actionNames.ts";
import type { NameSource } from "../../../../src/core/ledger/names/nameSource.ts";
import { BesideActions } from "../../../../src/core/ledger/transactions/besideActions.ts";
import { eventually } from "../../../rig/eventually.ts";
import { startLedger } from "../loopbackLedger.ts";

const HASH = `0x${"ab".repeat(32)}`;
const HANGING = `0x${"11".repeat(20)}`;
const NAMED = `0x${"22".repeat(20)}`;
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const LAYOUT = {
  storage: [{ label: "owner", slot: "0", offset: 0, type: "t_address" }],
  types: new Map([["t_address", { encoding: "inplace", label: "address", numberOfBytes: "20" }]]),
};

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});

const word = (hex: string) => `0x${hex.replace(/^0x/, "").padStart(64, "0")}`;
const log = (address: string) => ({
  address,
  topics: [TRANSFER, word(HANGING), word(NAMED)],
  data: word("5"),
});

async function begin({ logs }: { readonly logs: readonly object[] }) {
  const answers: Readonly<Record<string, unknown>> = {
    [`/contracts/results/${HASH}`]: {
      result: "SUCCESS",
      timestamp: "1700000000.000000001",
      logs,
      state_changes: [
        { address: HANGING, slot: "0x0", value_read: "0x0", value_written: "0x1" },
        { address: NAMED, slot: "0x0", value_read: "0x0", value_written: "0x1" },
      ],
    },
    [`/contracts/results/${HASH}/actions`]: { actions: [], links: { next: null } },
    "/transactions": {
      transactions: [
        {
          consensus_timestamp: "1700000000.000000001",
          result: "SUCCESS",
          transaction_id: "0.0.5-1700000000-000000000",
          token_transfers: [
            { token_id: "0.0.7", account: "0.0.5", amount: -1 },
            { token_id: "0.0.7", account: "0.0.6", amount: 1 },
          ],
        },
      ],
    },
    "/tokens/0.0.7": { token_id: "0.0.7", decimals: "2", symbol: "SEV" },
  };
  const ledger = await startLedger((target) => {
    const path = target.replace("/api/v1", "").replace(/\?.*/, "");
    return answers[path] === undefined ? undefined : JSON.stringify(answers[path]);
  }, stops);
  let [running, most] = [0, 0];
  const never = new Promise<never>(() => undefined);
  /** Of one contract it says nothing for ever, of any other at once. */
  const source: NameSource = {
    certainty: "verified",
    definitions: (kind, _selector, { address }) =>
      address === HANGING
        ? never
        : Promise.resolve(
            kind === "event"
              ? [{ abi: "event Transfer(address indexed from, address indexed to, uint256 value)" }]
              : [],
          ),
    contractName: async ({ address }) => {
      running++;
      most = Math.max(most, running);
      if (address === HANGING) await never;
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return { name: "Named" };
    },
    storageLayout: ({ address }) => (address === HANGING ? never : Promise.resolve(LAYOUT)),
  };
  const namer = new ActionNamer(ledger.network, [source]);
  const told: string[] = [];
  const closed = new AbortController();
  const beside = new BesideActions({
    service: ledger.service,
    actions: await ledger.service.actions(HASH),
    namer,
    recordCame: () => told.push("record"),
    changed: () => told.push("changed"),
    failed: (error) => assert.fail(String(error)),
  });
  void beside.lookUp(closed.signal);
  return { beside, told, closed, most: () => most };
}

describe("What is asked beside the actions of a transaction", () => {
  it("is there though one contract's names never come: other logs, other storage and the tokens", async () => {
    const { beside, told, closed } = await begin({ logs: [log(HANGING), log(NAMED), log(NAMED)] });
    await eventually(() => {
      assert.ok(told.includes("record"));
      assert.equal(beside.events.get(1)?.event?.name, "Transfer");
      assert.equal(beside.events.get(2)?.contract?.name, "Named");
      assert.equal(beside.layouts?.get(NAMED)?.length, 1);
      assert.equal(beside.denominations?.get("0.0.7")?.symbol, "SEV");
    });
    assert.equal(beside.events.has(0), false);
    assert.equal(beside.layouts?.has(HANGING), false);
    closed.abort();
  });

  it("names few logs at once, and tells each when it is named", async () => {
    const many = Array.from({ length: 60 }, (_, at) =>
      log(`0x${(at + 40).toString(16).repeat(20)}`.slice(0, 42)),
    );
    const { beside, told, closed, most } = await begin({ logs: many });
    await eventually(() => assert.equal(beside.events.size, 60));
    assert.ok(most() > 1 && most() <= 8, `${most()} at once`);
    assert.ok(told.filter((one) => one === "changed").length >= 60);
    closed.abort();
  });
});
