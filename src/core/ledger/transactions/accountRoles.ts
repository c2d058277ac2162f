import { shown, type ShownText } from "../../text/shownText.ts";
import { readEntityId } from "../references/entityId.ts";
import type { LedgerTransactionRecord } from "./transactionRecord.ts";

/**
 * What accounts of the network itself are for, by their number (hiero-consensus-node, configuration `accounts.*`,
 * `ledger.*`; the last since HIP-1259).
 */
const SYSTEM_ACCOUNTS: ReadonlyMap<number, ShownText> = new Map([
  [98, shown`network fees`],
  [800, shown`staking rewards`],
  [801, shown`node rewards`],
  [802, shown`network fees`],
]);

/** Nodes get what they are paid on accounts between these numbers. */
const [FIRST_NODE, LAST_NODE] = [3, 49];

/** What an account that takes part in a transaction is for, where it is one of the network: a node that is paid, for example. */
export function rolesOf(
  transaction: Pick<LedgerTransactionRecord, "node"> | undefined,
): (account: string) => ShownText | undefined {
  return (account) => {
    const number = readEntityId(account)?.num ?? -1;
    const isNode = account === transaction?.node || (number >= FIRST_NODE && number <= LAST_NODE);
    return isNode ? shown`node` : SYSTEM_ACCOUNTS.get(number);
  };
}
