import type { BuildTool } from "../toolShape.ts";
import { TRUFFLE_OWN } from "./truffleNames.ts";

/** Truffle, which looks for `truffle-config.js`, then for `truffle.js` (trufflesuite/truffle, packages/config). */
export const truffle: BuildTool = {
  name: "truffle",
  title: "Truffle",
  configurations: ["truffle-config.js", "truffle-config.cjs", "truffle.js"],
  dependencyFolders: ["node_modules"],
  outputFolders: ["build/contracts", "build"],
  // Before 5.2 it named them by where they lay on the machine.
  namingForms: [{ title: "Truffle", before: TRUFFLE_OWN, folder: "contracts" }],
  watched: ["*.json"],
  recorders: [
    {
      name: "truffle",
      title: "Truffle",
      builds: [],
      watched: ["build", "build/contracts", "build/contracts/*.json"],
      accumulatesIn: "build/contracts",
    },
  ],
  rules: async () => (await import("./truffleRules.ts")).truffleRules,
};
