/** Characters that hide or turn the text around them; a document keeps its line breaks and tabs. */
const HIDDEN = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2028\u2029]/gu;

/** Text of several lines for an editor, with control, bidirectional and invisible characters visible. */
export function documentText(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/**
 * JSON for an editor: the same value, with the characters that would hide as escapes, which JSON allows where they
 * may stand, in strings.
 */
export function jsonDocument(json: string): string {
  return json.replace(HIDDEN, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/** What a log has as one entry: further lines are indented, so that none of them passes for an entry of its own. */
export function logText(text: string): string {
  return documentText(text).replace(/\r\n|[\n\r]/g, "\n    ");
}
