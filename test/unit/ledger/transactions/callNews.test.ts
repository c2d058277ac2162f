import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ActionNames } from "../../../../src/core/ledger/actions/actionNames.ts";
import type { ContractAction } from "../../../../src/core/ledger/actions/contractAction.ts";
import { CallNews } from "../../../../src/core/ledger/transactions/callNews.ts";
import type { CallRow } from "../../../../src/core/ledger/transactions/pageModel.ts";
import { callRows } from "../../../../src/core/ledger/transactions/transactionPage.ts";
import { random } from "../../random.ts";
import { reverted, treeOf } from "../actions.ts";

describe("What a page is told of the calls", () => {
  const dice = random("news of calls");
  const actions = Array.from({ length: 700 }, (_, at) => ({
    depth: at === 0 ? 0 : 1 + dice.below(6),
    gas_used: 1_000 + dice.below(50_000),
    recipient: `0.0.${dice.below(40)}`,
    input: `0x${"ab".repeat(4)}`,
    ...(dice.below(9) === 0 && reverted("0x")),
  }));

  it("adds up to the rows of the whole list while it grows and is named, and nothing is told twice", () => {
    const names = new WeakMap<ContractAction, ActionNames>();
    const namesOf = (action: ContractAction) => names.get(action);
    const news = new CallNews();
    const seen: CallRow[] = [];
    const hear = (told: Iterable<readonly CallRow[]>): number => {
      let count = 0;
      for (const rows of told)
        for (const row of rows) {
          assert.ok(row.at <= seen.length, "a row comes behind those before it");
          seen[row.at] = row;
          count++;
        }
      return count;
    };
    for (const length of [1, 100, 300, 700]) {
      const tree = treeOf(...actions.slice(0, length));
      hear(news.changed(tree, namesOf));
      assert.deepEqual(seen, callRows(tree, namesOf), `${length} calls`);
      assert.equal(hear(news.changed(tree, namesOf)), 0);
      const drawn = Array.from({ length: 5 }, () => dice.below(length));
      const named = [...new Set(drawn)].filter((at) => !namesOf(tree.actions[at] ?? {}));
      for (const at of named)
        names.set(tree.actions[at] ?? {}, { contract: { name: `Named${at}`, certainty: "workspace" } });
      assert.equal(hear(news.changed(tree, namesOf, named)), named.length);
      assert.deepEqual(seen, callRows(tree, namesOf));
    }
  });

  it("comes in pieces, so that other work has its turn between them", () => {
    const tree = treeOf(...actions);
    const pieces = [...new CallNews().changed(tree, () => undefined)];
    assert.ok(pieces.length >= 3);
    assert.equal(pieces.flat().length, actions.length);
  });

  it("is told again where a list became shorter and grew anew", () => {
    const news = new CallNews();
    const short = treeOf(...actions.slice(0, 10));
    const long = treeOf(...actions.slice(0, 20));
    Array.from(news.changed(long, () => undefined));
    Array.from(news.changed(short, () => undefined));
    const again = [...news.changed(long, () => undefined)].flat().map(({ at }) => at);
    for (let at = 10; at < 20; at++) assert.ok(again.includes(at), `row ${at}`);
  });
});
