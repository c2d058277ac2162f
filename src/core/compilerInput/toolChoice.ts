import type { FolderReader } from "../files/folderReader.ts";
import { languageOfPath } from "../languages/language.ts";
import { RULES } from "../languages/rules.ts";
import type { AdmittedSources } from "../sources/admittedSources.ts";
import type { BuildTool, SolidityRules, Standing, ToolPlace } from "../tools/toolShape.ts";
import { toolsOf, type Project } from "../tools/project.ts";

/** A tool of a project that compiles Solidity. */
export interface SolidityTool {
  readonly tool: BuildTool;
  readonly solidity: SolidityRules;
  readonly place: ToolPlace;
}

/** The tools of a project that compile Solidity. */
export async function solidityTools(
  files: FolderReader,
  project: Project,
  profile?: string,
): Promise<SolidityTool[]> {
  return (await toolsOf(files, project, profile)).flatMap(({ tool, rules: { solidity }, place }) =>
    solidity ? [{ tool, solidity, place }] : [],
  );
}

/** A tool, and how it stands to the file that is asked about. */
interface Standpoint extends Standing {
  readonly tool: SolidityTool;
}

/**
 * The tools of a project that may compile a file, the likeliest first: those whose folders of sources hold it, and
 * after them those whose sources, tests or scripts import it, each of which compiles it by its own settings; else those
 * of which another profile's folders hold it, else those whose other profiles' sources import it, else all. A tool whose
 * configuration names no compiler, or computes it, gives way to one that says all.
 */
export async function toolsFor(
  files: FolderReader,
  project: Project,
  sources: AdmittedSources,
  path: string,
  profile?: string,
): Promise<{ readonly tools: SolidityTool[]; readonly gaveWay: SolidityTool[] }> {
  const tools = await solidityTools(files, project, profile);
  if (tools.length < 2) return { tools, gaveWay: [] };
  const standings = (
    await Promise.all(
      tools.map(async (tool): Promise<Standpoint[]> => {
        const standing = await tool.solidity.standing?.(tool.place, path);
        return standing ? [{ tool, ...standing }] : [];
      }),
    )
  ).flat();
  const speaking = preferred(standings, ({ says }) => says !== "nothing");
  const compiling =
    some(await compilingNow(sources, path, speaking)) ??
    some(speaking.filter(({ compilesElse = false }) => compilesElse)) ??
    some(await importing(sources, path, speaking, nameInJob)) ??
    speaking;
  const chosen = preferred(compiling, ({ says }) => says === "all");
  return {
    tools: chosen.map(({ tool }) => tool),
    gaveWay: compiling.filter((one) => !chosen.includes(one)).map(({ tool }) => tool),
  };
}

/** Those whose folders of sources hold a file, and after them those whose sources import it. */
async function compilingNow(
  sources: AdmittedSources,
  path: string,
  standings: readonly Standpoint[],
): Promise<readonly Standpoint[]> {
  const besides = standings.filter(({ compiles }) => !compiles);
  return [
    ...standings.filter(({ compiles }) => compiles),
    ...(await importing(sources, path, besides, isInJob)),
  ];
}

/** A question to a tool about a file. */
type Question = (tool: SolidityTool, sources: AdmittedSources, path: string) => Promise<boolean>;

/** Whether the settings that are taken are those of the sources that import a file. */
const isInJob: Question = async (tool, sources, path) => {
  const { solidity, place } = tool;
  return solidity.isInJob ? solidity.isInJob(place, sources, path) : nameInJob(tool, sources, path);
};

/** Whether sources of any profile import a file. */
const nameInJob: Question = async ({ solidity, place }, sources, path) =>
  (await solidity.nameInJob?.(place, sources, path)) !== undefined;

/** Those whose sources import a file, all asked at once. */
async function importing(
  sources: AdmittedSources,
  path: string,
  standings: readonly Standpoint[],
  imports: Question,
): Promise<readonly Standpoint[]> {
  if (!isWithImports(path)) return [];
  const held = await Promise.all(standings.map(({ tool }) => imports(tool, sources, path)));
  return standings.filter((_one, at) => held[at]);
}

/** True for a file in a language that has imports. */
function isWithImports(path: string): boolean {
  const language = languageOfPath(path);
  return language !== undefined && RULES[language].imports !== undefined;
}

/** Those for which something holds, if it holds for any, else all. */
function preferred(all: readonly Standpoint[], holds: (one: Standpoint) => boolean): readonly Standpoint[] {
  return some(all.filter(holds)) ?? all;
}

/** `undefined` for none. */
function some(those: readonly Standpoint[]): readonly Standpoint[] | undefined {
  return those.length > 0 ? those : undefined;
}
