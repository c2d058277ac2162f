import { joinPath } from "../../files/fileReader.ts";
import type { ToolRules } from "../toolShape.ts";
import { apeDeployments } from "./apeDeployments.ts";
import { apeCompilation, apeStanding } from "./apeSolidity.ts";
import { apeVyper } from "./apeVyper.ts";

/** How Ape reads a project. */
export const apeRules: ToolRules = {
  folders: ({ root }) => Promise.resolve({ own: [], foreign: [joinPath(root, ".build")] }),
  solidity: { compilation: apeCompilation, standing: apeStanding },
  configured: { Vyper: apeVyper },
  deployments: [
    {
      recorder: "ape",
      places: ({ root }) => Promise.resolve([joinPath(root, ".build"), joinPath(root, "deployments")]),
      read: ({ files, root }) => apeDeployments(files, root),
    },
  ],
};
