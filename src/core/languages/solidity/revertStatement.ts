import { placeFinder, type DefinitionPlace } from "../../text/definitionPlace.ts";

/** What a call was reverted with. */
export type RevertCause =
  { readonly error: string; readonly reason?: never } | { readonly reason: string; readonly error?: never };

/**
 * The statement that reverts with an error or a reason, in a function that begins at a line; `undefined` where there is
 * none or several, since which of them ran is then not known. A comment counts as none.
 *
 * @param function_.line of the function's name, from 0
 */
export function revertStatement(
  text: string,
  { path, line }: Pick<DefinitionPlace, "path" | "line">,
  cause: RevertCause,
): DefinitionPlace | undefined {
  // As long as before, so that places stay.
  const code = text.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
  const from = code.split("\n").slice(0, line).join("\n").length;
  const body = code.slice(from, endOfBlock(code, from));
  const found = [...body.matchAll(patternOf(cause))];
  const [first] = found;
  if (found.length !== 1 || !first) return undefined;
  return placeFinder(path, text)(from + first.index);
}

/** Where the block that begins behind a place ends; the text's end where none does. */
function endOfBlock(code: string, from: number): number {
  let depth = 0;
  for (let at = code.indexOf("{", from); at >= 0 && at < code.length; at++) {
    const character = code.charAt(at);
    if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at + 1;
  }
  return code.length;
}

function patternOf(cause: RevertCause): RegExp {
  if (cause.error !== undefined) {
    const name = cause.error.replace(/[$]/g, "\\$&");
    return new RegExp(
      `\\brevert\\s+(?:\\w+\\.)?${name}\\s*\\(|\\brequire\\s*\\([^;]*?[,\\s.]${name}\\s*\\(`,
      "g",
    );
  }
  const reason = JSON.stringify(cause.reason).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`\\b(?:revert|require)\\s*\\([^;]*?${reason}`, "g");
}
