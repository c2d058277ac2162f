import type { Memento } from "vscode";
import { readOpenedItems, type ItemMemory } from "../../core/ledger/openedItems.ts";
import { publicNetworks } from "../../core/ledger/references/network.ts";
import { lastChains } from "../lastChains.ts";

/** Where it is kept what was used here. */
export interface UseMemory {
  /** Of what is open in the Ledger view. */
  readonly items: ItemMemory;
  /** Of the chains that verifications were on. */
  readonly chains: Pick<Memento, "get">;
}

/** Whether something of Hedera is used here: something is open in the Ledger view, or a contract on its networks was verified. */
export function isHederaUsed({ items, chains }: UseMemory): boolean {
  const ofHedera = publicNetworks.map(({ chainId }) => chainId);
  return readOpenedItems(items).length > 0 || lastChains(chains).some((chain) => ofHedera.includes(chain));
}
