import type { DataFormat } from "./dataFile.ts";

/** Aliases that repeat aliases could make a value of any size. */
const MOST_ALIASES = 100;

/** Tables within tables deeper than any configuration that is read; what lies below is left out. */
const MAX_DEPTH = 32;

export const yaml: DataFormat = {
  name: "YAML",
  async parse(text) {
    // Few projects have any.
    const { parse } = await import("yaml");
    // As maps: as objects each key that is a map itself is written out as text, within the one around it again and
    // again, and a few hundred braces take seconds.
    return recordsOf(
      parse(text, { maxAliasCount: MOST_ALIASES, logLevel: "error", mapAsMap: true }) as unknown,
      MAX_DEPTH,
    );
  },
};

/** Maps as objects, as far as their keys are text. */
function recordsOf(value: unknown, depth: number): unknown {
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return value.map((item) => recordsOf(item, depth - 1));
  if (!(value instanceof Map)) return value;
  return Object.fromEntries(
    [...(value as Map<unknown, unknown>)].flatMap(([key, inner]) =>
      typeof key === "string" || typeof key === "number"
        ? [[String(key), recordsOf(inner, depth - 1)] as const]
        : [],
    ),
  );
}
