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
 * The tools of a project that may compile a file, the likeliest first: those whose folders of sources hold it, if
 * there are any, and after them those of which another profile's do and whose own sources import it; else those of which
 * another profile's do, else those whose sources import it. A tool whose configuration names no compiler, or computes it,
 * gives way to one that says all.
 */
export async function candidateTools(
  files: FolderReader,
  project: Project,
  sources: AdmittedSources,
  path: string,
  profile?: string,
): Promise<SolidityTool[]> {
  return (await toolsFor(files, project, sources, path, profile)).tools;
}

/** The tools of {@link candidateTools}, and those that compile the file too and only gave way, since they compute. */
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
    (await compilingNow(sources, path, speaking)) ??
    some(speaking, ({ compilesElse = false }) => compilesElse) ??
    (await importing(sources, path, speaking));
  const chosen = preferred(compiling, ({ says }) => says === "all");
  return {
    tools: chosen.map(({ tool }) => tool),
    gaveWay: compiling.filter((one) => !chosen.includes(one)).map(({ tool }) => tool),
  };
}

/**
 * Those whose folders of sources hold a file, if any do, and after them those of which only another profile's do but whose
 * tests or scripts import it: each compiles it by its own settings.
 */
async function compilingNow(
  sources: AdmittedSources,
  path: string,
  standings: readonly Standpoint[],
): Promise<readonly Standpoint[] | undefined> {
  const compiling = some(standings, ({ compiles }) => compiles);
  if (!compiling || !isWithImports(path)) return compiling;
  const elsewhere = standings.filter(({ compiles, compilesElse = false }) => !compiles && compilesElse);
  const besides = await whoseTool(
    elsewhere,
    async ({ solidity, place }) => (await solidity.isInJob?.(place, sources, path)) ?? false,
  );
  return [...compiling, ...besides];
}

/** Those whose sources import a file, if any of them does, else all. */
async function importing(
  sources: AdmittedSources,
  path: string,
  standings: readonly Standpoint[],
): Promise<readonly Standpoint[]> {
  if (standings.length < 2 || !isWithImports(path)) return standings;
  const those = await whoseTool(
    standings,
    async ({ solidity, place }) => (await solidity.nameInJob?.(place, sources, path)) !== undefined,
  );
  return those.length > 0 ? those : standings;
}

/** Those of whose tool something holds, all asked at once. */
async function whoseTool(
  standings: readonly Standpoint[],
  holds: (tool: SolidityTool) => Promise<boolean>,
): Promise<Standpoint[]> {
  const held = await Promise.all(standings.map(({ tool }) => holds(tool)));
  return standings.filter((_one, at) => held[at]);
}

/** True for a file in a language that has imports. */
function isWithImports(path: string): boolean {
  const language = languageOfPath(path);
  return language !== undefined && RULES[language].imports !== undefined;
}

/** Those for which something holds, if it holds for any, else all. */
function preferred(all: readonly Standpoint[], holds: (one: Standpoint) => boolean): readonly Standpoint[] {
  return some(all, holds) ?? all;
}

/** Those for which something holds, if it holds for any. */
function some(
  all: readonly Standpoint[],
  holds: (one: Standpoint) => boolean,
): readonly Standpoint[] | undefined {
  const those = all.filter(holds);
  return those.length > 0 ? those : undefined;
}
