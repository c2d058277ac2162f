import { joinPath } from "../files/fileReader.ts";
import { eachEntryInPieces, keysOf, recordInPieces } from "../json/entriesInPieces.ts";
import { isMachinePath, isSamePath, machinePath } from "../files/machinePath.ts";
import { filterInPieces, mapInPieces, type Pieces } from "../concurrency/turns.ts";
import { applyRemappings, parseRemapping } from "../languages/solidity/remapping.ts";
import { RULES } from "../languages/rules.ts";
import { resolveImportPath } from "../sources/sourceUnitName.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";

/** An input, and the part of its sources that one contract needs. */
interface DividedInput {
  readonly whole: StandardJsonInput;
  readonly needed: StandardJsonInput["sources"];
}

/**
 * Divides an input, in pieces, into what one of its sources needs, itself included, and the rest; what is imported is found as
 * solc finds it, by the names of the input and its remappings. A language whose imports say no files is not divided.
 *
 * A compiler that runs as a program reads from disk what the input does not have. forge counts on that for files
 * outside the project, which it hands over by their absolute paths while they are imported as `../../lib/a.sol`:
 * such a file gets the name that it was compiled by.
 *
 * @param root the project's root folder
 * @returns `undefined` where something that is imported is not in the input, so that it can't be compiled again.
 */
export function* divideInput(
  input: StandardJsonInput,
  name: string,
  root: string,
): Pieces<DividedInput | undefined> {
  const { imports } = RULES[input.language];
  if (!imports) return { whole: input, needed: input.sources };
  const remappings = (input.settings.remappings ?? []).flatMap((text) => parseRemapping(text) ?? []);
  const sources = new Map<string, { readonly content: string }>();
  yield* eachEntryInPieces(input.sources, (key, source) => sources.set(key, source));
  const given = sources.size;
  const importsOf = function* (importer: string, content: string): Pieces<string[]> {
    yield;
    return yield* mapInPieces(yield* imports(content), (path) => {
      const imported = applyRemappings(remappings, resolveImportPath(path, importer), importer);
      const renamed = sources.has(imported) ? undefined : sourceByPath(sources, imported, root);
      if (renamed) sources.set(imported, renamed);
      return imported;
    });
  };
  const needed = new Set([name]);
  for (const importer of needed) {
    const content = sources.get(importer)?.content;
    if (content === undefined) return undefined;
    for (const imported of yield* importsOf(importer, content)) needed.add(imported);
  }
  // The rest has to compile as well: what is found by its path is added while the map is gone through.
  if (keysOf(input.sources).some(isMachinePath))
    for (const [importer, { content }] of sources)
      if (!needed.has(importer)) yield* importsOf(importer, content);
  const whole = sources.size === given ? input : { ...input, sources: yield* recordInPieces(sources) };
  if (needed.size === sources.size) return { whole, needed: whole.sources };
  const picked = yield* filterInPieces(sources, ([key]) => needed.has(key));
  return { whole, needed: yield* recordInPieces(picked) };
}

/** The source that the input has under an absolute path, and an import names relative to the root. */
function sourceByPath(
  sources: ReadonlyMap<string, { readonly content: string }>,
  name: string,
  root: string,
): { readonly content: string } | undefined {
  if (!name.startsWith("../")) return undefined;
  const absolute = [...sources.keys()].filter(isMachinePath);
  const here = absolute.find((key) => isSamePath(key, joinPath(root, name)));
  // Another machine may have built it.
  const tail = `/${name.replace(/^(?:\.\.\/)+/, "")}`;
  const alike = absolute.filter((key) => machinePath(key).endsWith(tail));
  const key = here ?? (alike.length === 1 ? alike[0] : undefined);
  return key === undefined ? undefined : sources.get(key);
}
