import { createHash } from "node:crypto";
import { LedgerLensError } from "../../errors.ts";

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
}

function hedera(id: string, ledgerId: number): LedgerNetwork {
  return {
    id,
    name: `Hedera ${id.charAt(0).toUpperCase()}${id.slice(1)}`,
    ledgerUrl: `https://${id}.mirrornode.hedera.com`,
    explorerUrl: `https://hashscan.io/${id}`,
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
 * The network that the command `selectNetwork` switches to.
 *
 * @throws LedgerLensError `invalid_parameter` for a name that is no public network.
 */
export function selectableNetwork(id: unknown): LedgerNetwork {
  const network = typeof id === "string" ? publicNetwork(id) : undefined;
  if (network) return network;
  throw new LedgerLensError(
    "invalid_parameter",
    "There is no such network: choose mainnet, testnet or previewnet, or set ledgerLens.ledgerUrl to any other ledger.",
  );
}

/**
 * The network that answers at this address. An address that is not a public network's is a network of its
 * own, named by its host, so that its data can't pass for another's.
 *
 * @throws LedgerLensError `invalid_url` for what is no http or https address.
 */
export function networkAt(ledgerUrl: string): LedgerNetwork {
  const url = URL.parse(ledgerUrl);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new LedgerLensError(
      "invalid_url",
      "The ledger's address is not an http or https address. Check the setting ledgerLens.ledgerUrl.",
    );
  }
  const base = url.origin + url.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
  const hosted = /^https:\/\/(\w+?)(?:-public)?\.mirrornode\.hedera\.com$/.exec(base);
  const known = hosted?.[1] === undefined ? undefined : publicNetwork(hosted[1]);
  if (known) return { ...known, ledgerUrl: base };
  return { id: url.host + pathMark(base.slice(url.origin.length)), name: url.host, ledgerUrl: base };
}

/** What tells the ledgers of one host apart without telling their paths. */
function pathMark(path: string): string {
  return path === "" ? "" : `~${createHash("sha256").update(path).digest("hex").slice(0, 12)}`;
}
