import { joinPath } from "../files/fileReader.ts";
import { isFolder, type FolderReader } from "../files/folderReader.ts";
import type { SearchPath } from "../languages/languageGround.ts";
import { sitePackages } from "../languages/vyper/sitePackages.ts";
import { readMoccasinConfig } from "./moccasin/moccasinConfig.ts";
import type { Project } from "./project.ts";

/**
 * The folders of absolute imports, lowest first, as `vyper` has them on the command line: site-packages of the
 * project's virtual environment, what moccasin puts before them (Cyfrin/moccasin, _sys_path_and_config_setup.py), the
 * root. In a folder without a tool the places of moccasin's packages are the last resort.
 *
 * @param top The open folder; virtual environments are looked for in the root and in every folder up to it.
 */
export async function searchPathsOf(
  files: FolderReader,
  { root, tools }: Project,
  top: string,
): Promise<SearchPath[]> {
  const installed = await sitePackages(files, root, top);
  const below = (name: string): SearchPath => ({ name, folder: joinPath(root, name) });
  const packages = ["lib", "lib/pypi", "lib/github"].map(below);
  const isMoccasin = tools.includes("moccasin");
  const places = isMoccasin
    ? [...installed, ...packages, below((await readMoccasinConfig(files, root)).src)]
    : [...packages.slice(1), ...installed];
  const found: SearchPath[] = [];
  for (const place of places) if (await isFolder(files, place.folder)) found.push(place);
  return [...found, { folder: root, name: "." }];
}
