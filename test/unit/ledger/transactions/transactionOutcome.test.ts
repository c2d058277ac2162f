import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { ActionNamer } from "../../../../src/core/ledger/actions/actionNames.ts";
import { contentRow } from "../../../../src/core/ledger/itemRows.ts";
import { LedgerItems } from "../../../../src/core/ledger/ledgerItems.ts";
import { StandardNames } from "../../../../src/core/ledger/names/standardNames.ts";
import { transactionPage } from "../../../../src/core/ledger/transactions/transactionPage.ts";
import { eventually } from "../../../rig/eventually.ts";
import { action, addressOf, encoded } from "../actions.ts";
import { NOW, startLedger } from "../loopbackLedger.ts";

const ID = "0.0.1001-1699999997-000000001";
const MOMENT = "1700000000.000000001";
const ACTIONS = `/contracts/results/${ID}/actions`;
const RESULTS = `/contracts/results/${ID}`;
const TRANSACTION = `/transactions/${ID}`;

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});

/** A transaction that was opened in the sidebar, of a ledger that answers so to each path. */
async function openedOf(answers: Readonly<Record<string, unknown>>) {
  const ledger = await startLedger((target) => {
    const path = target.replace("/api/v1", "").replace(/\?.*/, "");
    return answers[path] === undefined ? undefined : JSON.stringify(answers[path]);
  }, stops);
  const items = new LedgerItems({
    service: ledger.service,
    network: () => ledger.network,
    memory: { get: () => undefined, update: () => Promise.resolve() },
    namer: (of) => new ActionNamer(of, [new StandardNames()]),
    titleOf: (canonical, content) => contentRow(canonical, content, NOW),
  });
  stops.push(() => {
    items.dispose();
    return Promise.resolve();
  });
  const { item } = await items.open({ kind: "transaction", transaction: ID });
  const content = () => {
    const found = items.get(item.id)?.content;
    assert.equal(found?.kind, "transaction");
    return found;
  };
  return {
    row: () => contentRow(item.canonical, content(), NOW),
    kept: () => items.get(item.id)?.label,
    asked: () => ledger.server.asked.map((target) => target.replace("/api/v1", "").replace(/\?.*/, "")),
    /** What is done when its page is opened; what that says in its head. */
    openPage: async () => {
      const { actions, namer } = content();
      const record = await ledger.service.transactionRecord(actions);
      items.recordCame(item.id);
      for (const one of actions.tree.actions) await namer.name(one);
      const { canonical, tree, complete } = actions;
      const namesOf = (one: Parameters<typeof namer.known>[0]) => namer.known(one);
      return transactionPage({ canonical, networkName: "", tree, complete, namesOf, record, now: NOW })
        .headline;
    },
  };
}

const EMPTY = { actions: [], links: { next: null } };

