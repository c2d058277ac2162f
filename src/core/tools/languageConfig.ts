import type { FolderReader } from "../files/folderReader.ts";
import { ownValue } from "../json/ownValue.ts";
import { isDeepStrictEqual } from "node:util";
import type { InputFinding } from "../sources/inputFinding.ts";
import { t } from "@vscode/l10n";
import type { LanguageConfig } from "../languages/compilationContext.ts";
import { MAX_PROJECTS, RememberedResults } from "../sources/rememberedResults.ts";
import type { Project } from "./project.ts";
import { TOOLS } from "./tool.ts";
import type { BuildTool } from "./toolShape.ts";

/**
 * What a project's configuration says of the compiler of a language, read as data: that of the tool that deployed the
 * contract, else of the first of its tools that says anything, which is told where another one says something else; else
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
  { root, tools, configurations }: Project,
  language: string,
  profile: string | undefined,
  deployer: BuildTool | undefined,
): Promise<LanguageConfig> {
  const saidBy = async (tool: BuildTool) => {
    const ask = ownValue((await tool.rules()).configured ?? {}, language);
    const config = await ask?.({ files, root, configuration: configurations.get(tool), profile });
    return config ? [{ tool, config }] : [];
  };
  if (deployer && tools.includes(deployer)) return (await saidBy(deployer))[0]?.config ?? NOTHING_SAID;
  const [first, ...others] = (await Promise.all(tools.map(saidBy))).flat();
  if (first) {
    const other = others.find(({ config }) => !isDeepStrictEqual(compiled(config), compiled(first.config)));
    if (!other) return first.config;
    const finding = undecidedFinding(language, first.tool, other.tool);
    return { ...first.config, findings: [finding, ...first.config.findings] };
  }
  for (const tool of TOOLS) {
    const [said] = tools.includes(tool) ? [] : await saidBy(tool);
    if (said) return said.config;
  }
  return NOTHING_SAID;
}

const NOTHING_SAID: LanguageConfig = { settings: {}, findings: [], isSaid: false };

/** What a configuration says, without where it does. */
function compiled({ version, settings }: LanguageConfig): readonly unknown[] {
  return [version?.value, settings];
}

/** That two tools are configured for a language, and nothing tells which of them compiled the contract. */
function undecidedFinding(language: string, taken: BuildTool, other: BuildTool): InputFinding {
  return {
    code: "two_tools",
    severity: "warning",
    sentence: t`Both ${taken.title} and ${other.title} are configured here for ${language}, and nothing that is known of the deployment tells which of them was used; ${taken.title}'s settings are taken. Build with the tool that deployed the contract.`,
  };
}
