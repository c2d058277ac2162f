import { deploymentKey } from "../evm/deploymentKey.ts";
import { placesNamed } from "../languages/workspaceContract.ts";
import { deploymentOf, type Deployment } from "../service/submissionRequest.ts";
import { deploymentsOfContract } from "../workspace/contractsOfFile.ts";
import type { FoundDeployment } from "../workspace/workspaceDeployments.ts";
import type { JobRecord } from "./jobRecord.ts";

/** Where a contract of the workspace is known to be: by a tool's record, by jobs of ours, or by both. */
export interface KnownPlace extends Deployment {
  /** What the tool recorded. */
  readonly recorded?: FoundDeployment;
  /** The jobs of this contract there, newest first. */
  readonly jobs: readonly JobRecord[];
}

/**
 * Where a contract is known to be, each place once: what tools recorded first, then where it was submitted, the newest
 * first. An address at which a job found nothing deployed is no such place.
 *
 * @param contract `path/to/File.sol:Name`, as a person, a program or a row of ours may write it
 * @param known what the records of the workspace say was deployed, and all jobs, newest first
 * @throws LedgerLensError `invalid_contract` as {@link placesNamed}
 */
export function knownPlaces(
  folders: readonly string[],
  contract: string,
  known: { readonly found: readonly FoundDeployment[]; readonly jobs: readonly JobRecord[] },
): KnownPlace[] {
  const named = placesNamed(folders, contract);
  const own = known.jobs.filter(
    ({ address, submission }) =>
      address !== "" &&
      named.some(
        ({ path, contractName }) => submission?.path === path && submission.contractName === contractName,
      ),
  );
  const jobs = Map.groupBy(own, deploymentKey);
  const recorded = new Map(
    deploymentsOfContract(folders, contract, known.found).map((one) => [deploymentKey(one), one]),
  );
  const submitted = [...jobs].flatMap(([key, [newest]]) =>
    newest && !recorded.has(key) && !foundNothing(newest) ? [[key, newest] as const] : [],
  );
  return [
    ...[...recorded].map(([key, one]) => ({
      ...deploymentOf(one),
      recorded: one,
      jobs: jobs.get(key) ?? [],
    })),
    ...submitted.map(([key, newest]) => ({ ...deploymentOf(newest), jobs: jobs.get(key) ?? [] })),
  ];
}

function foundNothing({ explanation }: JobRecord): boolean {
  return explanation?.causes.some(({ code }) => code === "not_deployed") === true;
}
