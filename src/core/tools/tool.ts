import { lastSegment } from "../files/fileReader.ts";
import { ape } from "./ape/ape.ts";
import type { BuildTool, Recorder } from "./toolShape.ts";
import { foundry } from "./foundry/foundry.ts";
import { hardhat } from "./hardhat/hardhat.ts";
import { moccasin } from "./moccasin/moccasin.ts";
import { remix } from "./remix/remix.ts";
import { truffle } from "./truffle/truffle.ts";

/** Every build tool. Of several that a project is set up for, the first goes first. */
export const TOOLS: readonly BuildTool[] = [hardhat, foundry, truffle, ape, moccasin, remix];

/** How all tools name a project's own files. */
export const NAMING_FORMS = TOOLS.flatMap(({ namingForms = [] }) => namingForms);

/** What they put before the paths of these, the longest first: one may begin like another. */
export const OWN_PREFIXES: readonly string[] = [...new Set(NAMING_FORMS.map(({ before }) => before))].sort(
  (a, b) => b.length - a.length,
);

/** The path, relative to the root, of a project's own file by its source unit name; any other name as it is. */
export function ownPath(name: string): string {
  return name.slice(OWN_PREFIXES.find((before) => name.startsWith(before))?.length ?? 0);
}

/** The names of the configurations of all tools. */
export const TOOL_CONFIGURATIONS: readonly string[] = TOOLS.flatMap((tool) => tool.configurations);

/** The folders in which tools leave artifacts, relative to a root, without the folders in them. */
export const OUTPUT_FOLDERS: readonly string[] = [
  ...new Set(TOOLS.flatMap((tool) => tool.outputFolders.map((folder) => folder.split("/", 1)[0] ?? folder))),
];

/** The folders in which tools keep what projects depend on, relative to a root. */
export const DEPENDENCY_FOLDERS: readonly string[] = [
  ...new Set(TOOLS.flatMap((tool) => tool.dependencyFolders)),
];

/** What recorders call their records and the folders of these, as a glob relative to an open folder. */
export const RECORDS_GLOB = `**/{${[
  ...new Set(TOOLS.flatMap(({ recorders }) => recorders.flatMap(({ watched }) => watched))),
].join(",")}}`;

/** Where, relative to a root, records lie that hold what was deployed at different times and do not say when. */
export const ACCUMULATED_RECORDS: readonly string[] = TOOLS.flatMap(({ recorders }) =>
  recorders.flatMap(({ accumulatesIn }) => accumulatesIn ?? []),
);

/**
 * The names of all files from which settings of tools come, with `*` at the beginning for any: their configurations, also those that they
 * share with others, and what these may lead to.
 */
export const SETTINGS_FILES: readonly string[] = [
  ...new Set(
    TOOLS.flatMap(({ configurations, sharedConfiguration, alsoConfiguredBy = [] }) => [
      ...configurations,
      ...(sharedConfiguration ? [sharedConfiguration.name] : []),
      ...alsoConfiguredBy,
    ]),
  ),
];

/** True for a path whose last segment is among the {@link SETTINGS_FILES}: a change of it may change any setting. */
export function isToolConfiguration(path: string): boolean {
  const last = lastSegment(path);
  return SETTINGS_FILES.some((name) => (name.startsWith("*") ? last.endsWith(name.slice(1)) : last === name));
}

/** The recorder of a name, and the tool that it belongs to. */
export function recorderNamed(
  name: string,
): { readonly tool: BuildTool; readonly recorder: Recorder } | undefined {
  for (const tool of TOOLS) {
    const recorder = tool.recorders.find((one) => one.name === name);
    if (recorder) return { tool, recorder };
  }
  return undefined;
}

/** The tool that writes records of its builds in a form. */
export function toolOfBuild(format: string): BuildTool | undefined {
  return TOOLS.find(({ recorders }) => recorders.some(({ builds }) => builds.includes(format)));
}

/** What records deployments, as people call it: the tools in the order of {@link TOOLS}. */
export const RECORDING_TOOLS: readonly string[] = TOOLS.flatMap(({ title, recorders }) =>
  recorders.length > 0 ? [title] : [],
);

/** A recorder as people call it. */
export function recorderTitle(name: string): string {
  return recorderNamed(name)?.recorder.title ?? name;
}
