import { joinPath } from "../../files/fileReader.ts";
import type { ToolRules } from "../toolShape.ts";
import { readMoccasinConfig } from "./moccasinConfig.ts";
import { moccasinDeployments } from "./moccasinDeployments.ts";
import { moccasinPackages } from "./moccasinPackages.ts";

/** How moccasin reads a project. */
export const moccasinRules: ToolRules = {
  async folders({ files, root }) {
    const { src, lib, out } = await readMoccasinConfig(files, root);
    return { own: [joinPath(root, src)], foreign: [lib, out].map((folder) => joinPath(root, folder)) };
  },
  dependencies: async ({ files, root }) => [joinPath(root, (await readMoccasinConfig(files, root)).lib)],
  async moduleFolders({ files, root }) {
    const { src, lib } = await readMoccasinConfig(files, root);
    return [lib, ...moccasinPackages(lib), src];
  },
  // Its configuration has no settings of compilers, which are those of titanoboa: the release of the pragma, and its defaults.
  configured: { Vyper: () => Promise.resolve(undefined) },
  deployments: [
    {
      recorder: "moccasin",
      places: async ({ files, root }) => [joinPath(root, (await readMoccasinConfig(files, root)).database)],
      read: ({ files, root }) => moccasinDeployments(files, root),
    },
  ],
};
