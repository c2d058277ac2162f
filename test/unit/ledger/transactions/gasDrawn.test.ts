import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { filterActions } from "../../../../src/core/ledger/actions/actionFilter.ts";
import { foundActions, searchWords } from "../../../../src/core/ledger/actions/actionSearch.ts";
import { NONE, ownGas, type ActionTree } from "../../../../src/core/ledger/actions/actionTree.ts";
import { functionNames, gasSums } from "../../../../src/core/ledger/transactions/gasSums.ts";
import { distinctNames } from "../../../../src/core/ledger/transactions/namesakes.ts";
import { speedscopeProfile } from "../../../../src/core/ledger/transactions/speedscope.ts";
import { callRows } from "../../../../src/core/ledger/transactions/transactionPage.ts";
import { flameBars } from "../../../../src/pages/transaction/flame.ts";
import { successfulBranches, visibleCalls } from "../../../../src/pages/transaction/visibleCalls.ts";
import { random, type Random } from "../../random.ts";
import { treeOf } from "../actions.ts";

/** A tree of calls whose gas adds up: each used what its calls used, and something itself. */
function randomTree(dice: Random): ActionTree {
  const actions: { depth: number; gas_used: number; [field: string]: unknown }[] = [];
  const grow = (depth: number): number => {
    const at = actions.length;
    const isStatic = dice.below(4) === 0;
    actions.push({
      depth,
      gas_used: 0,
      to: `0x${String(dice.below(5)).padStart(40, "0")}`,
      recipient: `0.0.${dice.below(5)}`,
      ...(isStatic && { call_operation_type: "STATICCALL" }),
      ...(dice.below(6) === 0 && { result_data_type: "REVERT_REASON", result_data: "0x" }),
    });
    let gas = dice.below(1000);
    for (let child = dice.below(depth > 6 ? 1 : 4); child > 0 && actions.length < 60; child--)
      gas += grow(depth + 1);
    const own = actions[at];
    if (own) own.gas_used = gas;
    return gas;
  };
  grow(0);
  return treeOf(...actions);
}

const nobody = () => undefined;
const nameOf = (tree: ActionTree) => (at: number) => `call ${String(tree.actions[at]?.recipient)}`;

