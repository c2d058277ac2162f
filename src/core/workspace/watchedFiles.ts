import { SETTINGS_FILES, TOOLS } from "../tools/tool.ts";
import { LANGUAGES, SOURCE_ENDINGS } from "../languages/language.ts";

/** What configurations that are scripts may import, as a glob relative to an open folder: most such files are imported by none. */
export const SCRIPT_GLOB = "**/*.{js,ts,cjs,mjs,cts,mts}";

/**
 * The files that may change what is known of contracts and of their deployments, as a glob relative to an open folder:
 * sources, artifacts, and what tools read and write.
 */
export const WATCHED_GLOB = `**/{${[
  ...new Set([
    ...SOURCE_ENDINGS.map((ending) => `*.${ending}`),
    "*.json",
    ...Object.values(LANGUAGES).flatMap(({ configurations = [] }) => configurations),
    ...SETTINGS_FILES,
    ...TOOLS.flatMap(({ watched }) => watched),
  ]),
].join(",")}}`;
