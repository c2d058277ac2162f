import { isInside, joinPath } from "../../files/fileReader.ts";
import type { ToolPlace, ToolRules } from "../toolShape.ts";
import { readTruffleConfig } from "./truffleConfig.ts";
import { truffleDeployments } from "./truffleDeployments.ts";
import { nameInTrufflesJob, truffleCompilation } from "./truffleInput.ts";

async function configOf({ files, root, opened, configuration = "" }: ToolPlace) {
  const config = await readTruffleConfig(files, configuration, opened);
  return { ...config, artifacts: joinPath(root, config.artifacts) };
}

/** How Truffle reads a project. */
export const truffleRules: ToolRules = {
  async folders({ files, root, opened, configuration = "" }) {
    const { contracts } = await readTruffleConfig(files, configuration, opened);
    return { own: [joinPath(root, contracts)], foreign: [joinPath(root, "build")] };
  },
  artifacts: async (place, { contractName }) => [
    joinPath((await configOf(place)).artifacts, `${contractName}.json`),
  ],
  deployments: [
    {
      recorder: "truffle",
      places: async (place) => [(await configOf(place)).artifacts],
      read: async (place) => {
        const { artifacts, sharedNetworkIds } = await configOf(place);
        return truffleDeployments(place.files, place.root, artifacts, sharedNetworkIds);
      },
    },
  ],
  solidity: {
    compilation: truffleCompilation,
    nameInJob: nameInTrufflesJob,
    async standing({ files, root, opened, configuration = "" }, path) {
      const { contracts, unknown } = await readTruffleConfig(files, configuration, opened);
      return {
        compiles: isInside(path, joinPath(root, contracts)),
        says: unknown.length > 0 ? "part" : "all",
      };
    },
  },
};
