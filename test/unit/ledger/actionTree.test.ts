import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { actionRow } from "../../../src/core/ledger/actions/actionRows.ts";
import { transactionRow } from "../../../src/core/ledger/transactions/transactionRow.ts";
import {
  buildActionTree,
  childrenOf,
  failingPath,
  isCaught,
  nestedActions,
  NONE,
  ownGas,
  type ActionTree,
} from "../../../src/core/ledger/actions/actionTree.ts";
import { random } from "../random.ts";
import { action, reverted, treeOf } from "./actions.ts";

const at = (index: unknown, depth: unknown) => action({ index, call_depth: depth });
const indexes = (tree: ActionTree) => tree.actions.map(({ index }) => index);
const parents = (tree: ActionTree) => Array.from(tree.parent);

describe("The nesting of actions", () => {
  it("is that of their depths in order of execution", () => {
    const tree = buildActionTree([at(0, 0), at(1, 1), at(2, 2), at(3, 2), at(4, 1)]);
    assert.deepEqual(parents(tree), [NONE, 0, 1, 1, 0]);
    assert.deepEqual(childrenOf(tree, 0), [1, 4]);
    assert.deepEqual(nestedActions(tree), [
      {
        position: 0,
        children: [
          {
            position: 1,
            children: [
              { position: 2, children: [] },
              { position: 3, children: [] },
            ],
          },
          { position: 4, children: [] },
        ],
      },
    ]);
  });

  it("does not depend on where depths and indexes begin, nor on gaps and jumps", () => {
    // The mirror node's own fixtures begin with depth 1 and index 1.
    assert.deepEqual(parents(buildActionTree([at(1, 1), at(5, 2), at(9, 7), at(12, 3), at(13, 2)])), [
      NONE,
      0,
      1,
      1,
      0,
    ]);
    assert.deepEqual(buildActionTree([at(0, 3), at(1, 0), at(2, 1), at(3, 0)]).roots, [0, 1, 3]);
    assert.deepEqual(parents(buildActionTree([at(0, -5), at(1, "9223372036854775807"), at(2, 0)])), [
      NONE,
      0,
      0,
    ]);
  });

  it("is the same for pages that came newest first", () => {
    const asc = Array.from({ length: 50 }, (_, index) => at(index, index % 7));
    const expected = buildActionTree(asc);
    const desc = buildActionTree(asc.toReversed());
    assert.deepEqual([indexes(desc), parents(desc)], [indexes(expected), parents(expected)]);
    // Pages in any order, each with its own order.
    const mixed = buildActionTree([...asc.slice(30), ...asc.slice(0, 10), ...asc.slice(10, 30).toReversed()]);
    assert.deepEqual([indexes(mixed), parents(mixed)], [indexes(expected), parents(expected)]);
  });

  it("counts an action once that came twice, and keeps two that merely share an index", () => {
    const twice = [at(0, 0), at(1, 1), at(1, 1), at(2, 1), at(0, 0)];
    assert.deepEqual(indexes(buildActionTree(twice)), [0, 1, 2]);
    const shared = buildActionTree([at(0, 0), at(1, 1), action({ index: 1, call_depth: 1, gas: 5 })]);
    assert.deepEqual(indexes(shared), [0, 1, 1]);
  });

  it("takes actions without an index or depth where they stand", () => {
    const tree = buildActionTree([at(0, 0), at(undefined, 1), at(null, undefined), at(3, 1), at("x", {})]);
    assert.deepEqual(indexes(tree), [0, undefined, null, 3, "x"]);
    assert.deepEqual(parents(tree), [NONE, 0, 0, 0, 0]);
    assert.deepEqual(parents(buildActionTree([at(null, null), at(null, null)])), [NONE, NONE]);
  });

  it("is that of the nearest earlier action with a smaller depth, for any depths", () => {
    const { below } = random("nesting");
    for (let round = 0; round < 500; round++) {
      const depths = Array.from({ length: below(60) }, () => below(8));
      const tree = buildActionTree(depths.map((depth, index) => at(index, depth)));
      const expected = depths.map((depth, index) =>
        depths.findLastIndex((one, place) => place < index && one < depth),
      );
      assert.deepEqual(parents(tree), expected);
      for (const [child, parent] of expected.entries())
        if (parent !== NONE) assert.ok(childrenOf(tree, parent).includes(child));
    }
  });

  it("needs no stack for 1,024 levels and lists what is deeper at the last one", () => {
    const deep = buildActionTree(Array.from({ length: 5000 }, (_, index) => at(index, index)));
    let level = 0;
    for (let nodes = nestedActions(deep); nodes.length > 0; nodes = nodes[0]?.children ?? []) {
      level++;
      if (level === 1025) assert.equal(nodes.length, 5000 - 1024);
    }
    assert.equal(level, 1025);
  });
});

