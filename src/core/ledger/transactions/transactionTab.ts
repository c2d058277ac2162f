import { foreign, joined, shown, type ShownText } from "../../text/shownText.ts";
import { shortTransaction } from "../actions/actionRows.ts";
import { TRANSACTION_MARKS, type TransactionPage } from "./pageModel.ts";

/** What the tab of a transaction's page tells. */
export interface TransactionTab {
  /** The id, as `0.0.5-1700000000-000000001`, or the hash. */
  readonly canonical: string;
  readonly networkName: string;
  /** Missing until it is loaded. */
  readonly outcome?: TransactionPage["outcome"];
}

/**
 * What the tab of a page is called: "✓ Transaction 0.0.5@…000001", and where another open one would be called so by its id or
 * its network, with the whole id, or with the network.
 *
 * @param open the tabs of all open pages, this one among them or not
 */
export function transactionTabTitle(tab: TransactionTab, open: readonly TransactionTab[]): ShownText {
  const { canonical, networkName, outcome } = tab;
  const short = shortTransaction(canonical);
  const alike = open.filter((other) => shortTransaction(other.canonical) === short);
  const isClear = alike.every((other) => other.canonical === canonical);
  const id = isClear ? short : canonical.replace(/^([\d.]+)-(\d+)-(?=\d)/, "$1@$2.");
  const isElsewhere = alike.some(
    (other) => other.canonical === canonical && other.networkName !== networkName,
  );
  return joined(
    [
      joined([...(outcome ? [foreign(TRANSACTION_MARKS[outcome])] : []), shown`Transaction ${id}`], " "),
      ...(isElsewhere ? [foreign(networkName)] : []),
    ],
    " · ",
  );
}