describe("How a transaction ended, as its row and its page say it", () => {
  it("is told by its result where the ledger recorded no actions, which is asked for once", async () => {
    const opened = await openedOf({
      [ACTIONS]: EMPTY,
      [RESULTS]: {
        contract_id: "0.0.2000",
        error_message: encoded("Error(string)", ["Too little received"]),
        function_parameters: encoded("approve(address,uint256)", [addressOf(7), 5n]),
        result: "CONTRACT_REVERT_EXECUTED",
        timestamp: MOMENT,
        to: addressOf(2_000),
      },
    });
    const headline = 'Reverted: "Too little received" in 0.0.2000.approve';
    await eventually(() => assert.equal(opened.kept(), headline));
    assert.deepEqual([opened.row().label, opened.row().icon], [headline, "error"]);
    assert.equal(opened.row().description, "transaction 0.0.1001@…000001 · no contract actions");
    // Something was called.
    assert.doesNotMatch(opened.row().children?.[0]?.tooltip?.join() ?? "", /called no contract/);
    assert.deepEqual(opened.asked(), [ACTIONS, RESULTS]);
    assert.equal(await opened.openPage(), headline);
    assert.equal(opened.asked().filter((path) => path === RESULTS).length, 1);
  });

  it("is told of what called no contract by its record, with what it was", async () => {
    const transactions = [{ consensus_timestamp: MOMENT, name: "CRYPTOTRANSFER", result: "SUCCESS" }];
    const opened = await openedOf({ [ACTIONS]: EMPTY, [TRANSACTION]: { transactions } });
    await eventually(() => assert.equal(opened.kept(), "Succeeded: crypto transfer"));
    assert.deepEqual([opened.row().icon, opened.row().color], ["pass", "passed"]);
    assert.equal(opened.row().description, "transaction 0.0.1001@…000001 · no contract called");
    assert.deepEqual(
      opened.row().children?.map(({ label }) => label),
      ["This transaction called no contract (crypto transfer)."],
    );
    assert.equal(await opened.openPage(), "Succeeded: crypto transfer");
    assert.deepEqual(opened.asked(), [ACTIONS, RESULTS, TRANSACTION], "the page asks for nothing again");
    const failed = [{ consensus_timestamp: MOMENT, name: "TOKENMINT", result: "INVALID_TOKEN_ID" }];
    const refused = await openedOf({ [ACTIONS]: EMPTY, [TRANSACTION]: { transactions: failed } });
    await eventually(() => assert.equal(refused.kept(), "Failed: invalid token ID"));
    assert.match(refused.row().tooltip?.join("\n") ?? "", /\(INVALID_TOKEN_ID\)$/);
  });

  it("is told of what the network refused before it ran as that, and not as too old for its calls to be recorded", async () => {
    const refused = [{ consensus_timestamp: MOMENT, name: "ETHEREUMTRANSACTION", result: "WRONG_NONCE" }];
    const opened = await openedOf({ [ACTIONS]: EMPTY, [TRANSACTION]: { transactions: refused } });
    await eventually(() => assert.equal(opened.kept(), "Failed: wrong nonce"));
    assert.deepEqual(
      opened.row().children?.map(({ label }) => label),
      [
        "Nothing was executed: the network refused this transaction before it called a contract (wrong nonce).",
      ],
    );
  });

  it("is told of value that went to an account, where no code ran", async () => {
    const opened = await openedOf({
      [ACTIONS]: EMPTY,
      [RESULTS]: {
        amount: 5,
        function_parameters: "0x",
        result: "SUCCESS",
        timestamp: MOMENT,
        to: addressOf(1_002),
      },
    });
    await eventually(() => assert.equal(opened.kept(), "Succeeded: transfer to 0.0.1002"));
    assert.equal(await opened.openPage(), "Succeeded: transfer to 0.0.1002");
  });

  it("names a call below that came back with nothing before its caller reverted without a reason", async () => {
    const transferFrom = encoded("transferFrom(address,address,uint256)", [addressOf(5), addressOf(6), 1n]);
    const opened = await openedOf({
      [ACTIONS]: {
        actions: [
          action({ recipient: "0.0.2000", input: "0xb6b55f25", result_data_type: "REVERT_REASON" }),
          action({ call_depth: 1, index: 1, recipient: "0.0.2001", input: transferFrom }),
        ],
        links: { next: null },
      },
    });
    const headline = "Reverted in 0.0.2000.0xb6b55f25: 0.0.2001.transferFrom returned nothing";
    await eventually(() => assert.equal(opened.kept(), headline));
    assert.deepEqual(opened.asked(), [ACTIONS], "the actions say it");
    assert.equal(await opened.openPage(), headline);
  });

  it("says what the caller reverted with and why, each once, where that began in a call of its own", async () => {
    const said = (text: string) => ({
      result_data: encoded("Error(string)", [text]),
      result_data_type: "REVERT_REASON",
    });
    const headlineOf = async (...calls: readonly Readonly<Record<string, unknown>>[]) => {
      const actions = calls.map((fields, at) =>
        action({ call_depth: at, index: at, recipient: `0.0.200${at}`, input: "0xb6b55f25", ...fields }),
      );
      const opened = await openedOf({ [ACTIONS]: { actions, links: { next: null } } });
      const page = await opened.openPage();
      await eventually(() => assert.equal(opened.kept(), page));
      return page;
    };
    const code = {
      result_data: `0x${(184).toString(16).padStart(64, "0")}`,
      result_data_type: "REVERT_REASON",
    };
    const tokenService = {
      call_operation_type: "CALL",
      call_type: "SYSTEM",
      to: addressOf(0x167),
      recipient: "0.0.359",
    };
    assert.equal(
      await headlineOf(said("Transfer Failed"), { ...tokenService, ...code }),
      'Reverted: "Transfer Failed" in 0.0.2000.0xb6b55f25: token not associated to account',
    );
    // A call between them that only passed it on is left out.
    assert.equal(
      await headlineOf(
        said("swap failed"),
        { result_data_type: "REVERT_REASON", result_data: "0x" },
        said("stale price"),
      ),
      'Reverted: "swap failed" in 0.0.2000.0xb6b55f25: "stale price" in 0.0.2002.0xb6b55f25',
    );
    assert.equal(
      await headlineOf(said("call failed"), { result_data_type: "REVERT_REASON", result_data: "0x" }),
      'Reverted: "call failed" in 0.0.2000.0xb6b55f25: reverted without a reason in 0.0.2001.0xb6b55f25',
    );
    assert.equal(
      await headlineOf(said("Oracle: stale price"), said("stale price")),
      'Reverted: "Oracle: stale price" in 0.0.2000.0xb6b55f25',
    );
    assert.equal(
      await headlineOf(said("stale price"), said("stale price")),
      'Reverted: "stale price" in 0.0.2001.0xb6b55f25',
      "passed on, it is told of where it began",
    );
  });

  it("reaches the row from the record that its page asked for", async () => {
    const opened = await openedOf({
      [ACTIONS]: {
        actions: [action({ result_data_type: null, timestamp: MOMENT })],
        links: { next: null },
      },
      [RESULTS]: { result: "CONSENSUS_GAS_EXHAUSTED", timestamp: MOMENT, to: addressOf(200) },
    });
    assert.equal(opened.row().label, "Transaction 0.0.1001@…000001");
    assert.equal(await opened.openPage(), "Failed: consensus gas exhausted");
    await eventually(() => assert.equal(opened.kept(), "Failed: consensus gas exhausted"));
    assert.equal(opened.row().icon, "error");
  });
});
