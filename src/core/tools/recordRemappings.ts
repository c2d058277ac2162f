import type { FolderReader } from "../files/folderReader.ts";
import type { Remapping } from "../languages/solidity/remapping.ts";
import { saidByTools, type Project } from "./project.ts";

/** The remappings by which the records of a project's tools name what they import. */
export function recordRemappings(files: FolderReader, project: Project): Promise<Remapping[]> {
  return saidByTools(files, project, ({ rules, place }) => rules.recordRemappings?.(place));
}
