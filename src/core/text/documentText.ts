import { hiddenEscaped, hiddenEscapedInJson } from "./hiddenCharacters.ts";
import type { ShownText } from "./shownText.ts";

declare const readable: unique symbol;

/** Text of several lines for an editor; it comes only from this module. */
export type DocumentText = string & { readonly [readable]: true };

/** Text with control, bidirectional and invisible characters visible. */
export function documentText(text: string): DocumentText {
  return hiddenEscaped(text) as DocumentText;
}

/** A list, a line for each text that is fit to be shown already: a hundred thousand are not looked through again. */
export function documentOfLines(lines: readonly ShownText[]): DocumentText {
  return lines.join("\n") as DocumentText;
}

/**
 * JSON: the same value, with the characters that would hide as escapes, which JSON allows where they may stand, in
 * strings.
 */
export function jsonDocument(json: string): DocumentText {
  return hiddenEscapedInJson(json) as DocumentText;
}

/** A source, to the byte: it is shown because it is sent so, and the editor itself marks what hides in sources. */
export function sourceDocument(source: string): DocumentText {
  return source as DocumentText;
}

/** What a log has as one entry: further lines are indented, so that none of them passes for an entry of its own. */
export function logText(text: string): string {
  return documentText(text).replace(/\r\n|[\n\r]/g, "\n    ");
}
