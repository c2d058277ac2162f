import { toMatch } from "../service/job.ts";
import { recordStatus } from "./jobRecord.ts";
import type { JobStore } from "./jobStore.ts";

/** The contract that was verified from this workspace at an address; `undefined` when none was. */
export async function recordedContract(
  store: JobStore,
  chainId: string,
  address: string,
): Promise<{ readonly contractName: string; readonly path: string } | undefined> {
  await store.load();
  const record = store
    .all()
    .find(
      (one) =>
        one.chainId === chainId &&
        one.address.toLowerCase() === address.toLowerCase() &&
        one.submission !== undefined &&
        toMatch(recordStatus(one)) !== undefined,
    );
  const { contractName, path } = record?.submission ?? {};
  return contractName === undefined || path === undefined ? undefined : { contractName, path };
}
