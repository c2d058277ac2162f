/** Base addresses of the explorers that people of these chains use, as viem's list of chains has them, by chain id. */
export const EXPLORERS: ReadonlyMap<string, string> = new Map([
  ["1", "https://etherscan.io"],
  ["10", "https://optimistic.etherscan.io"],
  ["56", "https://bscscan.com"],
  ["97", "https://testnet.bscscan.com"],
  ["100", "https://gnosisscan.io"],
  ["130", "https://uniscan.xyz"],
  ["137", "https://polygonscan.com"],
  ["480", "https://worldscan.org"],
  ["5000", "https://mantlescan.xyz"],
  ["8453", "https://basescan.org"],
  ["10200", "https://blockscout.chiadochain.net"],
  ["42161", "https://arbiscan.io"],
  ["42220", "https://celoscan.io"],
  ["43113", "https://testnet.snowtrace.io"],
  ["43114", "https://snowtrace.io"],
  ["59141", "https://sepolia.lineascan.build"],
  ["59144", "https://lineascan.build"],
  ["80002", "https://amoy.polygonscan.com"],
  ["81457", "https://blastscan.io"],
  ["84532", "https://sepolia.basescan.org"],
  ["421614", "https://sepolia.arbiscan.io"],
  ["534351", "https://sepolia.scrollscan.com"],
  ["534352", "https://scrollscan.com"],
  ["560048", "https://hoodi.etherscan.io"],
  ["11155111", "https://sepolia.etherscan.io"],
  ["11155420", "https://optimism-sepolia.blockscout.com"],
]);

/** Base address of the explorer of a network of Hedera, "mainnet". */
export function hederaExplorer(network: string): string {
  return `https://hashscan.io/${network}`;
}

const HEDERA: ReadonlyMap<string, string> = new Map([
  ["295", hederaExplorer("mainnet")],
  ["296", hederaExplorer("testnet")],
  ["297", hederaExplorer("previewnet")],
]);

/** The page of a contract at the explorer of its chain, mostly by EIP-3091; `undefined` where none is known. */
export function explorerPage(chainId: string, address: string): string | undefined {
  // A job that was taken up by its id may not say of which contract it is.
  if (address === "") return undefined;
  const hedera = HEDERA.get(chainId);
  if (hedera !== undefined) return `${hedera}/contract/${address}`;
  const explorer = EXPLORERS.get(chainId);
  return explorer && `${explorer}/address/${address}`;
}
