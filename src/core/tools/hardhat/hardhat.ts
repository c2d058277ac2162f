import type { BuildTool } from "../toolShape.ts";
import { HARDHAT3_OWN } from "./hardhat3Names.ts";

/** Hardhat 2 and 3, with Ignition and hardhat-deploy. */
export const hardhat: BuildTool = {
  name: "hardhat",
  title: "Hardhat",
  // In the order of Hardhat 2, which knows the first four (NomicFoundation/hardhat, branch v2, packages/hardhat-core/src/internal/core/project-structure.ts).
  configurations: ["ts", "cts", "cjs", "js", "mts", "mjs"].map((ending) => `hardhat.config.${ending}`),
  dependencyFolders: ["node_modules"],
  outputFolders: ["artifacts", "deployments"],
  recordFolder: "artifacts/build-info",
  namingForms: [
    { title: "Hardhat", before: "", folder: "contracts" },
    { title: "Hardhat 3", before: HARDHAT3_OWN, folder: "contracts" },
  ],
  watched: ["*.json", "*.jsonl", ".chain", ".chainId"],
  recorders: [
    {
      name: "hardhat-ignition",
      title: "Hardhat Ignition",
      builds: ["hardhat-2", "hardhat-3"],
      // NomicFoundation/hardhat, packages/hardhat-ignition/src/internal/tasks/deploy.ts; Hardhat 2 has no profiles.
      profile: "production",
      keepsBuilds: true,
      watched: [
        "ignition",
        "ignition/deployments",
        "ignition/deployments/*",
        "journal.jsonl",
        "deployed_addresses.json",
      ],
      accumulatesIn: "ignition/deployments",
    },
    {
      name: "hardhat-deploy",
      title: "hardhat-deploy",
      builds: ["hardhat-deploy", "hardhat-2", "hardhat-3"],
      keepsBuilds: true,
      watched: ["deployments", "deployments/*", "deployments/*/*.json"],
    },
  ],
  rules: async () => (await import("./hardhatRules.ts")).hardhatRules,
};
