import { joinPath } from "../files/fileReader.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { configuredPath, readFoundryConfig } from "./foundry/foundryConfig.ts";
import type { Project, ProjectTool } from "./project.ts";

/** Where tools keep what they install, relative to the root, besides what their configuration says. */
const FOLDERS: Readonly<Partial<Record<ProjectTool, readonly string[]>>> = {
  // Soldeer, which comes with forge, installs there.
  foundry: ["dependencies"],
  moccasin: ["lib"],
  remix: [".deps"],
};

/**
 * The folders, absolute, that a project's tools declare to hold what it depends on. What a package manager installs in
 * `node_modules` and `site-packages` is known by these names.
 */
export async function declaredDependencies(
  files: FolderReader,
  { root, tools }: Project,
  profile?: string,
): Promise<string[]> {
  const libs = tools.includes("foundry") ? (await readFoundryConfig(files, root, profile)).libs : [];
  const usual = tools.flatMap((tool) => FOLDERS[tool] ?? []);
  return [...libs.map((lib) => configuredPath(root, lib)), ...usual.map((name) => joinPath(root, name))];
}
