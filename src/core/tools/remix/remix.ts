import { REMAPPINGS_FILE } from "../../languages/solidity/solidity.ts";
import type { BuildTool } from "../toolShape.ts";

/** A folder that Remix shares. What it fetched may lie beside any other project. */
export const remix: BuildTool = {
  name: "remix",
  title: "Remix",
  configurations: ["remix.config.json"],
  alsoConfiguredBy: [REMAPPINGS_FILE],
  markers: [".deps"],
  dependencyFolders: [".deps"],
  outputFolders: ["artifacts"],
  recordFolder: "artifacts/build-info",
  // Before workspaces, all files of the editor were named so.
  namingForms: [
    { title: "Remix", before: "", folder: "contracts" },
    { title: "Remix", before: "browser/", folder: "" },
  ],
  watched: ["*.json"],
  recorders: [],
  rules: async () => (await import("./remixRules.ts")).remixRules,
};
