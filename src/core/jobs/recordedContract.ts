import { isSameAddress } from "../evm/address.ts";
import { deploymentKey } from "../evm/deploymentKey.ts";
import { keptAddress } from "../http/keptAddress.ts";
import { isMatch, type Match, toMatch } from "../service/job.ts";
import { recordStatus } from "./jobRecord.ts";
import type { JobStore } from "./jobStore.ts";

/** The contract that was verified from this workspace at an address; `undefined` when none was. */
export async function recordedContract(
  store: JobStore,
  chainId: string,
  address: string,
): Promise<{ readonly contractName: string; readonly path: string } | undefined> {
  await store.load();
  const key = deploymentKey({ chainId, address });
  const record = store
    .all()
    .find((one) => deploymentKey(one) === key && one.submission !== undefined && isMatch(recordStatus(one)));
  const { contractName, path } = record?.submission ?? {};
  return contractName === undefined || path === undefined ? undefined : { contractName, path };
}

/** A chain on which a contract was verified from this workspace. */
interface VerifiedPlace {
  readonly chainId: string;
  readonly match: Match;
  /** Absent where no source was submitted. */
  readonly contractName?: string;
}

/**
 * Where the contract at an address was verified from this workspace, as the newest such job for each chain says.
 *
 * @param service the address of the service that says so
 */
export async function verifiedPlaces(
  store: JobStore,
  service: string,
  address: string,
): Promise<readonly VerifiedPlace[]> {
  await store.load();
  const places = new Map<string, VerifiedPlace>();
  for (const record of store.all()) {
    const { chainId, submission } = record;
    const match = toMatch(recordStatus(record));
    const isThere = record.service === keptAddress(service) && isSameAddress(record.address, address);
    if (!isThere || match === undefined || places.has(chainId)) continue;
    places.set(chainId, { chainId, match, ...(submission && { contractName: submission.contractName }) });
  }
  return [...places.values()];
}
