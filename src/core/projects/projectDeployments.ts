import { joinPath } from "../files.ts";
import type { Deployment } from "./deployment.ts";
import { readFoundryConfig } from "./foundryConfig.ts";
import { foundryDeployments } from "./foundryBroadcasts.ts";
import type { FolderReader } from "./folderReader.ts";
import { readHardhatConfig } from "./hardhatConfig.ts";
import { hardhatDeployDeployments, ignitionDeployments } from "./hardhatDeployments.ts";
import type { Project } from "./project.ts";
import { apeDeployments, moccasinDeployments } from "./pythonDeployments.ts";

/** Chains of development: what was deployed there can't be verified, but for a node that a person runs. */
const DEVELOPMENT_CHAINS = new Set(["1337", "31337"]);

/**
 * What the records of a project's tools say was deployed, each contract once, the newest first. Records of
 * development chains come last.
 */
export async function projectDeployments(files: FolderReader, project: Project): Promise<Deployment[]> {
  const { root, tools, configurations } = project;
  const found: Deployment[] = [];
  if (tools.includes("foundry")) {
    const { broadcast } = await readFoundryConfig(files, root);
    found.push(...(await foundryDeployments(files, joinPath(root, broadcast))));
  }
  if (tools.includes("hardhat")) {
    const config = await readHardhatConfig(files, root, configurations.hardhat ?? "");
    found.push(...(await ignitionDeployments(files, joinPath(root, config.ignition))));
    found.push(...(await hardhatDeployDeployments(files, joinPath(root, config.deployments))));
  }
  if (tools.includes("ape")) found.push(...(await apeDeployments(files, root)));
  if (tools.includes("moccasin")) found.push(...(await moccasinDeployments(files, root)));

  const byPlace = new Map<string, Deployment>();
  for (const deployment of found) {
    const place = `${deployment.chainId}:${deployment.address.toLowerCase()}`;
    const before = byPlace.get(place);
    if (!before || (deployment.when ?? 0) > (before.when ?? 0)) byPlace.set(place, deployment);
  }
  return [...byPlace.values()].sort(
    (a, b) =>
      Number(DEVELOPMENT_CHAINS.has(a.chainId)) - Number(DEVELOPMENT_CHAINS.has(b.chainId)) ||
      (b.when ?? 0) - (a.when ?? 0),
  );
}
