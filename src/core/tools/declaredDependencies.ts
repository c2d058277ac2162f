import type { FolderReader } from "../files/folderReader.ts";
import { saidByTools, type Project } from "./project.ts";

/**
 * The folders, absolute, that a project's tools declare to hold what it depends on. What a package manager installs in
 * `node_modules` and `site-packages` is known by these names.
 */
export function declaredDependencies(
  files: FolderReader,
  project: Project,
  profile?: string,
): Promise<string[]> {
  return saidByTools(files, project, ({ rules, place }) => rules.dependencies?.(place), profile);
}
