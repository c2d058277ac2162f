import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { actionInFull, actionRow } from "../../../src/core/ledger/actions/actionRows.ts";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { readSchedule } from "../../../src/core/ledger/schedules/schedule.ts";
import { movedTokens, scheduleRow } from "../../../src/core/ledger/schedules/scheduleRows.ts";
import { readToken } from "../../../src/core/ledger/tokens/token.ts";
import { tokenRow } from "../../../src/core/ledger/tokens/tokenRows.ts";
import type { LedgerRow } from "../../../src/core/rows/ledgerRow.ts";
import { bytesOf, entityOf, integerOf, zigzagOf } from "../../sandbox/ledger/protobufEncoder.ts";
import { addressOf, encoded, treeOf } from "./actions.ts";
import { NOW } from "./loopbackLedger.ts";

const network = networkAt("http://127.0.0.1:1");

/** What the rows below one open, as "label: kind id", the deepest behind those above them. */
function openings({ children = [] }: LedgerRow): string[] {
  return children.flatMap((row) => [
    ...(row.opens ? [`${row.label}: ${row.opens.kind} ${row.opens.canonical}`] : []),
    ...openings(row),
  ]);
}

const protobufKey = (key: Uint8Array) => ({
  _type: "ProtobufEncoded",
  key: Buffer.from(key).toString("hex"),
});

