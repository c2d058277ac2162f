import { t } from "@vscode/l10n";
import { parse } from "yaml";
import { UnusableData, type DataParser } from "./dataFile.ts";

/** Aliases that repeat aliases could make a value of any size. */
const MAX_ALIASES = 100;

/** Tables within tables deeper than any configuration that is read; what lies below is left out. */
const MAX_DEPTH = 32;

/** More than a file that is read has bytes, each of which begins one value at most: only aliases make so many. */
const MAX_VALUES = 300_000;

export const yamlParser: DataParser = {
  parse(text) {
    // As maps: as objects each key that is a map itself is written out as text, within the one around it again and
    // again, and a few hundred braces take seconds. To look for keys that are there twice, of which the last one counts
    // for Python's readers too, and to show the line of each of many errors takes the square of the time.
    const options = { mapAsMap: true, uniqueKeys: false, prettyErrors: false };
    return new Records().of(
      parse(text, { ...options, maxAliasCount: MAX_ALIASES, logLevel: "error" }) as unknown,
    );
  },
  // The package throws plain errors, too, for aliases, merges and tags that can't be resolved.
  refusals: [Error],
};

/** Maps as objects, as far as their keys are text. What an alias repeats is written out each time. */
class Records {
  /** The lists and maps around the value that is written out. */
  readonly #around = new Set<object>();
  #values = 0;

  /** @throws UnusableData of a value that contains itself, by an alias in what its anchor names, or grows beyond all bounds */
  of(value: unknown): unknown {
    if (++this.#values > MAX_VALUES) throw new UnusableData(t`has too many parts`);
    if (!Array.isArray(value) && !(value instanceof Map)) return value;
    if (this.#around.has(value)) throw new UnusableData(t`is nested too deeply`);
    if (this.#around.size === MAX_DEPTH) return undefined;
    this.#around.add(value);
    const written = Array.isArray(value)
      ? value.map((item) => this.of(item))
      : this.#object(value as Map<unknown, unknown>);
    this.#around.delete(value);
    return written;
  }

  #object(map: ReadonlyMap<unknown, unknown>): object {
    return Object.fromEntries(
      [...map].flatMap(([key, inner]) =>
        typeof key === "string" || typeof key === "number" ? [[String(key), this.of(inner)] as const] : [],
      ),
    );
  }
}
