import { selectRemapping, parseRemapping } from "./remapping.ts";
import { scanSolidityDirectives } from "./solidityScanner.ts";
import { resolveImportPath } from "./sourceUnitName.ts";
import type { StandardJsonInput } from "./standardJsonInput.ts";

/**
 * The sources of an input that one of them needs, itself included, found as solc finds them: by the names of the
 * input and its remappings. All of them for another language than Solidity.
 */
export function reachableSources(input: StandardJsonInput, name: string): StandardJsonInput["sources"] {
  if (input.language !== "Solidity") return input.sources;
  const remappings = (input.settings.remappings ?? []).flatMap((text) => parseRemapping(text) ?? []);
  const reached = new Set([name]);
  for (const importer of reached) {
    const content = input.sources[importer]?.content;
    if (content === undefined) continue;
    for (const { path } of scanSolidityDirectives(content).imports) {
      const direct = resolveImportPath(path, importer);
      const best = selectRemapping(remappings, direct, importer);
      const imported = best ? best.target + direct.slice(best.prefix.length) : direct;
      if (Object.hasOwn(input.sources, imported)) reached.add(imported);
    }
  }
  return Object.fromEntries(Object.entries(input.sources).filter(([key]) => reached.has(key)));
}
