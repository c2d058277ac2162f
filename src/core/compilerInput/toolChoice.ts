import { isInside, joinPath, relativePath } from "../files/fileReader.ts";
import { ownValue } from "../json/ownValue.ts";
import { readFoundryProfiles } from "../tools/foundry/foundryConfig.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { readHardhatConfig } from "../tools/hardhat/hardhatConfig.ts";
import type { Project, ProjectTool } from "../tools/project.ts";
import { readTruffleConfig } from "../tools/truffle/truffleConfig.ts";
import { isHardhatSource, isReachedByHardhat } from "../tools/hardhat/hardhatInput.ts";
import { isReachedByForge } from "../tools/foundry/foundryInput.ts";
import type { AdmittedSources } from "../sources/admittedSources.ts";

/** How a tool of a project stands to a file. */
interface Standing {
  readonly tool: ProjectTool;
  /** The file lies in the folders that the tool compiles. */
  readonly compiles: boolean;
  /** How much its configuration says of the compiler: all, only a part, or nothing, so that a default is taken. */
  readonly says: "all" | "part" | "nothing";
}

/**
 * The tools of a project that may compile a file, the likeliest first: those whose folders of sources hold it, if
 * there are any, else those whose sources import it. A tool whose configuration names no compiler, or computes it, gives way to one that says all.
 */
export async function candidateTools(
  files: FolderReader,
  project: Project,
  sources: AdmittedSources,
  path: string,
): Promise<ProjectTool[]> {
  return (await toolsFor(files, project, sources, path)).tools;
}

/** The tools of {@link candidateTools}, and those that compile the file too and only gave way, since they compute. */
export async function toolsFor(
  files: FolderReader,
  project: Project,
  sources: AdmittedSources,
  path: string,
): Promise<{ readonly tools: ProjectTool[]; readonly gaveWay: ProjectTool[] }> {
  // Ape and moccasin have no settings for Solidity.
  const tools = project.tools.filter((tool) => tool !== "ape" && tool !== "moccasin");
  if (tools.length < 2) return { tools, gaveWay: [] };
  const standings = await Promise.all(
    // What Remix fetched may lie beside any other project.
    tools.filter((tool) => tool !== "remix").map((tool) => standingOf(files, project, tool, path)),
  );
  const speaking = preferred(standings, ({ says }) => says !== "nothing");
  const compiling = speaking.some(({ compiles }) => compiles)
    ? preferred(speaking, ({ compiles }) => compiles)
    : await importing(files, project, sources, path, speaking);
  const chosen = preferred(compiling, ({ says }) => says === "all");
  return {
    tools: chosen.map(({ tool }) => tool),
    gaveWay: compiling.filter((one) => !chosen.includes(one)).map(({ tool }) => tool),
  };
}

/** Those whose sources import a file, if any of them does. */
async function importing(
  files: FolderReader,
  project: Project,
  sources: AdmittedSources,
  path: string,
  standings: readonly Standing[],
): Promise<readonly Standing[]> {
  if (standings.length < 2 || !path.endsWith(".sol")) return standings;
  const reached = await Promise.all(
    standings.map(({ tool }) => importsFile(tool, files, project, sources, path)),
  );
  const some = standings.filter((_one, at) => reached[at]);
  return some.length > 0 ? some : standings;
}

async function importsFile(
  tool: ProjectTool,
  files: FolderReader,
  { root, configurations }: Project,
  sources: AdmittedSources,
  path: string,
): Promise<boolean> {
  switch (tool) {
    case "hardhat":
      return isReachedByHardhat(
        files,
        sources,
        await readHardhatConfig(files, root, configurations.hardhat ?? ""),
        path,
      );
    case "foundry":
      return isReachedByForge(files, sources, await readFoundryProfiles(files, root), path);
    default:
      return false;
  }
}

/** Those for which something holds, if it holds for any. */
function preferred(all: readonly Standing[], holds: (one: Standing) => boolean): readonly Standing[] {
  const some = all.filter(holds);
  return some.length > 0 ? some : all;
}

async function standingOf(
  files: FolderReader,
  { root, configurations }: Project,
  tool: ProjectTool,
  path: string,
): Promise<Standing> {
  switch (tool) {
    case "hardhat": {
      const config = await readHardhatConfig(files, root, configurations.hardhat ?? "");
      const override = ownValue(config.overrides, relativePath(path, root) ?? path);
      const unknown = override
        ? override.unknown
        : [...config.unknownCompilers, ...config.compilers.flatMap((one) => one.unknown)];
      const says = unknown.length > 0 ? "part" : config.namesCompilers ? "all" : "nothing";
      return { tool, compiles: isHardhatSource(config, path), says };
    }
    case "foundry": {
      const profiles = await readFoundryProfiles(files, root);
      const folders = profiles.flatMap(({ src, test, script }) => [src, test, script]);
      return { tool, compiles: isIn(path, root, folders), says: "all" };
    }
    case "truffle": {
      const { contracts, unknown } = await readTruffleConfig(files, configurations.truffle ?? "");
      return { tool, compiles: isIn(path, root, [contracts]), says: unknown.length > 0 ? "part" : "all" };
    }
    default:
      return { tool, compiles: false, says: "all" };
  }
}

function isIn(path: string, root: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isInside(path, joinPath(root, folder)));
}
