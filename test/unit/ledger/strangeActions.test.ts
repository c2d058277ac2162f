import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseExactJson } from "../../../src/core/json/exactJson.ts";
import { filterActions } from "../../../src/core/ledger/actions/actionFilter.ts";
import { ActionNamer } from "../../../src/core/ledger/actions/actionNames.ts";
import {
  actionLine,
  actionRow,
  actionWords,
  reasonRow,
} from "../../../src/core/ledger/actions/actionRows.ts";
import { transactionRow } from "../../../src/core/ledger/transactions/transactionRow.ts";
import { actionsAsJson, actionsAsText } from "../../../src/core/ledger/actions/actionText.ts";
import {
  childrenOf,
  failingPath,
  type ActionTree,
  type NestedAction,
} from "../../../src/core/ledger/actions/actionTree.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import type { TransactionActions } from "../../../src/core/ledger/actions/transactionActions.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../random.ts";
import { someShape, strangeActions } from "./strangeLedger.ts";
import { serviceOf, assertNoDigitLost, isPlain, assertDrawable, bigintOf, scaled } from "./strangeChecks.ts";

const network = networkAt("http://127.0.0.1:1");

const MANY = proofSize({ sample: 600, whole: 10_000 });
const BODIES = proofSize({ sample: 75, whole: 5_000 });

describe(`${BODIES.toLocaleString("en-US")} strange lists of actions`, () => {
  function positionsOf(nodes: readonly NestedAction[]): number[] {
    const positions: number[] = [];
    const open = [...nodes];
    for (let node = open.pop(); node; node = open.pop()) {
      positions.push(node.position);
      open.push(...node.children);
    }
    return positions.sort((one, other) => one - other);
  }

  function reachable(tree: ActionTree): number[] {
    const positions: number[] = [];
    const open = [...tree.roots];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      positions.push(at);
      open.push(...childrenOf(tree, at));
    }
    return positions.sort((one, other) => one - other);
  }

  const hasFailed = ({ result_data_type: type }: Readonly<Record<string, unknown>>) =>
    type === "REVERT_REASON" || type === "ERROR";

  async function check(
    integers: ReadonlySet<string>,
    actions: TransactionActions,
    hasNames = true,
  ): Promise<void> {
    const { tree } = actions;
    const record = actions.toRecord();
    assertNoDigitLost(integers, record.actions);
    const everything = Array.from(tree.actions.keys());
    assert.deepEqual(reachable(tree), everything);
    assert.deepEqual(positionsOf(record.tree), everything);
    const distinct = new Set(actions.pages.items.map((item) => JSON.stringify(item)));
    assert.ok(tree.actions.length >= distinct.size, "an action is lost");

    const namer = new ActionNamer(network, []);
    const path = failingPath(tree);
    const words: string[] = [];
    const namesOf = hasNames ? await Promise.all(tree.actions.map((action) => namer.name(action))) : [];
    for (const at of everything) {
      const action = tree.actions[at] ?? {};
      const names = namesOf[at];
      const row = actionRow(tree, at, names, path);
      assertDrawable(row);
      words.push(actionLine(actionWords(tree, at, names)));
      assert.equal(row.icon === "error", hasFailed(action));
      if (hasFailed(action)) {
        assert.equal(row.color, "error");
        // In words, or by the network's own name of the failure behind them.
        assert.match(row.description ?? "", /reverted|failed|[a-z] \([A-Z_]+\)/);
        assert.doesNotMatch(row.description ?? "", /\bOK\b/);
        assertDrawable(reasonRow(tree, at, names));
      }
      const gas = bigintOf(action.gas_used);
      if (gas !== undefined)
        assert.ok(row.description?.includes(`${gas.toLocaleString("en-US")} gas`), row.description);
      const value = bigintOf(action.value);
      if (value !== undefined && value !== 0n)
        assert.ok(row.description?.includes(`${scaled(value, 8)} ℏ`), row.description);
    }
    assertDrawable(
      transactionRow(
        { networkId: network.id, networkName: network.name, canonical: actions.canonical },
        tree,
        { complete: true },
      ),
    );

    const failures = everything.filter((at) => hasFailed(tree.actions[at] ?? {}));
    const { visible } = filterActions(tree, { hideStatic: true }, (at) => words[at] ?? "");
    for (const failed of failures) {
      for (let at = failed; at >= 0; at = tree.parent[at] ?? -1)
        assert.equal(visible[at], 1, "a failed action is hidden");
    }
    const lines = actionsAsText(tree, (action) => namer.known(action))
      .split("\n")
      .slice(0, -1);
    assert.equal(lines.length, everything.length);
    assert.equal(lines.filter((line) => /^ *(?:\[level \d+\] )?!!? /.test(line)).length, failures.length);
    for (const line of lines) assert.ok(isPlain(line), line);
    const copied = parseExactJson(actionsAsJson(tree));
    assert.equal((copied as unknown[]).length, everything.length);
    assertNoDigitLost(integers, copied);
    if (failures.length > 0 && tree.roots.some((root) => hasFailed(tree.actions[root] ?? {})))
      assert.ok(hasFailed(tree.actions[path.at(-1) ?? -1] ?? {}), "the failing path ends nowhere");
  }

  it("lose no digit, hide no failure and reach no row with anything hostile", async () => {
    const source = random("strange actions");
    for (let bodies = 0; bodies < BODIES;) {
      const pages = Array.from({ length: source.pick([1, 1, 1, 2, 3]) }, (_, at) => at);
      const made = pages.map((at) =>
        strangeActions(
          source,
          someShape(source),
          at === pages.length - 1 ? null : `/api/v1/x?page=${at + 1}`,
        ),
      );
      bodies += made.length;
      const service = serviceOf((target) => made[Number(/page=(\d+)/.exec(target)?.[1] ?? 0)]?.text);
      const actions = await service.actions("0.0.5@1.2");
      await actions.pages.loadAll();
      assert.deepEqual(
        actions.pages.texts,
        made.map(({ text }) => text),
      );
      await check(new Set(made.flatMap(({ integers }) => [...integers])), actions);
    }
  });

  it(`may have ${MANY.toLocaleString("en")} actions, 1,024 levels, one index for all, or none in order`, async () => {
    const source = random("large lists");
    const shapes = [
      { count: MANY, depth: (at: number) => at % 12, index: (at: number) => at },
      {
        count: MANY,
        depth: (at: number) => (at * 7919) % 300,
        index: (at: number) => (at * 6007) % MANY,
      },
      { count: 1025, depth: (at: number) => at, index: (at: number) => at },
      { count: 500, depth: (at: number) => at * 1000, index: (at: number) => 500 - at },
      { count: 500, depth: () => 1, index: () => 4 },
    ];
    for (const shape of shapes) {
      const body = strangeActions(source, shape, null);
      const actions = await serviceOf(() => body.text).actions("0.0.5@1.2");
      await check(body.integers, actions, false);
    }
  });
});
