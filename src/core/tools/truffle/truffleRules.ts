import { isInside, joinPath } from "../../files/fileReader.ts";
import type { ToolRules } from "../toolShape.ts";
import { readTruffleConfig } from "./truffleConfig.ts";
import { nameInTrufflesJob, truffleCompilation } from "./truffleInput.ts";

/** How Truffle reads a project. */
export const truffleRules: ToolRules = {
  async folders({ files, root, opened, configuration = "" }) {
    const { contracts } = await readTruffleConfig(files, configuration, opened);
    return { own: [joinPath(root, contracts)], foreign: [joinPath(root, "build")] };
  },
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
