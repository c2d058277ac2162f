import type { FolderReader } from "../files/folderReader.ts";
import { ownValue } from "../json/ownValue.ts";
import type { LanguageConfig } from "../languages/compilationContext.ts";
import type { Project } from "./project.ts";
import { TOOLS } from "./tool.ts";

/**
 * What a project's configuration says of the compiler of a language, read as data: that of the first of its tools that
 * says anything, else what a tool finds in a file that it shares with others, such as `pyproject.toml`.
 *
 * @param language its name in standard JSON input
 */
export async function languageConfig(
  files: FolderReader,
  { root, tools, configurations }: Project,
  language: string,
  profile?: string,
): Promise<LanguageConfig> {
  for (const tool of new Set([...tools, ...TOOLS])) {
    const read = ownValue((await tool.rules()).configured ?? {}, language);
    const said = await read?.({ files, root, configuration: configurations.get(tool), profile });
    if (said) return said;
  }
  return { settings: {}, findings: [], isSaid: false };
}