describe("Own gas", () => {
  it("is gas without that of the children, exact beyond 2^53", () => {
    const tree = treeOf(
      { depth: 0, gas_used: "9223372036854775807" },
      { depth: 1, gas_used: 78_338 },
      { depth: 1, gas_used: "9007199254740993" },
    );
    assert.equal(ownGas(tree, 0), String(9223372036854775807n - 78_338n - 9007199254740993n));
    assert.equal(ownGas(tree, 1), "78338");
  });

  it("is not stated where it would be negative or a figure is missing", () => {
    assert.equal(
      ownGas(treeOf({ depth: 0, gas_used: 13_279 }, { depth: 1, gas_used: 33_276 }), 0),
      undefined,
    );
    assert.equal(ownGas(treeOf({ depth: 0 }, { depth: 1, gas_used: null }), 0), undefined);
    assert.equal(ownGas(treeOf({ depth: 0, gas_used: null }), 0), undefined);
  });
});

describe("The failing path", () => {
  const fails = reverted("0x1234");

  it("leads from the failed call to where the failure began", () => {
    const tree = treeOf({ depth: 0, ...fails }, { depth: 1 }, { depth: 1, ...fails }, { depth: 2, ...fails });
    assert.deepEqual(failingPath(tree), [0, 2, 3]);
    const rows = [0, 1, 2, 3].map((place) => actionRow(tree, place, undefined));
    assert.deepEqual(
      rows.map(({ expanded, color }) => [expanded, color]),
      [
        [true, "error"],
        [false, undefined],
        [true, "error"],
        [true, "error"],
      ],
    );
    assert.match(rows[3]?.description ?? "", /^reverted here · /);
    assert.equal(rows[3]?.context, "action.origin");
  });

  it("is not led astray by a failure that was caught", () => {
    const tree = treeOf({ depth: 0, ...reverted("0xaa") }, { depth: 1, ...reverted("0xbb") }, { depth: 1 });
    assert.deepEqual(failingPath(tree), [0]);
    assert.match(actionRow(tree, 1, undefined).description ?? "", /, caught by 0\.0\.200\.receive · /);
    const passedOn = treeOf({ depth: 0, ...fails }, { depth: 1, ...fails }, { depth: 1 });
    assert.deepEqual(failingPath(passedOn), [0, 1]);
    const fine = treeOf({ depth: 0 }, { depth: 1, ...fails }, { depth: 2, ...fails });
    assert.deepEqual(failingPath(fine), []);
    assert.match(actionRow(fine, 1, undefined).description ?? "", /, caught by 0\.0\.200\.receive · /);
    // It was not the innermost caller that caught it.
    assert.doesNotMatch(actionRow(fine, 2, undefined).description ?? "", /caught/);
    assert.equal(isCaught(fine, 0), false);
  });

  it("goes through a call whose outcome was not recorded, and says nothing of catching there", () => {
    const unknown = { result_data_type: null, result_data: null };
    const tree = treeOf({ depth: 0, ...unknown }, { depth: 1 }, { depth: 1, ...fails });
    assert.deepEqual(failingPath(tree), [0, 2]);
    assert.deepEqual(failingPath(treeOf({ depth: 0, ...unknown }, { depth: 1, ...unknown })), []);
    const before = treeOf({ depth: 0, ...unknown }, { depth: 1, ...fails }, { depth: 1 });
    assert.deepEqual(failingPath(before), []);
    assert.doesNotMatch(actionRow(before, 1, undefined).description ?? "", /caught/);
  });

  it("is that of the last root that failed, and no other root was caught", () => {
    const tree = treeOf({ depth: 0, ...fails }, { depth: 0, ...fails }, { depth: 1, ...fails });
    assert.deepEqual(failingPath(tree), [1, 2]);
    assert.doesNotMatch(actionRow(tree, 0, undefined).description ?? "", /caught/);
  });
});

