import type { BuildTool } from "../toolShape.ts";

/** Ape, whose configuration is YAML or JSON (ApeWorX/ape, docs/userguides/config.md). */
export const ape: BuildTool = {
  name: "ape",
  title: "Ape",
  configurations: ["ape-config.yaml", "ape-config.yml", "ape-config.json"],
  sharedConfiguration: { name: "pyproject.toml", table: ["tool", "ape"] },
  dependencyFolders: [],
  outputFolders: [".build"],
  watched: ["*.json"],
  recorders: [
    {
      name: "ape",
      title: "Ape",
      builds: [],
      watched: [
        ".build",
        ".build/__local__.json",
        ".build/deployments.json",
        "deployments",
        "deployments/*",
        "deployments/*/*",
        "deployments/*/*/*.json",
      ],
      accumulatesIn: ".build/__local__.json",
    },
  ],
  rules: async () => (await import("./apeRules.ts")).apeRules,
};
