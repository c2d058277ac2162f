import type { VerificationRow } from "../../core/jobs/verificationRows.ts";
import { faultLog } from "../ui/guardedRows.ts";
import { LateTree } from "../ui/lateTree.ts";
import type { Log } from "../ui/log.ts";
import { nodeOf, type ViewNode } from "../ui/viewNode.ts";

/** How long a job has been running is drawn again no sooner. */
const TIMES_EVERY_MS = 5_000;

/** A row with its place in the view. */
export type VerificationNode = ViewNode<VerificationRow>;

/** Registers the `ledgerLens.verification` view. */
export function verificationTree(log: Log, load: () => Promise<unknown>): LateTree<VerificationNode> {
  return new LateTree<VerificationNode>("ledgerLens.verification", load, {
    timesEveryMs: TIMES_EVERY_MS,
    onFault: faultLog(log, "Verification"),
    nodeOf,
    faultOf: ({ row }) => row.fault,
  });
}
