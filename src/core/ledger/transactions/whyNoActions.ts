import { shown, type ShownText } from "../../text/shownText.ts";
import { mayBeIncomplete } from "../requests/justSent.ts";
import type { TransactionRecord } from "./transactionRecord.ts";

/** What calls a contract by itself, by the names that mirror nodes have for it (hiero-mirror-node, TransactionTypes). */
const CALLS: ReadonlySet<string> = new Set(["CONTRACTCALL", "CONTRACTCREATEINSTANCE", "ETHEREUMTRANSACTION"]);

/**
 * Why a transaction has no contract actions, as far as that is known: none is imported yet, the network keeps none, or no
 * contract was called.
 *
 * @param now milliseconds since the epoch
 */
export function whyNoActions(
  canonical: string,
  { execution, transaction, problems }: TransactionRecord,
  now: number,
): ShownText {
  const isFresh = mayBeIncomplete(
    transaction?.transaction_id ?? canonical,
    execution?.timestamp ?? transaction?.consensus_timestamp,
    now,
  );
  const name = transaction?.name;
  const isCall = name !== undefined && CALLS.has(name);
  if (execution)
    return isFresh
      ? shown`The mirror node has not imported the contract actions yet: what the result says of the first call is shown. Refresh in a few seconds.`
      : shown`The ledger recorded no contract actions of this transaction; what its result says of the first call is shown.`;
  if (name !== undefined && !isCall) return shown`This transaction called no contract (${name}).`;
  if (isFresh)
    return shown`The mirror node has not imported the contract actions yet: this transaction was just sent. Refresh in a few seconds.`;
  // What could not be had is told by itself; of the rest the ledger says that it has none.
  if (problems.length > 0)
    return isCall
      ? shown`The ledger has no contract actions of this transaction, which is a contract call (${name}).`
      : shown`The ledger has no contract actions of this transaction. Whether it called a contract is not known.`;
  return isCall
    ? shown`The ledger has no contract actions and no result of this transaction, which is a contract call (${name}): it is older than their recording, or this network keeps none.`
    : shown`The ledger has no contract actions and no result of this transaction: it called no contract, or this network keeps none.`;
}
