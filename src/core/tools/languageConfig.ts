import type { FolderReader } from "../files/folderReader.ts";
import { ownValue } from "../json/ownValue.ts";
import type { LanguageConfig } from "../languages/compilationContext.ts";
import { MAX_PROJECTS, RememberedResults } from "../sources/rememberedResults.ts";
import type { Project } from "./project.ts";
import { TOOLS } from "./tool.ts";

/**
 * What a project's configuration says of the compiler of a language, read as data: that of the first of its tools that
 * says anything, else what a tool finds in a file that it shares with others, such as `pyproject.toml`.
 *
 * @param language its name in standard JSON input
 */
export function languageConfig(
  files: FolderReader,
  project: Project,
  language: string,
  profile?: string,
): Promise<LanguageConfig> {
  const { root, tools, configurations } = project;
  const key = JSON.stringify([
    root,
    language,
    profile,
    tools.map((one) => [one.name, configurations.get(one)]),
  ]);
  return knownConfigs.get(files, key, (asked) => read(asked.files, project, language, profile));
}

const knownConfigs = new RememberedResults<LanguageConfig>(MAX_PROJECTS);

async function read(
  files: FolderReader,
  { root, tools, configurations }: Project,
  language: string,
  profile: string | undefined,
): Promise<LanguageConfig> {
  for (const tool of new Set([...tools, ...TOOLS])) {
    const ask = ownValue((await tool.rules()).configured ?? {}, language);
    const said = await ask?.({ files, root, configuration: configurations.get(tool), profile });
    if (said) return said;
  }
  return { settings: {}, findings: [], isSaid: false };
}
