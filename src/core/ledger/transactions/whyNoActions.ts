import { shown, type ShownText } from "../../text/shownText.ts";
import { mayBeIncomplete } from "../requests/justSent.ts";
import { codeWords, isRefusal } from "../actions/responseCodes.ts";
import { kindWords } from "../schedules/kindWords.ts";
import type { TransactionRecord } from "./transactionRecord.ts";

/** What calls a contract by itself, by the names that mirror nodes have for it (hiero-mirror-node, TransactionTypes). */
const CALLS: ReadonlySet<string> = new Set(["CONTRACTCALL", "CONTRACTCREATEINSTANCE", "ETHEREUMTRANSACTION"]);

/** That a transaction called no contract, where that is certain. */
export function noCallWords({ execution, transaction }: Partial<TransactionRecord> = {}):
  ShownText | undefined {
  const kind = transaction?.name;
  if (execution || kind === undefined || CALLS.has(kind)) return undefined;
  return shown`This transaction called no contract (${kindWords(kind)}).`;
}

/** Why the network ran nothing of a transaction, by what its code says. */
function refusalOf({ execution, transaction }: Partial<TransactionRecord>): string | undefined {
  const result = execution?.result ?? transaction?.result;
  return result !== undefined && isRefusal(result) ? codeWords(result) : undefined;
}

/** That no contract's code ran, where that is certain: none was called, or the transaction was refused before. */
export function nothingRanWords(record: Partial<TransactionRecord> = {}): ShownText | undefined {
  const noCall = noCallWords(record);
  if (noCall !== undefined) return noCall;
  const refusal = refusalOf(record);
  return refusal === undefined
    ? undefined
    : shown`Nothing was executed: the network refused this transaction before it called a contract (${refusal}).`;
}

/**
 * Why a transaction has no contract actions, as far as that is known: it was refused before anything ran, none is imported yet,
 * the network keeps none, or no contract was called.
 *
 * @param now milliseconds since the epoch
 */
export function whyNoActions(canonical: string, record: TransactionRecord, now: number): ShownText {
  const { execution, transaction, problems } = record;
  const isFresh = mayBeIncomplete(
    transaction?.transaction_id ?? canonical,
    execution?.timestamp ?? transaction?.consensus_timestamp,
    now,
  );
  const name = transaction?.name;
  const isCall = name !== undefined && CALLS.has(name);
  const refusal = refusalOf(record);
  if (execution && refusal !== undefined)
    return shown`Nothing was executed (${refusal}): the call that was to be made is shown.`;
  if (execution)
    return isFresh
      ? shown`The mirror node has not imported the contract actions yet: what the result says of the first call is shown. Refresh in a few seconds.`
      : shown`The ledger recorded no contract actions of this transaction; what its result says of the first call is shown.`;
  const nothingRan = nothingRanWords(record);
  if (nothingRan !== undefined) return nothingRan;
  if (isFresh)
    return shown`The mirror node has not imported the contract actions yet: this transaction was just sent. Refresh in a few seconds.`;
  // What could not be had is told by itself; of the rest the ledger says that it has none.
  if (problems.length > 0)
    return isCall
      ? shown`The ledger has no contract actions of this transaction, which calls a contract (${kindWords(name)}).`
      : shown`The ledger has no contract actions of this transaction. Whether it called a contract is not known.`;
  return isCall
    ? shown`The ledger has no contract actions and no result of this transaction, which calls a contract (${kindWords(name)}): it is older than their recording, or this network keeps none.`
    : shown`The ledger has no contract actions and no result of this transaction: it called no contract, or this network keeps none.`;
}
