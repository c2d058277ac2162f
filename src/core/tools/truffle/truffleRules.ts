import { isInside, joinPath } from "../../files/fileReader.ts";
import type { ToolPlace, ToolRules } from "../toolShape.ts";
import { readTruffleConfig } from "./truffleConfig.ts";
import { truffleDeployments } from "./truffleDeployments.ts";
import { nameInTrufflesJob, truffleCompilation } from "./truffleInput.ts";

async function artifactsOf({ files, root, opened, configuration = "" }: ToolPlace): Promise<string> {
  return joinPath(root, (await readTruffleConfig(files, configuration, opened)).artifacts);
}

/** How Truffle reads a project. */
export const truffleRules: ToolRules = {
  async folders({ files, root, opened, configuration = "" }) {
    const { contracts } = await readTruffleConfig(files, configuration, opened);
    return { own: [joinPath(root, contracts)], foreign: [joinPath(root, "build")] };
  },
  artifacts: async (place, { contractName }) => [joinPath(await artifactsOf(place), `${contractName}.json`)],
  deployments: [
    {
      recorder: "truffle",
      places: async (place) => [await artifactsOf(place)],
      read: async (place) => truffleDeployments(place.files, place.root, await artifactsOf(place)),
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
