import { httpUrl } from "../http/httpUrl.ts";
import { chainIdOf, LOCAL_CHAINS } from "../chainId.ts";
import { isNear, isOfInternet } from "../http/nearHosts.ts";

/**
 * Whether a chain runs on this machine while a service does not, so that the service can't see what is deployed there.
 *
 * @param host with or without a port
 */
export function isOutOfReach(chainId: string, host: string): boolean {
  return isLocal(chainId) && !isNear(host);
}

/**
 * Whether a ledger is one of this machine, or of the network that it is in, while a service is not: nothing of what is on
 * that ledger is told to the service. That its chain has the number of a public one changes nothing: it may be a copy of it.
 */
export function isLedgerOutOfReach(
  ledger: { readonly ledgerUrl: string; readonly chainId?: string },
  host: string,
): boolean {
  const isPrivate = !isOfInternet(URL.parse(ledger.ledgerUrl)?.hostname ?? "");
  return (isLocal(ledger.chainId ?? "") || isPrivate) && !isNear(host);
}

/**
 * Whether a node that a service lists is asked. Of this machine, or the network that it is in, only a service that is there
 * itself may name one: another could have anything asked that is not for it. What others say of a node has to come unchanged.
 *
 * @param host of the service, with or without a port
 */
export function mayAskListedNode(node: string, host: string): boolean {
  const url = httpUrl(node);
  if (!url) return false;
  return isOfInternet(url.hostname) ? url.protocol === "https:" : isNear(host);
}

function isLocal(chainId: string): boolean {
  return LOCAL_CHAINS.has(chainIdOf(chainId) ?? "");
}
