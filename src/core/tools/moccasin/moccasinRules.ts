import { joinPath } from "../../files/fileReader.ts";
import type { ToolRules } from "../toolShape.ts";
import { readMoccasinConfig } from "./moccasinConfig.ts";
import { moccasinDeployments } from "./moccasinDeployments.ts";
import { MOCCASIN_PACKAGES } from "./moccasinPackages.ts";

/** How moccasin reads a project. */
export const moccasinRules: ToolRules = {
  async folders({ files, root }) {
    const { src } = await readMoccasinConfig(files, root);
    return { own: [joinPath(root, src)], foreign: ["lib", "out"].map((folder) => joinPath(root, folder)) };
  },
  dependencies: ({ root }) => Promise.resolve([joinPath(root, "lib")]),
  moduleFolders: async ({ files, root }) => [
    "lib",
    ...MOCCASIN_PACKAGES,
    (await readMoccasinConfig(files, root)).src,
  ],
  deployments: [
    {
      recorder: "moccasin",
      places: async ({ files, root }) => [joinPath(root, (await readMoccasinConfig(files, root)).database)],
      read: ({ files, root }) => moccasinDeployments(files, root),
    },
  ],
};
