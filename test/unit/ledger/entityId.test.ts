import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { readAs } from "../../../src/core/json/shape.ts";
import { shortTransaction } from "../../../src/core/ledger/actions/actionRows.ts";
import { isEntityId, openable, openablesWithin } from "../../../src/core/ledger/references/entityId.ts";
import { parseLedgerReference } from "../../../src/core/ledger/references/ledgerReference.ts";
import { isTransactionId } from "../../../src/core/ledger/references/transactionId.ts";
import { patienceMs } from "../../../src/core/ledger/requests/justSent.ts";
import { entityIdShape } from "../../../src/core/ledger/requests/ledgerShapes.ts";
import { rolesOf } from "../../../src/core/ledger/transactions/accountRoles.ts";
import { pageRequest } from "../../../src/core/ledger/transactions/pageRequest.ts";
import { readTransactions } from "../../../src/core/ledger/transactions/transactionRecord.ts";
import { NOW, startLedger } from "./loopbackLedger.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const IDS = ["0.0.5", "0.0.274877906943", "1023.65535.1", "0.0.0"];
const NONE = [
  "0.70000.5",
  "0.0.999999999999",
  "0.0.274877906944",
  "1024.0.5",
  "0.0.1234567890123",
  "0.5",
  "5",
  "",
];

describe("An id of an entity", () => {
  it("is drawn to be opened, taken from answers and asked for by the bounds by which it is read", async () => {
    const asked: string[] = [];
    const { service, network } = await startLedger((target) => {
      asked.push(target);
      return JSON.stringify({ token_id: target.split("/").at(-1), decimals: "2", symbol: "A" });
    }, stops);
    const uses = (id: string) => [
      openable(id) === id,
      openablesWithin(`to ${id}, and more`).some(({ canonical, start }) => canonical === id && start === 3),
      readAs(pageRequest, { type: "open", canonical: id }) !== undefined,
      readAs(entityIdShape, id) === id,
      isTransactionId(`${id}-1640084590-665216882`),
    ];
    for (const id of IDS) {
      assert.deepEqual(uses(id), Array(5).fill(true), id);
      assert.ok(!("error" in parseLedgerReference(id, network)), id);
    }
    for (const id of NONE) assert.deepEqual(uses(id), Array(5).fill(false), id);
    assert.deepEqual([...(await service.denominations(network, [...NONE, ...IDS], undefined)).keys()], IDS);
    assert.deepEqual(asked.map((target) => target.split("/").at(-1)).sort(), IDS.toSorted());
  });

  it("tells what an account of the network is for, and nothing where it is no id", () => {
    const roleOf = rolesOf(undefined);
    assert.deepEqual(["0.0.98", "0.0.800", "0.0.3"].map(roleOf), ["network fees", "staking rewards", "node"]);
    assert.deepEqual(["98", "0.70000.98", "0.0.1001"].map(roleOf), [undefined, undefined, undefined]);
  });

  it("is not looked for in a transaction's id, in a version in quotes or in a longer number", () => {
    for (const text of [
      "0.0.5-1640084590-1",
      "0.0.5@1640084590.1",
      '"0.8.30"',
      "0.0.5.6",
      "v0.0.5",
      "10.0.0.5",
    ])
      assert.deepEqual(openablesWithin(text), [], text);
    assert.equal(isEntityId("0.0.5 "), false);
  });
});

describe("An id of a transaction", () => {
  const [dashed, dotted] = ["0.0.5-1640084590-665216882", "0.0.5@1640084590.665216882"];

  it("is the same in a record of the ledger, in a row and in what is waited for, with as many digits as it may have", () => {
    const idIn = (id: string) =>
      readTransactions({ transactions: [{ transaction_id: id }] })?.[0]?.transaction_id;
    for (const id of [dashed, dotted, "0.0.5-1234567890123-1"]) {
      assert.equal(idIn(id), id);
      assert.match(shortTransaction(id), /^0\.0\.5@…\d+$/);
    }
    for (const id of [
      "0.0.999999999999-1640084590-1",
      "0.0.5-16400845900000000000-1",
      "0.0.5@1-2",
      `${dashed}/1`,
    ])
      assert.equal(idIn(id), undefined, id);
    assert.equal(shortTransaction(`${dashed}?scheduled/1`), "0.0.5@…216882?scheduled/1");
    const seconds = Math.floor(NOW / 1_000);
    assert.ok(patienceMs(`0.0.5-${seconds}-1`, NOW, false) > 0);
    assert.equal(patienceMs(`0.0.5-${seconds - 3_600}-1`, NOW, false), 0);
  });
});
