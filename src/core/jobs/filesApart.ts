import type { ChangedFile, StandardJsonInput } from "../sources/standardJsonInput.ts";
import { changeBetween, plainSource } from "../sources/sourceText.ts";

/** A file here whose text is none of those that a contract was verified with. */
export type FileApart = Pick<ChangedFile, "name" | "change">;

/**
 * The files of an input whose texts are none of those that a contract was verified with, in their order. A name that the
 * service has too is compared with the text of that name.
 *
 * @param verified texts by the names that the service knows them by, which need not be those of the input
 */
export function filesApart(
  sources: StandardJsonInput["sources"],
  verified: ReadonlyMap<string, string>,
): FileApart[] {
  const texts = new Set(verified.values());
  const plain = new Set(Array.from(texts, plainSource));
  return Object.entries(sources).flatMap(([name, { content }]) => {
    const theirs = verified.get(name);
    const change =
      theirs !== undefined
        ? changeBetween(theirs, content)
        : texts.has(content)
          ? undefined
          : plain.has(plainSource(content))
            ? "line endings"
            : "edited";
    return change === undefined ? [] : [{ name, change }];
  });
}
