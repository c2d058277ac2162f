import type { BuildTool } from "../toolShape.ts";

/** Ape, whose configuration is YAML or JSON (ApeWorX/ape, docs/userguides/config.md). */
export const ape: BuildTool = {
  name: "ape",
  title: "Ape",
  configurations: ["ape-config.yaml", "ape-config.yml", "ape-config.json"],
  dependencyFolders: [],
  outputFolders: [".build"],
  watched: ["pyproject.toml", "*.json"],
  recorders: [{ name: "ape", title: "Ape", builds: [] }],
  rules: async () => (await import("./apeRules.ts")).apeRules,
};
