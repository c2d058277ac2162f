import { isInside, joinPath } from "../../files/fileReader.ts";
import type { ToolRules } from "../toolShape.ts";
import { truffleConfigOf } from "./truffleConfig.ts";
import { truffleDeployments } from "./truffleDeployments.ts";
import { nameInTrufflesJob, truffleCompilation } from "./truffleInput.ts";

/** How Truffle reads a project. */
export const truffleRules: ToolRules = {
  async folders(place) {
    const { contracts, artifacts } = await truffleConfigOf(place);
    const written = isInside(contracts, artifacts) ? [] : [artifacts];
    return { own: [contracts], foreign: [joinPath(place.root, "build"), ...written] };
  },
  artifacts: async (place, { contractName }) => [
    joinPath((await truffleConfigOf(place)).artifacts, `${contractName}.json`),
  ],
  deployments: [
    {
      recorder: "truffle",
      places: async (place) => [(await truffleConfigOf(place)).artifacts],
      read: async (place) => {
        const { artifacts, sharedNetworkIds } = await truffleConfigOf(place);
        return truffleDeployments(place.files, place.root, artifacts, sharedNetworkIds);
      },
    },
  ],
  solidity: {
    compilation: truffleCompilation,
    nameInJob: nameInTrufflesJob,
    async standing(place, path) {
      const { contracts, unknown } = await truffleConfigOf(place);
      return {
        compiles: isInside(path, contracts),
        says: unknown.length > 0 ? "part" : "all",
      };
    },
  },
};
