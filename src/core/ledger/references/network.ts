import { httpUrl } from "../../http/httpUrl.ts";
import { hederaExplorer } from "../../chains/blockExplorers.ts";
import { chainLabel } from "../../chains/chainNames.ts";
import { t } from "@vscode/l10n";
import { createHash } from "node:crypto";
import { LedgerLensError } from "../../errors.ts";
import { baseAddress } from "../../http/joinedAddress.ts";
import { decodedOnce } from "../../http/shownAddress.ts";
import { likeness, passesForAnother, shown, type ShownText } from "../../text/shownText.ts";
import { definedOnly } from "../../json/looseData.ts";
import type { OwnNetwork } from "./ownNetworks.ts";
import { capitalised } from "../../text/capitalised.ts";

/** A ledger that can be asked, and what belongs to it. Everything loaded carries the network it came from. */
export interface LedgerNetwork {
  /**
   * `mainnet`, `testnet`, `previewnet`; for any other ledger its host, with the port, and where it has a path a mark of
   * the path, which may hold a key: the id is shown and kept.
   */
  readonly id: string;
  /** "Hedera Mainnet", or the host. */
  readonly name: string;
  /** Base of the REST interface, without a slash at the end. */
  readonly ledgerUrl: string;
  /** Base of the explorer's pages, without a slash at the end. */
  readonly explorerUrl?: string;
  /** Decimal digits. */
  readonly chainId?: string;
  readonly rpcUrl?: string;
  /** The ledger id that goes into address checksums (HIP-15): one byte. */
  readonly ledgerId?: number;
  /** The header in which it wants a key. */
  readonly keyHeader?: string;
}

function hedera(id: string, ledgerId: number): LedgerNetwork {
  return {
    id,
    name: `Hedera ${capitalised(id)}`,
    ledgerUrl: `https://${id}.mirrornode.hedera.com`,
    explorerUrl: hederaExplorer(id),
    chainId: String(295 + ledgerId),
    rpcUrl: `https://${id}.hashio.io/api`,
    ledgerId,
  };
}

/** The public networks, the one with real value first. */
export const publicNetworks: readonly LedgerNetwork[] = [
  hedera("mainnet", 0),
  hedera("testnet", 1),
  hedera("previewnet", 2),
];

/** The public network of this name, if there is one. */
export function publicNetwork(id: string): LedgerNetwork | undefined {
  return publicNetworks.find((network) => network.id === id);
}

/**
 * The public network that a ledger belongs to, also where another provider runs the mirror node: told by its id, else by its chain
 * id, since a provider's address says neither.
 */
export function publicNetworkOf({
  id,
  chainId,
}: Pick<LedgerNetwork, "id" | "chainId">): LedgerNetwork | undefined {
  return publicNetwork(id) ?? publicNetworks.find((network) => network.chainId === chainId);
}

/**
 * The network that the command `selectNetwork` switches to.
 *
 * @param id of a public network, or the name of an own one
 * @throws LedgerLensError `invalid_parameter` for a name that is none of these
 */
export function selectableNetwork(id: unknown, own: readonly OwnNetwork[] = []): LedgerNetwork {
  const network = typeof id === "string" ? publicNetwork(id) : undefined;
  if (network) return network;
  const named = own.find(({ name }) => name === id);
  if (named) return networkAt(named.ledgerUrl, own);
  throw new LedgerLensError(
    "invalid_parameter",
    t`There is no such network: choose mainnet, testnet, previewnet or one of ledgerLens.networks, or set ledgerLens.ledgerUrl to any other ledger.`,
  );
}

/**
 * The name of the network that a link means. The editor hands over a query that it has decoded, in which a plus sign is one of
 * the name (`%2B`, or written as it is) or a blank as forms write it, `&` one of the name or the begin of something that is not
 * read, and a percent sign one of the name or of a name that was encoded twice: a name that there is counts before one that is
 * guessed.
 */
export function networkNameInLink(written: string, own: readonly OwnNetwork[]): string {
  const names = [...publicNetworks.map(({ id }) => id), ...own.map(({ name }) => name)];
  const asForm = (name: string) => name.trim().replaceAll(" ", "+");
  for (const one of [written, decodedOnce(written), written.replace(/&.*/s, "")]) {
    if (names.includes(one)) return one;
    const meant = names.filter((name) => asForm(name) === asForm(one));
    // Of two that may be meant it is unknown which one is.
    if (meant.length > 1) return written;
    if (meant[0] !== undefined) return meant[0];
  }
  return written;
}