describe("The row of a transaction", () => {
  const transaction = { networkId: "testnet", networkName: "Hedera Testnet", canonical: "0.0.5-1-000000002" };
  const row = (tree: ActionTree, complete = true, isFiltered = false) =>
    transactionRow(transaction, tree, { complete, isFiltered });

  it("says where it failed, or that it went well", () => {
    const failing = treeOf(
      { depth: 0, ...reverted("0x") },
      { depth: 1, recipient: "0.0.7", ...reverted("0x") },
    );
    assert.equal(row(failing).label, "Reverted without a reason in 0.0.7.receive");
    assert.equal(row(failing).description, "transaction 0.0.5@…000002 · 2 actions");
    assert.equal(row(failing).icon, "error");
    const failedWith = (result_data: string) =>
      row(treeOf({ depth: 0, recipient: "0.0.7", result_data_type: "ERROR", result_data })).label;
    assert.equal(failedWith("INSUFFICIENT_GAS"), "Out of gas in 0.0.7.receive");
    assert.equal(failedWith("SOMETHING_NEW"), "Failed: SOMETHING_NEW in 0.0.7.receive");
    assert.equal(row(treeOf({ depth: 0 })).label, "Succeeded: 0.0.200.receive");
    assert.equal(row(treeOf({ depth: 0 })).description, "transaction 0.0.5@…000002 · 1 action");
    const child = { ...transaction, canonical: `${transaction.canonical}?scheduled/1` };
    assert.equal(
      transactionRow(child, treeOf({ depth: 0 }), { complete: true }).description,
      "transaction 0.0.5@…000002?scheduled/1 · 1 action",
    );
    assert.equal(row(treeOf({ depth: 0 }), false).label, "Succeeded: 0.0.200.receive");
    assert.equal(row(treeOf({ depth: 0 }), false).description, "transaction 0.0.5@…000002 · 1 action so far");
  });

  it("does not take a call that failed in the middle for the outcome, which the ledger tells", () => {
    const middle = treeOf({ depth: 1, ...reverted("0x") });
    const told = (result?: string) =>
      transactionRow(transaction, middle, {
        complete: true,
        isFiltered: true,
        ...(result !== undefined && { record: { execution: { result }, problems: [] } }),
      });
    assert.equal(told("SUCCESS").icon, "pass");
    assert.match(told("CONTRACT_REVERT_EXECUTED").label, /^Reverted/);
    assert.equal(told().label, "Transaction 0.0.5@…000002");
  });

  it("does not take the end of a list for the whole", () => {
    // The last page came first: the outermost call is not there yet.
    const part = row(treeOf({ depth: 2 }, { depth: 1 }), false);
    assert.equal(part.label, "Transaction 0.0.5@…000002");
    assert.equal(part.description, "2 actions so far");
    assert.equal(row(treeOf({ depth: 2 }), true, true).description, "1 action");
    assert.equal(row(treeOf({ depth: 1 }), true).label, "Succeeded: 0.0.200.receive");
  });

  it("says why there may be no actions, which is no error", () => {
    const empty = row(buildActionTree([]));
    assert.equal(empty.description, "no contract actions");
    assert.equal(empty.color, undefined);
    assert.match(
      empty.children?.[0]?.tooltip?.join("\n") ?? "",
      /plain transfer[^]*HIP-513[^]*off by default/,
    );
    assert.match(row(buildActionTree([]), true, true).children?.[0]?.label ?? "", /with these indexes/);
    assert.equal(row(buildActionTree([]), false).children, undefined);
  });
});
