import type { DataFormat } from "./dataFile.ts";

/** Aliases that repeat aliases could make a value of any size. */
const MOST_ALIASES = 100;

export const yaml: DataFormat = {
  name: "YAML",
  async parse(text) {
    // Few projects have any.
    const { parse } = await import("yaml");
    return parse(text, { maxAliasCount: MOST_ALIASES, logLevel: "error" }) as unknown;
  },
};
