import type { ActionTree } from "../actions/actionTree.ts";
import type { CallRow } from "./pageModel.ts";
import { callRows, type TransactionPageParts } from "./transactionPage.ts";

/** So many rows are put into words at once, between which other work has its turn. */
const ROWS_AT_ONCE = 200;

/** What a page was told of its calls: of a list that grows, or whose names are found, only rows that are other are told. */
export class CallNews {
  readonly #told: CallRow[] = [];

  /**
   * Rows that the page does not have like this, some at a time and in order; none of these is empty. What was taken counts as told.
   *
   * @param positions of the calls to look at; all without it
   */
  *changed(
    tree: ActionTree,
    namesOf: TransactionPageParts["namesOf"],
    positions: readonly number[] = Array.from(tree.actions.keys()),
  ): Generator<readonly CallRow[]> {
    this.#told.length = Math.min(this.#told.length, tree.actions.length);
    for (let from = 0; from < positions.length; from += ROWS_AT_ONCE) {
      const rows = callRows(tree, namesOf, positions.slice(from, from + ROWS_AT_ONCE));
      const news = rows.filter((row) => !isSame(this.#told[row.at], row));
      for (const row of news) this.#told[row.at] = row;
      if (news.length > 0) yield news;
    }
  }
}

/** Rows hold nothing but texts, numbers and signs, in an order of their own. */
function isSame(told: CallRow | undefined, row: CallRow): boolean {
  if (!told) return false;
  const before = Object.entries(told);
  const fields = Object.entries(row);
  return (
    fields.length === before.length &&
    fields.every(([name, value], at) => before[at]?.[0] === name && before[at][1] === value)
  );
}
