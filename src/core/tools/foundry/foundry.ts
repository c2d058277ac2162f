import { REMAPPINGS_FILE } from "../../languages/solidity/solidity.ts";
import type { BuildTool } from "../toolShape.ts";

/** Foundry, with the scripts of forge and the packages of Soldeer. */
export const foundry: BuildTool = {
  name: "foundry",
  title: "Foundry",
  configurations: ["foundry.toml"],
  // A configuration may extend another file, and forge reads what stands in a .env for it.
  alsoConfiguredBy: ["*.toml", REMAPPINGS_FILE, ".env"],
  dependencyFolders: ["lib", "dependencies"],
  outputFolders: ["out"],
  recordFolder: "out/build-info",
  namingForms: [{ title: "Foundry", before: "", folder: "src" }],
  watched: ["*.json"],
  recorders: [
    {
      name: "foundry",
      title: "Foundry",
      builds: ["foundry"],
      // The folder may be called otherwise, the records may not.
      watched: ["broadcast", "broadcast/**", "*-latest.json"],
    },
  ],
  rules: async () => (await import("./foundryRules.ts")).foundryRules,
};
