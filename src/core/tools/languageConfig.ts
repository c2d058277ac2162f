import type { FolderReader } from "../files/folderReader.ts";
import { ownValue } from "../json/ownValue.ts";
import type { LanguageConfig } from "../languages/compilationContext.ts";
import { MAX_PROJECTS, RememberedResults } from "../sources/rememberedResults.ts";
import type { Project } from "./project.ts";
import { TOOLS } from "./tool.ts";
import type { BuildTool } from "./toolShape.ts";

/**
 * What a project's configuration says of the compiler of a language, read as data: that of the tool that deployed the
 * contract, else of the first of its tools that says anything; else
 * what a tool finds in a file that it shares with others, such as `pyproject.toml`.
 *
 * @param language its name in standard JSON input
 */
export function languageConfig(
  files: FolderReader,
  project: Project,
  language: string,
  { profile, deployer }: { readonly profile?: string | undefined; readonly deployer?: BuildTool | undefined },
): Promise<LanguageConfig> {
  const { root, tools, configurations } = project;
  const key = JSON.stringify([
    root,
    language,
    profile,
    deployer?.name,
    tools.map((one) => [one.name, configurations.get(one)]),
  ]);
  return knownConfigs.get(files, key, (asked) => read(asked.files, project, language, profile, deployer));
}

const knownConfigs = new RememberedResults<LanguageConfig>(MAX_PROJECTS);

async function read(
  files: FolderReader,
  project: Project,
  language: string,
  profile: string | undefined,
  deployer: BuildTool | undefined,
): Promise<LanguageConfig> {
  const saidBy = (tool: BuildTool) => saidByTool(tool, { files, project, language, profile });
  if (deployer && project.tools.includes(deployer)) return (await saidBy(deployer)) ?? NOTHING_SAID;
  for (const tool of [...project.tools, ...TOOLS.filter((one) => !project.tools.includes(one))]) {
    const said = await saidBy(tool);
    if (said) return said;
  }
  return NOTHING_SAID;
}

/** What a tool is asked about. */
interface Question {
  readonly files: FolderReader;
  readonly project: Project;
  /** Its name in standard JSON input. */
  readonly language: string;
  readonly profile?: string | undefined;
}

async function saidByTool(
  tool: BuildTool,
  { files, project, language, profile }: Question,
): Promise<LanguageConfig | undefined> {
  const { root, configurations } = project;
  const ask = ownValue((await tool.rules()).configured ?? {}, language);
  return ask?.({ files, root, configuration: configurations.get(tool), profile });
}

/** The tools of a project whose configurations say something of a language, in the order of the table. */
export async function toolsConfiguring(question: Question): Promise<BuildTool[]> {
  const { tools } = question.project;
  const said = await Promise.all(tools.map((tool) => saidByTool(tool, question)));
  return tools.filter((_tool, at) => said[at] !== undefined);
}

const NOTHING_SAID: LanguageConfig = { settings: {}, findings: [], isSaid: false };
