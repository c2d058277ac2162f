import { joinPath } from "../files/fileReader.ts";
import { isFolder, type FolderReader } from "../files/folderReader.ts";
import type { SearchPath } from "../languages/compilationContext.ts";
import { sitePackages } from "../languages/vyper/sitePackages.ts";
import { moccasinPackages } from "./moccasin/moccasinPackages.ts";
import { MAX_PROJECTS, RememberedResults } from "../sources/rememberedResults.ts";
import { saidByTools, type Project } from "./project.ts";

/**
 * The folders of absolute imports, lowest first, as `vyper` has them on the command line: site-packages of the
 * project's virtual environment, what its tool puts before them (moccasin: Cyfrin/moccasin,
 * _sys_path_and_config_setup.py), the root. Where no tool says any, the places of moccasin's packages are the last
 * resort.
 *
 * @param top The open folder; virtual environments are looked for in the root and in every folder up to it.
 */
export function searchPathsOf(
  files: FolderReader,
  project: Project,
  top: string,
): Promise<readonly SearchPath[]> {
  const key = JSON.stringify([project.root, top, project.tools.map(({ name }) => name)]);
  return knownPaths.get(files, key, (asked) => find(asked.files, project, top));
}

const knownPaths = new RememberedResults<readonly SearchPath[]>(MAX_PROJECTS);

async function find(files: FolderReader, project: Project, top: string): Promise<readonly SearchPath[]> {
  const { root } = project;
  const installed = await sitePackages(files, root, top);
  const below = (name: string): SearchPath => ({ name, folder: joinPath(root, name) });
  const said = await saidByTools(files, project, ({ rules, place }) => rules.moduleFolders?.(place));
  const folders = said.map(below);
  const places =
    folders.length > 0 ? [...installed, ...folders] : [...moccasinPackages().map(below), ...installed];
  const found: SearchPath[] = [];
  for (const place of places) if (await isFolder(files, place.folder)) found.push(place);
  return [...found, { folder: root, name: "." }];
}