describe("The gas of a transaction", () => {
  const dice = random("trees of gas");
  const trees = Array.from({ length: 60 }, () => randomTree(dice));

  it("is drawn as wide as it is, every call within its caller and beside the others", () => {
    for (const tree of trees) {
      const rows = callRows(tree, nobody);
      const whole = Number(rows[0]?.gas);
      const bars = flameBars(rows, undefined, 0);
      const barAt = new Map(bars.map((bar) => [bar.row.at, bar]));
      assert.equal(barAt.size, bars.length);
      for (const { row, from, width, level } of bars) {
        assert.ok(Math.abs(width - (whole === 0 ? 0 : Number(row.gas) / whole)) < 1e-9);
        const caller = barAt.get(row.parent);
        if (!caller) continue;
        assert.equal(level, caller.level + 1);
        assert.ok(from >= caller.from - 1e-9 && from + width <= caller.from + caller.width + 1e-9);
        for (const other of bars) {
          if (other.row.at === row.at || other.level !== level) continue;
          const isApart = from + width <= other.from + 1e-9 || other.from + other.width <= from + 1e-9;
          assert.ok(isApart, "two calls lie over each other");
        }
      }
    }
  });

  it("fills the width with the call that one looks at, and draws no call wider than its caller", () => {
    // A record that was put together by hand: the calls used more than their caller.
    const rows = callRows(
      treeOf(
        { depth: 0, gas_used: 100 },
        { depth: 1, gas_used: 80 },
        { depth: 2, gas_used: 300 },
        { depth: 2, gas_used: 100 },
      ),
      nobody,
    );
    const bars = flameBars(rows, 1, 0);
    assert.deepEqual(
      bars.map(({ row, level, from, width }) => [row.at, level, from, width]),
      [
        [1, 0, 0, 1],
        [2, 1, 0, 0.75],
        [3, 1, 0.75, 0.25],
      ],
    );
  });

  it("is summed by contract and by function to what the first call used", () => {
    for (const tree of trees) {
      const { byContract, byFunction } = gasSums(tree, (at) => ({
        contract: String(tree.actions[at]?.recipient),
        name: "f",
      }));
      for (const sums of [byContract, byFunction]) {
        const sum = sums.reduce((total, { gas }) => total + BigInt(gas), 0n);
        assert.equal(sum, BigInt(String(tree.actions[0]?.gas_used)));
        assert.equal(
          sums.reduce((total, { calls }) => total + calls, 0),
          tree.actions.length,
        );
      }
    }
  });

  it("is summed for each of several contracts of one name, which their ids tell apart", () => {
    const tree = treeOf(
      { depth: 0, gas_used: 100, recipient: "0.0.1" },
      { depth: 1, gas_used: 30, recipient: "0.0.2" },
      { depth: 1, gas_used: 20, recipient: "0.0.3" },
      { depth: 1, gas_used: 10, recipient: "0.0.2" },
    );
    const called = (at: number) => {
      const opens = String(tree.actions[at]?.recipient);
      return { contract: opens === "0.0.1" ? "Router" : "Pair", name: "swap", opens };
    };
    const { byContract, byFunction } = gasSums(tree, called);
    assert.deepEqual(byContract, [
      { name: "Pair (0.0.2)", opens: "0.0.2", calls: 2, gas: "40" },
      { name: "Router", opens: "0.0.1", calls: 1, gas: "40" },
      { name: "Pair (0.0.3)", opens: "0.0.3", calls: 1, gas: "20" },
    ]);
    assert.deepEqual(
      byFunction.map(({ name, gas }) => [name, gas]),
      [
        ["Pair (0.0.2).swap", "40"],
        ["Router.swap", "40"],
        ["Pair (0.0.3).swap", "20"],
      ],
    );
    // An export has a frame for each of them.
    assert.deepEqual(Array.from(tree.actions.keys(), functionNames(tree, called)), [
      "Router.swap",
      "Pair (0.0.2).swap",
      "Pair (0.0.3).swap",
      "Pair (0.0.2).swap",
    ]);
  });

  it("is of contracts whose addresses are whole where they look alike when they are shortened", () => {
    const [one, alike, other] = ["0", "1", "2"].map((digit) => ({
      contract: "Pair",
      opens: `0x${digit === "2" ? "77" : "12"}34${digit.repeat(32)}cdef`,
    }));
    assert.ok(one && alike && other);
    const nameOf = distinctNames([one, alike, other, { contract: "Router", opens: "0.0.5" }]);
    assert.equal(nameOf(one), `Pair (${one.opens})`);
    assert.equal(nameOf(other), "Pair (0x7734…cdef)");
    assert.equal(nameOf({ contract: "Router", opens: "0.0.5" }), "Router");
  });

  it("is in speedscope's format what each call used itself", () => {
    for (const tree of trees) {
      const name = nameOf(tree);
      const file = JSON.parse(speedscopeProfile(tree, "Transaction", name)) as {
        shared: { frames: { name: string }[] };
        profiles: { endValue: number; events: { type: "O" | "C"; frame: number; at: number }[] }[];
      };
      const [profile] = file.profiles;
      assert.ok(profile);
      // As a reader of the format counts it: what passes while a frame is the innermost is its own.
      const own = new Map<string, number>();
      const open: number[] = [];
      let before = 0;
      for (const { type, frame, at } of profile.events) {
        assert.ok(at >= before, "events go forward");
        const innermost = open.at(-1);
        if (innermost !== undefined) {
          const called = file.shared.frames[innermost]?.name ?? "";
          own.set(called, (own.get(called) ?? 0) + at - before);
        }
        before = at;
        if (type === "O") open.push(frame);
        else assert.equal(open.pop(), frame, "what was opened last is closed first");
      }
      assert.deepEqual(open, []);
      assert.equal(before, profile.endValue);
      const wanted = new Map<string, number>();
      for (const at of tree.actions.keys())
        wanted.set(name(at), (wanted.get(name(at)) ?? 0) + Number(ownGas(tree, at)));
      for (const [called, gas] of wanted) assert.equal(own.get(called) ?? 0, gas, called);
    }
  });

  it("is a number in that format, however much a ledger says", () => {
    const tree = treeOf({ depth: 0, gas_used: "9".repeat(400) }, { depth: 1, gas_used: "8".repeat(400) });
    const file = JSON.parse(speedscopeProfile(tree, "Transaction", nameOf(tree))) as {
      profiles: { endValue: unknown; events: { at: unknown }[] }[];
    };
    const [profile] = file.profiles;
    assert.ok(profile);
    for (const at of [profile.endValue, ...profile.events.map((event) => event.at)])
      assert.equal(typeof at, "number");
  });
});

describe("The calls of a transaction's page", () => {
  const dice = random("calls that are shown");

  it("are those that the view in the sidebar shows, whatever is filtered", () => {
    for (let round = 0; round < 60; round++) {
      const tree = randomTree(dice);
      const rows = callRows(tree, nobody);
      const hidesStatic = dice.below(2) === 0;
      const filter = ["", "0.0.3", "REVERT", "nothing says this"][dice.below(4)] ?? "";
      const wanted = filterActions(tree, { text: filter, hideStatic: hidesStatic }, (at) =>
        searchWords(tree, at, undefined),
      );
      const found = new Set([...foundActions(tree, filter, nobody)].flat());
      const shown = visibleCalls(rows, { filter, found, hidesStatic, folded: new Set() });
      assert.deepEqual(
        shown.map(({ row }) => row.at),
        rows.filter(({ at }) => wanted.visible[at] === 1).map(({ at }) => at),
      );
    }
  });

  it("below a folded one are away, and what went well is folded to lead to what failed", () => {
    for (let round = 0; round < 60; round++) {
      const tree = randomTree(dice);
      const rows = callRows(tree, nobody);
      const folded = successfulBranches(rows);
      const shown = new Set(
        visibleCalls(rows, { filter: "", hidesStatic: false, folded }).map(({ row }) => row.at),
      );
      for (const row of rows) {
        const isAway = [...callersOf(tree, row.at)].some((at) => folded.has(at));
        assert.equal(shown.has(row.at), !isAway);
        if (row.outcome === "failed") assert.ok(shown.has(row.at), "a failure is always in sight");
      }
    }
  });
});

function* callersOf(tree: ActionTree, at: number): Generator<number> {
  for (let caller = tree.parent[at] ?? NONE; caller !== NONE; caller = tree.parent[caller] ?? NONE)
    yield caller;
}
