import { t } from "@vscode/l10n";
import { filterInPieces, type Pieces } from "../concurrency/turns.ts";
import { foreign, likeness, passesForAnother, shown, type ShownText } from "../text/shownText.ts";

/** Chains that need a name before, or without, asking the service. */
const NAMES: ReadonlyMap<string, string | (() => string)> = new Map<string, string | (() => string)>([
  ["1", "Ethereum Mainnet"],
  ["10", "OP Mainnet"],
  ["56", "BNB Smart Chain"],
  ["97", "BNB Smart Chain Testnet"],
  ["100", "Gnosis"],
  ["130", "Unichain"],
  ["137", "Polygon"],
  ["295", "Hedera Mainnet"],
  ["296", "Hedera Testnet"],
  ["297", "Hedera Previewnet"],
  ["480", "World Chain"],
  ["5000", "Mantle"],
  ["8453", "Base"],
  ["10200", "Gnosis Chiado"],
  ["17000", "Holesky"],
  ["298", () => t`Hedera local node`],
  ["1337", () => t`Local chain`],
  ["31337", () => t`Local chain`],
  ["42161", "Arbitrum One"],
  ["42220", "Celo"],
  ["43113", "Avalanche Fuji"],
  ["43114", "Avalanche C-Chain"],
  ["59141", "Linea Sepolia"],
  ["59144", "Linea"],
  ["80002", "Polygon Amoy"],
  ["81457", "Blast"],
  ["84532", "Base Sepolia"],
  ["421614", "Arbitrum Sepolia"],
  ["534351", "Scroll Sepolia"],
  ["534352", "Scroll"],
  ["560048", "Hoodi"],
  ["11155111", "Sepolia"],
  ["11155420", "OP Sepolia"],
]);

/** Named for ledgers and local chains alone: the public service does not list it (argotorg/sourcify, `sourcify-chains-default.json`). */
const UNLISTED: readonly string[] = ["297", "298", "1337"];

/** Ids of the chains that are offered without the network. */
export const wellKnownChains: readonly string[] = [...NAMES.keys()].filter((id) => !UNLISTED.includes(id));

/** Whether a chain has a name before any service was asked. */
export function hasShippedName(chainId: string): boolean {
  return NAMES.has(chainId);
}

/** A longer one would push what follows it out of sight. */
const MAX_NAME_CHARACTERS = 60;
/** More chains than any service lists. */
export const MAX_LISTED = 5_000;

/** A chain, and what a person or a service calls it. */
export interface NamedChain {
  readonly chainId: string;
  readonly name: string;
}

/** Where names come from that are not shipped. */
interface ChainNameSources {
  /** What the person calls the chain of a network in the settings. */
  readonly own: (chainId: string) => string | undefined;
  /** What earlier sessions learned. */
  readonly kept: readonly NamedChain[];
  /** Keeps all that was learned. */
  readonly keep: (names: readonly NamedChain[]) => void;
}

/** What services list, as far as one was asked for its list; without names that pass for those of other chains. */
const listed = new Map<string, string>();
let ownName: ChainNameSources["own"] = () => undefined;
let keep: ChainNameSources["keep"] = () => undefined;

/** Says where names come from that are not shipped; until then, only those that are shipped or were learned are known. */
export function useChainNames(sources: ChainNameSources): void {
  ({ own: ownName, keep } = sources);
  const shipped = shippedLikenesses();
  for (const { chainId, name } of sources.kept.slice(0, MAX_LISTED))
    if (!listed.has(chainId) && isOwnName({ chainId, name }, shipped)) listed.set(chainId, name);
}

/** Takes note of what a service lists, which stays known when the service is away. */
export function* learnChainNames(chains: readonly NamedChain[]): Pieces<void> {
  const shipped = shippedLikenesses();
  const fresh = yield* filterInPieces(
    chains.slice(0, MAX_LISTED),
    (chain) => listed.get(chain.chainId) !== chain.name && isOwnName(chain, shipped),
  );
  if (fresh.length === 0) return;
  for (const { chainId, name } of fresh) {
    listed.delete(chainId);
    listed.set(chainId, name);
  }
  for (const oldest of [...listed.keys()].slice(0, Math.max(0, listed.size - MAX_LISTED)))
    listed.delete(oldest);
  keep([...listed].map(([chainId, name]) => ({ chainId, name })));
}

/**
 * What a chain is called everywhere: as the person calls it in the settings; by the name that is shipped, so that it is the
 * same before and after a service was asked, and no service can rename a chain that people know; as a service lists it.
 */
function nameOf(chainId: string): ShownText | undefined {
  const own = ownName(chainId);
  const isOwn = own !== undefined && isOwnName({ chainId, name: own }, shippedLikenesses());
  const name = (isOwn ? own : shippedName(chainId)) ?? listed.get(chainId);
  return name === undefined ? undefined : foreign(name, MAX_NAME_CHARACTERS);
}

/** Read when it is said, which may be in another language than when this file was loaded. */
function shippedName(chainId: string): string | undefined {
  const name = NAMES.get(chainId);
  return typeof name === "function" ? name() : name;
}

/** The chains that have a shipped name, by its {@link likeness}. */
function shippedLikenesses(): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(NAMES.keys(), (id) => likeness(shippedName(id) ?? ""));
}

/** Whether a chain that is called so does not pass for another one that has a shipped name. */
function isOwnName({ chainId, name }: NamedChain, shipped: ReadonlyMap<string, readonly string[]>): boolean {
  // What is not shown of a name makes no difference.
  const read = name.slice(0, MAX_NAME_CHARACTERS);
  const isOthers = (like: string) => shipped.get(like)?.some((id) => id !== chainId) ?? false;
  return read.trim() !== "" && !passesForAnother(read, isOthers);
}

/** "Hedera Testnet"; a chain without a name is "chain 12345". For the middle of a sentence. */
export function chainName(chainId: string): ShownText {
  return nameOf(chainId) ?? shown`chain ${chainId}`;
}

/** The same for the beginning of a line: "Hedera Testnet", "Chain 12345". */
export function chainTitle(chainId: string): ShownText {
  return nameOf(chainId) ?? shown`Chain ${chainId}`;
}

/** "Hedera Testnet (296)"; a chain without a name is "Chain 12345". */
export function chainLabel(chainId: string): ShownText {
  const name = nameOf(chainId);
  return name === undefined ? chainTitle(chainId) : foreign(`${name} (${chainId})`);
}
