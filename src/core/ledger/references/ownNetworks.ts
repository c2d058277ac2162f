import { httpUrl } from "../../http/httpUrl.ts";
import { chainIdShape } from "../../chains/chainIdShape.ts";
import { t } from "@vscode/l10n";
import { baseAddress } from "../../http/joinedAddress.ts";
import { ownValue } from "../../json/ownValue.ts";
import { listOf, mapped, matching, Misfit, object, optional, readAs, text } from "../../json/shape.ts";

/** A network that a person set up beside the public ones: an entry of the setting `ledgerLens.networks`. */
export interface OwnNetwork {
  readonly name: string;
  /** Address of its mirror node. */
  readonly ledgerUrl: string;
  /** Address of the verification service that goes with it; missing for the one that is in use. */
  readonly verificationUrl?: string;
  /** Decimal digits. */
  readonly chainId?: string;
  /** Address of its explorer. */
  readonly explorerUrl?: string;
  /** The header in which its services want a key. The key itself stands in no setting. */
  readonly headerName?: string;
}

/** A Hiero local node as it is set up by itself (hiero-local-node, docker-compose.yml: the mirror node's REST interface). */
export const LOCAL_NODE: OwnNetwork = {
  name: t`Local Node`,
  ledgerUrl: "http://127.0.0.1:5551",
  chainId: "298",
};

/** More would be no list to choose from. */
const MAX_NETWORKS = 100;

const address = mapped(text(), (url) =>
  httpUrl(url) ? url.trim() : new Misfit(() => t`an http or https address`),
);
/** A field name (RFC 9110, section 5.1) that is none of those by which requests are framed and routed. */
const header = matching(
  /^(?!(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|accept-encoding)$)[!#$%&'*+.^_`|~0-9a-z-]{1,64}$/i,
  () => t`the name of a header`,
);

const ownNetwork = object({
  name: matching(/^.{1,80}$/, () => t`a name`),
  ledgerUrl: address,
  verificationUrl: optional(address),
  chainId: optional(chainIdShape),
  explorerUrl: optional(mapped(address, (url) => baseAddress(url))),
  headerName: optional(header),
});

/** The networks of the setting, in its order; an entry that can't be read counts as none. */
export function ownNetworks(setting: unknown): readonly OwnNetwork[] {
  return readAs(listOf(ownNetwork, MAX_NETWORKS), setting) ?? [];
}

/**
 * The own network whose mirror node, or whose verification service, an address is at; or its chain's node, where that is on
 * the same server as one of these: to another server a key that is kept for these does not go.
 *
 * @param nodes addresses of nodes by chain id
 */
export function ownNetworkOf(
  networks: readonly OwnNetwork[],
  url: string,
  nodes: Readonly<Record<string, string>> = {},
): OwnNetwork | undefined {
  return networks.find(({ ledgerUrl, verificationUrl = ledgerUrl, chainId }) => {
    const services = [baseAddress(ledgerUrl, "/api/v1"), baseAddress(verificationUrl)];
    if (services.some((base) => isAt(url, base))) return true;
    const node = chainId === undefined ? undefined : ownValue(nodes, chainId);
    return (
      typeof node === "string" &&
      isAt(url, baseAddress(node)) &&
      services.some((base) => URL.parse(base)?.origin === URL.parse(url)?.origin)
    );
  });
}

/** Whether an address lies at another one: the same server, and the same path or one below it. */
function isAt(address: string, base: string): boolean {
  const [url, own] = [URL.parse(address), URL.parse(base)];
  if (!url || url.origin !== own?.origin) return false;
  const path = own.pathname.replace(/\/+$/, "");
  return url.pathname === path || url.pathname.startsWith(`${path}/`);
}
