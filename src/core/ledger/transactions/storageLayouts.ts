import { inPool } from "../../concurrency/inPool.ts";
import { saysTheSame, type StorageLayout } from "../../evm/storageLayout.ts";
import { delegatesOf, type ActionTree } from "../actions/actionTree.ts";
import type { StorageLayouts } from "./stateRows.ts";
import type { ContractExecution } from "./transactionRecord.ts";

/** A diamond has many facets, and the layout of each is looked through for every slot. */
const MAX_LAYOUTS = 8;
const LOOK_UPS_AT_ONCE = 4;

/**
 * Looks for where the variables lie of the contracts whose storage was read or written. A proxy's are its own and those of
 * what it runs, together: the layout of one that has no variables says nothing, and leaves its slots to the others.
 *
 * @param layoutOf of the code at an address in lower case
 * @param found is told of each contract with its layouts as soon as they are known
 */
export async function findStorageLayouts(
  tree: ActionTree,
  execution: ContractExecution | undefined,
  layoutOf: (address: string) => Promise<StorageLayout | undefined>,
  found: (layouts: StorageLayouts) => void,
): Promise<void> {
  const contracts = new Map(
    (execution?.state_changes ?? []).map(({ address = "", contract_id: id }) => [address.toLowerCase(), id]),
  );
  contracts.delete("");
  const known = new Map<string, readonly StorageLayout[]>();
  await inPool([...contracts], LOOK_UPS_AT_ONCE, async ([address, id]) => {
    const layouts: StorageLayout[] = [];
    for (const code of new Set([address, ...delegatesOf(tree, { id, address })])) {
      if (layouts.length === MAX_LAYOUTS) break;
      const layout = await layoutOf(code);
      if (!layout || layout.storage.length === 0) continue;
      if (!layouts.some((one) => saysTheSame(one, layout))) layouts.push(layout);
    }
    if (layouts.length === 0) return;
    known.set(address, layouts);
    found(new Map(known));
  });
}
