import { isInside, joinPath } from "../../files/fileReader.ts";
import type { ToolPlace, ToolRules } from "../toolShape.ts";
import { foundryArtifacts } from "./foundryArtifacts.ts";
import { foundryDeployments } from "./foundryDeployments.ts";
import {
  configuredPath,
  readFoundryConfig,
  readFoundryProfiles,
  type FoundryConfig,
} from "./foundryConfig.ts";
import { foundryCompilation, foundryIncludes, isInChosenJob, nameInForgesJob } from "./foundryInput.ts";
import { foundryNamings } from "./foundryNamings.ts";
import { foundryRecords } from "./foundryRecords.ts";
import { foundryVyper } from "./foundryVyper.ts";

/** Soldeer, which comes with forge, installs there, whatever the configuration says. */
const SOLDEER_FOLDER = "dependencies";

async function broadcastFolders({ files, root }: ToolPlace): Promise<string[]> {
  const profiles = await readFoundryProfiles(files, root);
  return [...new Set(profiles.map(({ broadcast }) => joinPath(root, broadcast)))];
}

/** How Foundry reads a project. */
export const foundryRules: ToolRules = {
  async folders({ files, root }) {
    const profiles = await readFoundryProfiles(files, root);
    const absolute = (folder: string) => configuredPath(root, folder);
    return {
      own: profiles.flatMap(({ src, test, script }) => [src, test, script].map(absolute)),
      foreign: profiles.flatMap(({ libs, out, cachePath, buildInfoFolder, broadcast }) =>
        [...libs, out, cachePath, buildInfoFolder, broadcast, SOLDEER_FOLDER].map(absolute),
      ),
    };
  },
  async dependencies({ files, root, profile }) {
    const { libs } = await readFoundryConfig(files, root, { profile });
    return [...libs.map((lib) => configuredPath(root, lib)), joinPath(root, SOLDEER_FOLDER)];
  },
  solidity: {
    compilation: foundryCompilation,
    async standing({ files, root, profile }, path) {
      const holds = ({ src, test, script }: FoundryConfig) =>
        [src, test, script].some((folder) => isInside(path, configuredPath(root, folder)));
      const chosen = await readFoundryConfig(files, root, { profile });
      return {
        compiles: holds(chosen),
        compilesElse: (await readFoundryProfiles(files, root)).some(holds),
        says: chosen.unknown.length > 0 ? "part" : "all",
      };
    },
    nameInJob: nameInForgesJob,
    isInJob: isInChosenJob,
    namings: foundryNamings,
    includes: async ({ files, root, profile }) =>
      foundryIncludes(await readFoundryConfig(files, root, { profile })),
    saysAll: true,
  },
  configured: { Vyper: foundryVyper },
  buildRecords: foundryRecords,
  artifacts: foundryArtifacts,
  deployments: [
    {
      recorder: "foundry",
      places: broadcastFolders,
      read: async (place) => {
        const folders = await broadcastFolders(place);
        return (await Promise.all(folders.map((folder) => foundryDeployments(place.files, folder)))).flat();
      },
    },
  ],
};
