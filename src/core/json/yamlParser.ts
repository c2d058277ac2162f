import { parse } from "yaml";
import type { DataParser } from "./dataFile.ts";

/** Aliases that repeat aliases could make a value of any size. */
const MAX_ALIASES = 100;

/** Tables within tables deeper than any configuration that is read; what lies below is left out. */
const MAX_DEPTH = 32;

export const yamlParser: DataParser = {
  parse(text) {
    // As maps: as objects each key that is a map itself is written out as text, within the one around it again and
    // again, and a few hundred braces take seconds. To look for keys that are there twice, of which the last one counts
    // for Python's readers too, and to show the line of each of many errors takes the square of the time.
    const options = { mapAsMap: true, uniqueKeys: false, prettyErrors: false };
    return recordsOf(
      parse(text, { ...options, maxAliasCount: MAX_ALIASES, logLevel: "error" }) as unknown,
      MAX_DEPTH,
    );
  },
  // The package throws plain errors, too, for aliases, merges and tags that can't be resolved.
  refusals: [Error],
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
