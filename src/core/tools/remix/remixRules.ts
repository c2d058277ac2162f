import { joinPath } from "../../files/fileReader.ts";
import type { ToolRules } from "../toolShape.ts";
import { cachedPaths, remixCompilation } from "./remixInput.ts";

/** How Remix reads a shared folder. */
export const remixRules: ToolRules = {
  folders: ({ root }) => Promise.resolve({ own: [], foreign: [joinPath(root, "artifacts")] }),
  dependencies: ({ root }) => Promise.resolve([joinPath(root, ".deps")]),
  solidity: { compilation: remixCompilation },
  cachedPaths,
};
