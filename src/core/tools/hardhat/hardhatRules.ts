import { joinPath, relativePath } from "../../files/fileReader.ts";
import { ownValue } from "../../json/ownValue.ts";
import type { ToolPlace, ToolRules } from "../toolShape.ts";
import { hardhatArtifactBuild } from "./hardhatArtifact.ts";
import { readHardhatConfig, type HardhatConfig } from "./hardhatConfig.ts";
import { hardhatDeployDeployments, ignitionDeployments } from "./hardhatDeployments.ts";
import { hardhatDeployInputs } from "./hardhatDeployInputs.ts";
import { hardhat2Remappings } from "./hardhat2Remappings.ts";
import { hardhatCompilation, isHardhatSource, nameInHardhatsJob } from "./hardhatInput.ts";
import { hardhatNamings } from "./hardhatNamings.ts";
import { hardhatArtifactFolders, hardhatRecords } from "./hardhatRecords.ts";

const configOf = ({ files, root, opened, configuration = "" }: ToolPlace): Promise<HardhatConfig> =>
  readHardhatConfig(files, root, configuration, undefined, opened);

const ignitionFolder = async (place: ToolPlace) => joinPath(place.root, (await configOf(place)).ignition);
const deploymentsFolder = async (place: ToolPlace) =>
  joinPath(place.root, (await configOf(place)).deployments);

/** How Hardhat reads a project. */
export const hardhatRules: ToolRules = {
  async folders(place) {
    const { artifacts, sources, tests } = await configOf(place);
    const absolute = (folder: string) => joinPath(place.root, folder);
    return {
      own: [...sources, ...(tests === undefined ? [] : [tests])].map(absolute),
      foreign: [artifacts, "cache"].map(absolute),
    };
  },
  solidity: {
    compilation: hardhatCompilation,
    async standing(place, path) {
      const config = await configOf(place);
      const override = ownValue(config.overrides, relativePath(path, place.root) ?? path);
      const unknown = override
        ? override.unknown
        : [...config.unknownCompilers, ...config.compilers.flatMap((one) => one.unknown)];
      const says = unknown.length > 0 ? "part" : config.namesCompilers ? "all" : "nothing";
      return { compiles: isHardhatSource(config, path), says };
    },
    nameInJob: async (place, sources, path) =>
      nameInHardhatsJob(place.files, sources, await configOf(place), path),
    namings: hardhatNamings,
  },
  buildRecords: hardhatRecords,
  artifacts: async (place, { path, contractName }) =>
    (await hardhatArtifactFolders(place, path)).map((folder) => joinPath(folder, `${contractName}.json`)),
  artifactBuild: hardhatArtifactBuild,
  recordRemappings: hardhat2Remappings,
  deployments: [
    {
      recorder: "hardhat-ignition",
      places: async (place) => [await ignitionFolder(place)],
      read: async (place) => ignitionDeployments(place.files, await ignitionFolder(place)),
    },
    {
      recorder: "hardhat-deploy",
      places: async (place) => [await deploymentsFolder(place)],
      read: async (place) => hardhatDeployDeployments(place.files, await deploymentsFolder(place)),
      keptInputs: hardhatDeployInputs,
    },
  ],
};
