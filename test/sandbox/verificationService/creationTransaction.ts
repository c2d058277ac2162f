import type { Rpc } from "../chain.ts";

/** The service gives up after two minutes (contract-creation-util.ts, `BINARY_SEARCH_TIMEOUT_MS`). */
const LONGEST_SEARCH_MS = 2 * 60_000;

/**
 * The transaction that created a contract, found in the code of earlier blocks: the first block at which there is code
 * is bisected, and its transactions to no address are asked for what they created. One that a factory created has none,
 * and a node that keeps no earlier code gives none (argotorg/sourcify, services/server/src/server/services/utils/
 * contract-creation-util.ts, `findContractCreationTxByBinarySearch`).
 */
export async function findCreationTransaction(rpc: Rpc, address: string): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, LONGEST_SEARCH_MS, undefined);
  });
  try {
    return await Promise.race([search(rpc, address), patience]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

async function search(rpc: Rpc, address: string): Promise<string | undefined> {
  const block = await rpc<{ transactions: readonly { hash: string; to: string | null }[] } | null>(
    "eth_getBlockByNumber",
    hex(await firstBlockWithCode(rpc, address)),
    true,
  );
  for (const { hash, to } of block?.transactions ?? []) {
    if (to !== null) continue;
    const receipt = await rpc<{ contractAddress: string | null } | null>("eth_getTransactionReceipt", hash);
    if (receipt?.contractAddress?.toLowerCase() === address.toLowerCase()) return hash;
  }
  return undefined;
}

async function firstBlockWithCode(rpc: Rpc, address: string): Promise<number> {
  let first = 0;
  let last = Number(await rpc<string>("eth_blockNumber"));
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    const code = await rpc<string>("eth_getCode", address, hex(middle));
    if (code === "0x") first = middle + 1;
    else last = middle;
  }
  return first;
}

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}
