import { isInside, joinPath, relativePath } from "../files/fileReader.ts";
import { ownValue } from "../json/ownValue.ts";
import { readFoundryProfiles } from "../tools/foundry/foundryConfig.ts";
import type { FolderReader } from "../files/folderReader.ts";
import { readHardhatConfig } from "../tools/hardhat/hardhatConfig.ts";
import type { Project, ProjectTool } from "../tools/project.ts";
import { readTruffleConfig } from "../tools/truffle/truffleConfig.ts";
import { isHardhatSource } from "../tools/hardhat/hardhatInput.ts";

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
 * there are any. A tool whose configuration names no compiler, or computes it, gives way to one that says all.
 */
export async function candidateTools(
  files: FolderReader,
  project: Project,
  path: string,
): Promise<ProjectTool[]> {
  // Ape and moccasin have no settings for Solidity.
  const tools = project.tools.filter((tool) => tool !== "ape" && tool !== "moccasin");
  if (tools.length < 2) return tools;
  const standings = await Promise.all(
    // What Remix fetched may lie beside any other project.
    tools.filter((tool) => tool !== "remix").map((tool) => standingOf(files, project, tool, path)),
  );
  const speaking = preferred(standings, ({ says }) => says !== "nothing");
  const compiling = preferred(speaking, ({ compiles }) => compiles);
  return preferred(compiling, ({ says }) => says === "all").map(({ tool }) => tool);
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