/** How a link says which network it is of. */
interface SaidNetwork {
  /** See {@link networkNameInLink}. */
  readonly network?: string | undefined;
  /** Decimal digits. */
  readonly chainId?: string | undefined;
}

/**
 * What {@link selectableNetwork} takes for the network that a link is of; `undefined` where that is the chosen one,
 * or where the link does not say. What is at an address of one chain is something else on another.
 *
 * @throws LedgerLensError `invalid_parameter` for a network that is not known, for a chain that is none of a known network's,
 * and where the two disagree
 */
export function networkOfLink(
  { network, chainId }: SaidNetwork,
  chosen: LedgerNetwork,
  own: readonly OwnNetwork[],
): string | undefined {
  if (network !== undefined) {
    const selection = networkNameInLink(network, own);
    const wanted = selectableNetwork(selection, own);
    if (chainId !== undefined && wanted.chainId !== chainId)
      throw new LedgerLensError(
        "invalid_parameter",
        t`This link names ${wanted.name} and ${chainLabel(chainId)}, which are not the same. Correct one of them in the link.`,
      );
    // Two own networks may be at one address but for its query.
    return wanted.id === chosen.id && wanted.name === chosen.name ? undefined : selection;
  }
  if (chainId === undefined || chainId === chosen.chainId) return undefined;
  const selection =
    publicNetworks.find((one) => one.chainId === chainId)?.id ??
    own.find((one) => one.chainId === chainId)?.name;
  if (selection !== undefined) return selection;
  throw new LedgerLensError(
    "invalid_parameter",
    t`This link is of ${chainLabel(chainId)}, which is no network that Ledger Lens shows. Open it in the explorer of that chain, or add its ledger to ledgerLens.networks.`,
  );
}

/** A network by its id, among the public ones and a person's own. */
interface FoundNetwork {
  /** "Hedera Mainnet", or as a person named it. */
  readonly name: string;
  /** What {@link selectableNetwork} takes for it. */
  readonly selection: string;
}

/** @returns `undefined` for an id whose network is not set up any more */
export function networkOfId(id: string, own: readonly OwnNetwork[] = []): FoundNetwork | undefined {
  const known = publicNetwork(id);
  if (known) return { name: known.name, selection: id };
  for (const { name: selection, ledgerUrl } of own) {
    const network = networkAt(ledgerUrl, own);
    if (network.id === id) return { name: network.name, selection };
  }
  return undefined;
}

/** Why something is not loaded: it is of a network, by its name, that is not the chosen one. */
export function otherNetworkWords(of: string, chosen: string): ShownText {
  return shown`This is of ${of}, while ${chosen} is chosen. Change the network to load it.`;
}

/**
 * The network that answers at this address. An address that is not a public network's is a network of its
 * own, named by its host or as a person named it, so that its data can't pass for another's.
 *
 * @param own networks that a person set up
 * @throws LedgerLensError `invalid_url` for what is no http or https address.
 */
export function networkAt(ledgerUrl: string, own: readonly OwnNetwork[] = []): LedgerNetwork {
  const url = httpUrl(ledgerUrl);
  if (!url) {
    throw new LedgerLensError(
      "invalid_url",
      t`The ledger's address is not an http or https address. Check the setting ledgerLens.ledgerUrl.`,
    );
  }
  const base = baseAddress(url.origin + url.pathname, "/api/v1");
  // Providers put their customers' keys into the query, which goes along with every request.
  const asked = baseAddress(base + url.search);
  const hosted = /^https:\/\/(\w+?)(?:-public)?\.mirrornode\.hedera\.com$/.exec(base);
  const known = hosted?.[1] === undefined ? undefined : publicNetwork(hosted[1]);
  if (known) return { ...known, ledgerUrl: asked };
  const network = {
    id: url.host + pathMark(base.slice(url.origin.length)),
    name: url.host,
    ledgerUrl: asked,
  };
  const named = own.find((one) => baseAddress(one.ledgerUrl, "/api/v1") === asked);
  if (!named) return network;
  const { name, chainId, explorerUrl, headerName } = named;
  return {
    ...network,
    // No network can call itself as a public one.
    ...(!passesForAnother(name, (like) =>
      publicNetworks.some((one) => [one.name, one.id].some((of) => likeness(of) === like)),
    ) && { name }),
    ...definedOnly({ chainId, explorerUrl, keyHeader: headerName }),
  };
}

/** What tells the ledgers of one host apart without telling their paths. */
function pathMark(path: string): string {
  return path === "" ? "" : `~${createHash("sha256").update(path).digest("hex").slice(0, 12)}`;
}
