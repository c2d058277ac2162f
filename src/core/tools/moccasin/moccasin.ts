import type { BuildTool } from "../toolShape.ts";

/** moccasin, which installs packages below `lib` and records deployments in an SQLite database. */
export const moccasin: BuildTool = {
  name: "moccasin",
  title: "moccasin",
  configurations: ["moccasin.toml"],
  sharedConfiguration: { name: "pyproject.toml", table: ["tool", "moccasin"] },
  dependencyFolders: ["lib"],
  outputFolders: ["out"],
  watched: ["*.db", "*.json"],
  recorders: [{ name: "moccasin", title: "moccasin", builds: ["vyper-bundle"], watched: ["*.db"] }],
  rules: async () => (await import("./moccasinRules.ts")).moccasinRules,
};
