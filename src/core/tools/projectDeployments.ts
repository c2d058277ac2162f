import { joinPath } from "../files/fileReader.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import { UnreadableFile } from "../files/unreadableFile.ts";
import type { Deployment } from "./deployment.ts";
import { readFoundryProfiles } from "./foundry/foundryConfig.ts";
import { foundryDeployments } from "./foundry/foundryBroadcasts.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { readHardhatConfig } from "./hardhat/hardhatConfig.ts";
import { hardhatDeployDeployments, ignitionDeployments } from "./hardhat/hardhatDeployments.ts";
import type { Project, ProjectTool } from "./project.ts";
import { apeDeployments } from "./ape/apeDeployments.ts";
import { moccasinDeployments } from "./moccasin/moccasinDeployments.ts";

/** Chains of development: what was deployed there can't be verified, but for a node that a person runs. */
const DEVELOPMENT_CHAINS = new Set(["1337", "31337"]);

/**
 * What the records of a project's tools say was deployed, each contract once, the newest first. Records of
 * development chains come last. What can't be read is noted as skipped.
 */
export async function projectDeployments(files: FolderReader, project: Project): Promise<Deployment[]> {
  const { root, tools, configurations } = project;
  const readers: Promise<Deployment[]>[] = [];
  const read = (tool: ProjectTool, reader: () => Promise<Deployment[]>) => {
    if (tools.includes(tool)) readers.push(withoutUnreadable(files, reader));
  };
  read("foundry", async () => {
    const profiles = await readFoundryProfiles(files, root);
    const folders = new Set(profiles.map(({ broadcast }) => joinPath(root, broadcast)));
    return (await Promise.all([...folders].map((folder) => foundryDeployments(files, folder)))).flat();
  });
  const hardhat = () => readHardhatConfig(files, root, configurations.hardhat ?? "");
  read("hardhat", async () => ignitionDeployments(files, joinPath(root, (await hardhat()).ignition)));
  read("hardhat", async () => hardhatDeployDeployments(files, joinPath(root, (await hardhat()).deployments)));
  read("ape", () => apeDeployments(files, root));
  read("moccasin", () => moccasinDeployments(files, root));
  const found = (await Promise.all(readers)).flat();

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

/** What one tool left may not be read, which says nothing about the others. An error of ours is no such thing. */
async function withoutUnreadable(
  files: FolderReader,
  read: () => Promise<Deployment[]>,
): Promise<Deployment[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    noteSkipped(files, error.path, error.reason);
    return [];
  }
}
