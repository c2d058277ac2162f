import { joinedAddress } from "../../http/joinedAddress.ts";
import type { LedgerReference } from "./ledgerReference.ts";
import type { LedgerNetwork } from "./network.ts";

/**
 * The explorer's page for an item of this network; `undefined` where the network has no explorer or the
 * explorer has no such page.
 */
export function explorerLink(
  network: LedgerNetwork,
  item: Pick<LedgerReference, "kind" | "canonical">,
): string | undefined {
  if (network.explorerUrl === undefined || item.kind === "entity") return undefined;
  return joinedAddress(network.explorerUrl, `/${item.kind}/${encodeURIComponent(item.canonical)}`);
}
