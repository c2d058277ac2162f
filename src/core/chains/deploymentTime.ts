import { isCancellation } from "../errors.ts";
import type { JsonRpc } from "./jsonRpc.ts";

/** A chain of a billion blocks is halved thirty times. */
const MAX_HALVINGS = 40;

/**
 * When a contract was deployed, in milliseconds since 1970: by its transaction, else by the first block after which there
 * is code at its address, as far as the node knows of old blocks; `undefined` where it does not tell.
 */
export async function deploymentTime(
  node: Pick<JsonRpc, "transactionTime" | "blockTime" | "newestBlock" | "codeAt">,
  {
    address,
    creationTransactionHash,
  }: { readonly address: string; readonly creationTransactionHash?: string | undefined },
  signal?: AbortSignal,
): Promise<number | undefined> {
  try {
    if (creationTransactionHash !== undefined) {
      const time = await node.transactionTime(creationTransactionHash, signal);
      if (time !== undefined) return time;
    }
    let [without, last] = [-1, await node.newestBlock(signal)];
    for (let left = MAX_HALVINGS; last - without > 1 && left > 0; left--) {
      const middle = Math.floor((without + last) / 2);
      if ((await node.codeAt(address, middle, signal)).length > 2) last = middle;
      else without = middle;
    }
    return await node.blockTime(last, signal);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return undefined;
  }
}
