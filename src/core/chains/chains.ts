import { t } from "@vscode/l10n";

/** Chains that need a name before, or without, asking the service. */
const NAMES: ReadonlyMap<string, string | (() => string)> = new Map<string, string | (() => string)>([
  ["1", "Ethereum Mainnet"],
  ["10", "OP Mainnet"],
  ["56", "BNB Smart Chain"],
  ["100", "Gnosis"],
  ["137", "Polygon"],
  ["295", "Hedera Mainnet"],
  ["296", "Hedera Testnet"],
  ["297", "Hedera Previewnet"],
  ["8453", "Base"],
  ["17000", "Holesky"],
  ["298", () => t`Hedera local node`],
  ["1337", () => t`Local chain`],
  ["31337", () => t`Local chain`],
  ["42161", "Arbitrum One"],
  ["43114", "Avalanche C-Chain"],
  ["59144", "Linea"],
  ["84532", "Base Sepolia"],
  ["534352", "Scroll"],
  ["11155111", "Sepolia"],
]);

/** Named for ledgers and local chains alone: the public service does not list it (argotorg/sourcify, `sourcify-chains-default.json`). */
const UNLISTED: readonly string[] = ["297", "298", "1337"];

/** Ids of the chains that are offered without the network. */
export const wellKnownChains: readonly string[] = [...NAMES.keys()].filter((id) => !UNLISTED.includes(id));

/** Read when it is said, which may be in another language than when this file was loaded. */
function nameOf(chainId: string): string | undefined {
  const name = NAMES.get(chainId);
  return typeof name === "function" ? name() : name;
}

/** "Hedera Testnet"; a chain without a name is "chain 12345". For the middle of a sentence. */
export function chainName(chainId: string): string {
  return nameOf(chainId) ?? t`chain ${chainId}`;
}

/** "Hedera Testnet (296)"; a chain without a name is "Chain 12345". */
export function chainLabel(chainId: string): string {
  const name = nameOf(chainId);
  return name ? `${name} (${chainId})` : t`Chain ${chainId}`;
}
