import type { LedgerRow } from "../../core/rows/ledgerRow.ts";
import { faultLog } from "../ui/guardedRows.ts";
import { LateTree } from "../ui/lateTree.ts";
import type { Log } from "../ui/log.ts";

/** The time that pending schedules have left is drawn again no sooner. */
const TIMES_EVERY_MS = 15_000;

/** A row of the view, with what its commands need. */
export type LedgerNode = {
  /** Unique in the view. */
  readonly id: string;
  readonly itemId: string;
  readonly parent: LedgerNode | undefined;
} & (
  | { readonly type: "item" }
  | { readonly type: "fact"; row: LedgerRow }
  /** A contract action by its position in the tree. */
  | { readonly type: "action"; readonly at: number }
  /** Neighbouring actions of a parent that has very many. */
  | { readonly type: "group"; positions: readonly number[] }
);

/** Registers the `ledgerLens.ledger` view. */
export function ledgerTree(log: Log, load: () => Promise<unknown>): LateTree<LedgerNode> {
  return new LateTree<LedgerNode>("ledgerLens.ledger", load, {
    timesEveryMs: TIMES_EVERY_MS,
    onFault: faultLog(log, "Ledger"),
    nodeOf: fact,
    faultOf: (node) => (node.type === "fact" ? node.row.fault : undefined),
  });
}

/** The node of a row that tells something of what is above it. */
export function fact(row: LedgerRow, parent: LedgerNode | undefined): LedgerNode {
  return { type: "fact", id: `${parent?.id ?? ""}/${row.id}`, itemId: parent?.itemId ?? "", parent, row };
}
