import { chainName } from "../chains/chainNames.ts";
import { isOutOfReach } from "../chains/privateChains.ts";
import { deploymentKey } from "../evm/deploymentKey.ts";
import { shortAddress, shown, type ShownText } from "../text/shownText.ts";
import type { FoundDeployment } from "../workspace/workspaceDeployments.ts";
import type { JobRecord } from "./jobRecord.ts";

/** No run deploys so many; each that is offered is remembered for months. */
const MAX_OFFERED = 1_000;

/**
 * The deployments whose verification is worth an offer: of a contract that the workspace has, on a chain that the service
 * can see, and without a job.
 *
 * @param host of the service
 */
export function worthOffering(
  deployments: readonly FoundDeployment[],
  host: string,
  jobs: readonly JobRecord[],
): FoundDeployment[] {
  const submitted = new Set(jobs.map(deploymentKey));
  return deployments
    .filter((one) => one.defined && !isOutOfReach(one.chainId, host) && !submitted.has(deploymentKey(one)))
    .slice(0, MAX_OFFERED);
}

/** What was deployed, in a sentence. */
export function deployedWords(deployments: readonly FoundDeployment[]): ShownText {
  const [first] = deployments;
  if (!first) return shown``;
  const chains = new Set(deployments.map(({ chainId }) => chainId)).size;
  const count = deployments.length.toLocaleString("en-US");
  if (chains > 1) return shown`${count} contracts deployed on ${chains} chains.`;
  const chain = chainName(first.chainId);
  if (deployments.length > 1) return shown`${count} contracts deployed on ${chain}.`;
  const name = first.defined?.name ?? first.contract;
  return shown`${name} deployed to ${shortAddress(first.address)} on ${chain}.`;
}
