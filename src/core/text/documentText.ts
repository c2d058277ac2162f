import type { ShownText } from "./shownText.ts";

declare const readable: unique symbol;

/** Text of several lines for an editor; it comes only from this module. */
export type DocumentText = string & { readonly [readable]: true };

/** Characters that hide or turn the text around them; a document keeps its line breaks and tabs. */
const HIDDEN = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2028\u2029]/gu;

/** Text with control, bidirectional and invisible characters visible. */
export function documentText(text: string): DocumentText {
  return text.replace(
    HIDDEN,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  ) as DocumentText;
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
  return json.replace(HIDDEN, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  ) as DocumentText;
}

/** A source, to the byte: it is shown because it is sent so, and the editor itself marks what hides in sources. */
export function sourceDocument(source: string): DocumentText {
  return source as DocumentText;
}

/** What a log has as one entry: further lines are indented, so that none of them passes for an entry of its own. */
export function logText(text: string): string {
  return documentText(text).replace(/\r\n|[\n\r]/g, "\n    ");
}