describe("An id in a row opens what it names", () => {
  it("of a token: treasury, keys of contracts, collectors of fees and what these are paid in", () => {
    const record = {
      token_id: "0.0.1",
      treasury_account_id: "0.0.10",
      auto_renew_account: "0.0.11",
      auto_renew_period: 7_776_000,
      admin_key: protobufKey(entityOf(1, "0.0.1234")),
      supply_key: protobufKey(
        bytesOf(6, bytesOf(1, entityOf(8, "0.0.9")), bytesOf(1, bytesOf(2, Buffer.alloc(32)))),
      ),
      custom_fees: {
        fixed_fees: [
          { amount: 150, collector_account_id: "0.0.21", denominating_token_id: "0.0.777" },
          { amount: 1, collector_account_id: "0.0.22", denominating_token_id: null },
        ],
        royalty_fees: [
          {
            amount: { numerator: 1, denominator: 20 },
            collector_account_id: "0.0.27",
            fallback_fee: { amount: 250, denominating_token_id: "0.0.777" },
          },
        ],
      },
    };
    const token = readToken(record, { network, tokenId: "0.0.1", text: "" }, new Map());
    assert.deepEqual(openings(tokenRow(token)), [
      "Treasury: account 0.0.10",
      "Admin: contract 0.0.1234",
      "Key 1: contract 0.0.9",
      "Fixed: account 0.0.21",
      "Paid in: token 0.0.777",
      "Fixed: account 0.0.22",
      "Royalty: account 0.0.27",
      "Paid in: token 0.0.777",
      "Auto-renew: account 0.0.11",
    ]);
  });

  it("of a schedule: creator, payer, whose tokens move to whom, and what is called", () => {
    const amount = (account: string, units: bigint) => bytesOf(2, entityOf(1, account), zigzagOf(2, units));
    const schedule = (body: Uint8Array) =>
      readSchedule(
        {
          schedule_id: "0.0.700",
          creator_account_id: "0.0.88",
          payer_account_id: "0.0.89",
          transaction_body: Buffer.from(body).toString("base64"),
        },
        network,
      );
    const nft = bytesOf(3, entityOf(1, "0.0.5"), entityOf(2, "0.0.6"), integerOf(3, 7n));
    const moves = bytesOf(
      9,
      bytesOf(2, entityOf(1, "0.0.77"), amount("0.0.5", -1n), amount("0.0.6", 1n), nft),
    );
    const parties = ["Creator: account 0.0.88", "Payer: account 0.0.89"];
    assert.deepEqual(openings(scheduleRow(schedule(moves), NOW)), [
      "0.0.5: account 0.0.5",
      "Token: token 0.0.77",
      "0.0.6: account 0.0.6",
      "Token: token 0.0.77",
      "NFT 0.0.77 #7: token 0.0.77",
      "From: account 0.0.5",
      "To: account 0.0.6",
      ...parties,
    ]);
    // An NFT by its collection, an amount by its token.
    const known = { denominations: new Map([["0.0.77", { decimals: 0, symbol: "ART" }]]) };
    assert.deepEqual(movedTokens(schedule(moves)), ["0.0.77"]);
    assert.ok(
      openings(scheduleRow(schedule(moves), NOW, known)).includes("NFT ART (0.0.77) #7: token 0.0.77"),
    );
    const alone = schedule(bytesOf(9, bytesOf(2, entityOf(1, "0.0.78"), nft)));
    assert.deepEqual(movedTokens(alone), ["0.0.78"]);
    // A token answers calls as well as a contract: the ledger tells which it is.
    const call = bytesOf(3, entityOf(1, "0.0.4242"), bytesOf(4, Buffer.alloc(4)));
    assert.deepEqual(openings(scheduleRow(schedule(call), NOW)), ["Contract: entity 0.0.4242", ...parties]);
  });

  it("of a call: the contract, the account or the token, and nothing of what is part of the network", async () => {
    const token = addressOf(0x4d2);
    const input = `0x618dc65e${token.slice(2)}${encoded("totalSupply()", []).slice(2)}`;
    const opens = async (action: object) => {
      const tree = treeOf({ depth: 0, ...action });
      const names = await new ActionNamer(network, []).name(tree.actions[0] ?? {});
      return actionRow(tree, 0, names).opens;
    };
    const address = `0x${"ab".repeat(20)}`;
    assert.deepEqual(await opens({ to: address, recipient: "0.0.1007", recipient_type: "CONTRACT" }), {
      kind: "account",
      canonical: "0.0.1007",
    });
    assert.deepEqual(await opens({ to: address, recipient: null, recipient_type: null }), {
      kind: "entity",
      canonical: address,
    });
    assert.deepEqual(await opens({ to: addressOf(0x167), input, recipient: "0.0.359" }), {
      kind: "token",
      canonical: "0.0.1234",
    });
    assert.equal(await opens({ to: addressOf(0x167), recipient: "0.0.359" }), undefined);
    assert.equal(await opens({ to: null, recipient: "not an id" }), undefined);
  });

  it("of a call in full: what it came from, what it called, and the token that it was handed on to", async () => {
    const token = addressOf(0x4d2);
    const input = `0x618dc65e${token.slice(2)}${encoded("totalSupply()", []).slice(2)}`;
    const opens = async (action: object) => {
      const tree = treeOf({ depth: 0, ...action });
      const names = await new ActionNamer(network, []).name(tree.actions[0] ?? {});
      return actionInFull(tree, 0, names).flatMap((line) =>
        typeof line === "string" ? [] : [`${line.label}: ${line.value} → ${line.opens ?? "nothing"}`],
      );
    };
    const address = `0x${"ab".repeat(20)}`;
    assert.deepEqual(await opens({ to: address, recipient: "0.0.1007" }), [
      "From: 0.0.100 · ACCOUNT → 0.0.100",
      `To: 0.0.1007 · CONTRACT · ${address} → 0.0.1007`,
    ]);
    assert.deepEqual(
      await opens({ caller: null, from: address, to: null, recipient: null, recipient_type: null }),
      [`From: ACCOUNT · ${address} → ${address}`],
    );
    assert.deepEqual(await opens({ to: addressOf(0x167), input, recipient: "0.0.359" }), [
      "From: 0.0.100 · ACCOUNT → 0.0.100",
      "To: 0.0.359 · CONTRACT · Hedera Token Service → nothing",
      "Token: 0.0.1234 → 0.0.1234",
    ]);
  });
});
