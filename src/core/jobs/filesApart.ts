import type { StandardJsonInput } from "../sources/standardJsonInput.ts";

/**
 * The source unit names of an input whose texts are none of those that a contract was verified with, in their order. A name
 * that the service has too is compared with the text of that name.
 *
 * @param verified texts by the names that the service knows them by, which need not be those of the input
 */
export function filesApart(
  sources: StandardJsonInput["sources"],
  verified: ReadonlyMap<string, string>,
): string[] {
  const texts = new Set(verified.values());
  return Object.entries(sources).flatMap(([name, { content }]) => {
    const isThere = verified.has(name) ? verified.get(name) === content : texts.has(content);
    return isThere ? [] : [name];
  });
}
