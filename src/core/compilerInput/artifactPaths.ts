import { joinPath, parentFolder } from "../files/fileReader.ts";
import type { FolderReader } from "../files/folderReader.ts";
import type { WorkspaceContract } from "../sources/contractReference.ts";
import { saidByTools, type Project } from "../tools/project.ts";
import { TOOLS } from "../tools/tool.ts";

/** Where artifacts may lie by the name of the contract, relative to a root or to the folder of the contract. */
const FOLDERS = new Set([...TOOLS.flatMap(({ outputFolders }) => outputFolders), ""]);

/** The files, absolute, that may be an artifact of a contract or hold its metadata: those of the configuration first. */
export async function artifactPaths(
  files: FolderReader,
  project: Project,
  contract: Pick<WorkspaceContract, "path" | "contractName">,
): Promise<string[]> {
  const { contractName: name, path } = contract;
  const configured = await saidByTools(files, project, ({ rules, place }) =>
    rules.artifacts?.(place, contract),
  );
  const usual = [...FOLDERS].flatMap((folder) =>
    [project.root, parentFolder(path)].flatMap((base) =>
      [`${name}.json`, `${name}_metadata.json`, `${name}_meta.json`].map((file) =>
        joinPath(base, folder === "" ? file : `${folder}/${file}`),
      ),
    ),
  );
  return [...new Set([...configured, ...usual])];
}
