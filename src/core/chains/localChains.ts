import { httpUrl } from "../http/httpUrl.ts";
import { chainIdOf, LOCAL_CHAINS } from "../chainId.ts";
import { isThisMachine, plainHostname } from "../http/thisMachine.ts";

/** Names that no server of the internet has (RFC 6761, RFC 6762, RFC 8375 and what networks use in practice). */
const PRIVATE_NAME = /(?:^[^.:]+|\.(?:localhost|local|internal|lan|test|home\.arpa))$/i;
/** RFC 1918 and RFC 3927. */
const PRIVATE_V4 = /^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+)+$/;
/** RFC 4193 and RFC 4291, section 2.5.6. */
const PRIVATE_V6 = /^(?:f[cd]|fe[89ab])[0-9a-f]*:/i;

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
  const at = URL.parse(ledger.ledgerUrl)?.hostname ?? "";
  return (isLocal(ledger.chainId ?? "") || isNear(at)) && !isNear(host);
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
  return isNear(url.hostname) ? isNear(host) : url.protocol === "https:";
}

function isLocal(chainId: string): boolean {
  return LOCAL_CHAINS.has(chainIdOf(chainId) ?? "");
}

/** Whether a host is this machine, or one of the network that it is in. */
function isNear(host: string): boolean {
  const hostname = plainHostname(URL.parse(`http://${host}`)?.hostname ?? host);
  return (
    isThisMachine(hostname) ||
    PRIVATE_NAME.test(hostname) ||
    PRIVATE_V4.test(hostname) ||
    PRIVATE_V6.test(hostname)
  );
}
