import type { BuildTool } from "../toolShape.ts";

/** Truffle, which looks for `truffle-config.js`, then for `truffle.js` (trufflesuite/truffle, packages/config). */
export const truffle: BuildTool = {
  name: "truffle",
  title: "Truffle",
  configurations: ["truffle-config.js", "truffle-config.cjs", "truffle.js"],
  dependencyFolders: ["node_modules"],
  outputFolders: ["build/contracts", "build"],
  artifactOf: (_sourceName, contractName) => `build/contracts/${contractName}.json`,
  watched: ["*.json"],
  recorders: [],
  rules: async () => (await import("./truffleRules.ts")).truffleRules,
};
