import type { StatusRow } from "../../core/status/statusRow.ts";
import { faultLog } from "../ui/guardedRows.ts";
import { LateTree } from "../ui/lateTree.ts";
import type { Log } from "../ui/log.ts";
import { nodeOf, type ViewNode } from "../ui/viewNode.ts";

/** Ages and countdowns are drawn again no sooner. */
const TIMES_EVERY_MS = 30_000;

/** A row with its place in the view. */
export type StatusNode = ViewNode<StatusRow>;

/** Registers the `ledgerLens.status` view. */
export function statusTree(log: Log, load: () => Promise<unknown>): LateTree<StatusNode> {
  return new LateTree<StatusNode>("ledgerLens.status", load, {
    timesEveryMs: TIMES_EVERY_MS,
    onFault: faultLog(log, "Service Status"),
    nodeOf,
    faultOf: ({ row }) => row.fault,
  });
}
