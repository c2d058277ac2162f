import { t } from "@vscode/l10n";
import { lastSegment } from "../../files/fileReader.ts";
import { eachInPieces, type Pieces } from "../../concurrency/turns.ts";
import type { InputFinding } from "../../sources/inputFinding.ts";
import type { StandardJsonInput } from "../../sources/standardJsonInput.ts";
import type { PathOf } from "../languageRules.ts";

/** Vyper names a contract by its file's stem: two sources with one stem are an error, used or not. */
export function* stemCollisions(
  { sources, interfaces = {} }: StandardJsonInput,
  pathOf: PathOf,
): Pieces<InputFinding[]> {
  const seen = new Map<string, string>();
  const found: InputFinding[] = [];
  for (const part of [sources, interfaces])
    yield* eachInPieces(Object.keys(part), (name) => {
      const file = lastSegment(name);
      const stem = file.includes(".") ? file.slice(0, file.lastIndexOf(".")) : file;
      const before = seen.get(stem);
      seen.set(stem, name);
      if (before === undefined) return;
      found.push({
        code: "stem_collision",
        severity: "error",
        sentence: t`${before} and ${name} have one stem, which Vyper's standard JSON input does not allow; rename one of them.`,
        ...pathOf(name),
      });
    });
  return found;
}
