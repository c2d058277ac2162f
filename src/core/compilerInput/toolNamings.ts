import { LedgerLensError } from "../errors.ts";
import { rememberingReader, type FolderReader } from "../files/folderReader.ts";
import type { SourceNaming } from "../languages/solidity/sourceNaming.ts";
import { AdmittedSources } from "../sources/admittedSources.ts";
import { boundedReader } from "../sources/boundedReader.ts";
import type { WorkspaceContract } from "../sources/contractReference.ts";
import { SourceBoundary } from "../sources/sourceBoundary.ts";
import { declaredDependencies } from "../tools/declaredDependencies.ts";
import { findProject } from "../tools/project.ts";
import { TOOLS } from "../tools/tool.ts";
import { openedContract } from "./contractInput.ts";

/**
 * By what names the build tools would compile a contract of the open folders, those that the project is set up for first,
 * each by its own rules: what was deployed may have been built with another one than the project has now.
 *
 * @param folders the open folders
 */
export async function toolNamings(
  reader: FolderReader,
  folders: readonly string[],
  contract: WorkspaceContract,
): Promise<SourceNaming[]> {
  const all = rememberingReader(reader);
  const files = rememberingReader(boundedReader(all, await SourceBoundary.around(all, { folders })));
  const project = await findProject(files, contract.folder, contract.path);
  const dependencies = await declaredDependencies(files, project);
  const sources = await AdmittedSources.of(all, { folders, project: project.root, dependencies });
  const opened = { ...contract, source: await openedContract(sources, contract) };
  let namings: SourceNaming[] = [];
  for (const tool of [...project.tools, ...TOOLS.filter((one) => !project.tools.includes(one))]) {
    const { solidity } = await tool.rules();
    const place = {
      files,
      root: project.root,
      opened: project.opened,
      configuration: project.configurations.get(tool),
    };
    try {
      namings = [...namings, ...((await solidity?.namings?.(place, sources, opened)) ?? [])];
    } catch (error) {
      // What a tool can't read, it says nothing of.
      if (!(error instanceof LedgerLensError)) throw error;
    }
  }
  return namings;
}
