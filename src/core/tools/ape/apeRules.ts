import { joinPath } from "../../files/fileReader.ts";
import type { ToolRules } from "../toolShape.ts";
import { APE_CONFIGURATIONS } from "./apeConfigurations.ts";
import { apeDeployments } from "./apeDeployments.ts";
import { apeVyper } from "./apeVyper.ts";

/** How Ape reads a project. Its plugin for Solidity has settings of its own, which are not read. */
export const apeRules: ToolRules = {
  folders: ({ root }) => Promise.resolve({ own: [], foreign: [joinPath(root, ".build")] }),
  configured: { Vyper: apeVyper },
  deployments: [
    {
      recorder: "ape",
      places: ({ root }) =>
        Promise.resolve(
          [".build", "deployments", ...APE_CONFIGURATIONS.map(([name]) => name)].map((name) =>
            joinPath(root, name),
          ),
        ),
      read: ({ files, root }) => apeDeployments(files, root),
    },
  ],
};
