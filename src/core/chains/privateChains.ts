import { httpUrl } from "../http/httpUrl.ts";
import { chainIdOf, LOCAL_CHAINS } from "../chainId.ts";
import { isNear, isOfInternet, writtenHost } from "../http/nearHosts.ts";
import { hasShippedName, MAX_LISTED } from "./chainNames.ts";

/** What a person set up of chains: where their ledgers are, and their nodes. */
interface ConfiguredChains {
  readonly ledgers: readonly { readonly ledgerUrl: string; readonly chainId?: string }[];
  /** Addresses by chain id. */
  readonly nodes: ReadonlyMap<string, string>;
}

let configuredChains: () => ConfiguredChains = () => ({ ledgers: [], nodes: new Map() });
/** Ids of the chains that a service lists, by its host, as far as it was asked for its list. */
const listedChains = new Map<string, ReadonlySet<string>>();
/** More services than a person has. */
const MAX_SERVICES = 20;

/** Says where it is read what a person set up; until then, only chains of this machine are known as private. */
export function useConfiguredChains(read: () => ConfiguredChains): void {
  configuredChains = read;
}

/** Takes note of which chains a service lists. */
export function learnListedChains(host: string, chainIds: readonly string[]): void {
  listedChains.delete(host);
  listedChains.set(host, new Set(chainIds.slice(0, MAX_LISTED)));
  const [oldest] = listedChains.keys();
  if (listedChains.size > MAX_SERVICES && oldest !== undefined) listedChains.delete(oldest);
}

/**
 * Whether a chain is of this machine, or of the network that it is in, while a service is not, so that the service can't see
 * what is deployed there and is told nothing of it. That is said by its id, or by what a person set up of the chain, where all of
 * that is near and the chain is no public one that is known by name. One that the service lists is a public one, too, of which
 * a person runs a node, unless there is a ledger of it that is near: it has the number of another chain then.
 *
 * @param host with or without a port
 */
export function isOutOfReach(chainId: string, host: string): boolean {
  const id = chainIdOf(chainId);
  if (id === undefined || isNear(host)) return false;
  if (isLocalById(id)) return true;
  const { hasLedger, isPrivate } = setUpOf(id);
  return isPrivate && (hasLedger || listedChains.get(host)?.has(id) !== true);
}

/** Whether a chain is of this machine by its id, whatever a person set up. */
export function isLocalById(chainId: string): boolean {
  return LOCAL_CHAINS.has(chainIdOf(chainId) ?? "");
}

/**
 * Whether it is for the list of a service to say if {@link isOutOfReach} goes for a chain: its node is near, which a person may
 * run of a public chain. To ask for the list tells nothing of the chain.
 */
export function isToldByList(chainId: string): boolean {
  const id = chainIdOf(chainId);
  if (id === undefined || isLocalById(id)) return false;
  const { hasLedger, isPrivate } = setUpOf(id);
  return isPrivate && !hasLedger;
}

/**
 * Whether a ledger is one of this machine, or of the network that it is in, while a service is not: nothing of what is on
 * that ledger is told to the service. That its chain has the number of a public one changes nothing: it may be a copy of it.
 */
export function isLedgerOutOfReach(
  ledger: { readonly ledgerUrl: string; readonly chainId?: string },
  host: string,
): boolean {
  return isOutOfReach(ledger.chainId ?? "", host) || (isPrivateAddress(ledger.ledgerUrl) && !isNear(host));
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

/** Whether something is set up of a chain, all of it private, and whether there is a ledger. */
function setUpOf(chainId: string): { readonly hasLedger: boolean; readonly isPrivate: boolean } {
  if (hasShippedName(chainId)) return { hasLedger: false, isPrivate: false };
  const { ledgers, nodes } = configuredChains();
  const own = ledgers.filter((one) => one.chainId === chainId).map(({ ledgerUrl }) => ledgerUrl);
  // What is no address is no place, near or far.
  const places = [...own, nodes.get(chainId) ?? ""].flatMap((address) => writtenHost(address) ?? []);
  return {
    hasLedger: own.length > 0,
    isPrivate: places.length > 0 && !places.some((host) => isOfInternet(host)),
  };
}

function isPrivateAddress(address: string): boolean {
  const host = writtenHost(address);
  return host !== undefined && !isOfInternet(host);
}
