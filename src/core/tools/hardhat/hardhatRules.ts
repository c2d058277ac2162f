import { joinPath, relativePath } from "../../files/fileReader.ts";
import { ownValue } from "../../json/ownValue.ts";
import type { ToolPlace, ToolRules } from "../toolShape.ts";
import { hardhatArtifactBuild } from "./hardhatArtifact.ts";
import { hardhatConfigOf } from "./hardhatConfig.ts";
import { hardhatDeployDeployments, ignitionDeployments } from "./hardhatDeployments.ts";
import { hardhatDeployInputs } from "./hardhatDeployInputs.ts";
import { hardhatRelease } from "./hardhatRelease.ts";
import { hardhat2Remappings } from "./hardhat2Remappings.ts";
import { hardhatCompilation, isHardhatSource, nameInHardhatsJob } from "./hardhatInput.ts";
import { hardhatNamings } from "./hardhatNamings.ts";
import { hardhatArtifactFolders, hardhatRecords } from "./hardhatRecords.ts";

const ignitionFolder = async (place: ToolPlace) => (await hardhatConfigOf(place)).ignition;
const deploymentsFolder = async (place: ToolPlace) => (await hardhatConfigOf(place)).deployments;

/** How Hardhat reads a project. */
export const hardhatRules: ToolRules = {
  // Hardhat 3 looks for these two alone; any other is given to it by name.
  configurationOrder: async (files, root) =>
    (await hardhatRelease(files, root)).major === 3 ? ["hardhat.config.ts", "hardhat.config.js"] : [],
  async folders(place) {
    const { artifacts, root, sources, tests } = await hardhatConfigOf(place);
    return {
      own: [...sources, ...(tests === undefined ? [] : [tests])],
      foreign: [artifacts, joinPath(root, "cache")],
    };
  },
  solidity: {
    compilation: hardhatCompilation,
    async standing(place, path) {
      const config = await hardhatConfigOf(place);
      const override = ownValue(config.overrides, relativePath(path, config.root) ?? path);
      const unknown = override
        ? override.unknown
        : [...config.unknownCompilers, ...config.compilers.flatMap((one) => one.unknown)];
      const says = unknown.length > 0 ? "part" : config.namesCompilers ? "all" : "nothing";
      return { compiles: isHardhatSource(config, path), says };
    },
    nameInJob: async (place, sources, path) =>
      nameInHardhatsJob(place.files, sources, await hardhatConfigOf(place), path),
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
