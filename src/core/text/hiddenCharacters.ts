/**
 * Characters that take no place, turn the text around them or mean nothing, so that a text with them passes for another one:
 * controls, formats, lone surrogates, private use, what Unicode lets a program ignore, separators of lines and the empty pattern
 * of Braille. A variation selector belongs to its emoji. Line breaks and tabs show themselves: they stay in documents, and what
 * draws one line makes spaces of them before.
 */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{DI}\u2028\u2029\u2800](?<![\n\r\t]|\p{Extended_Pictographic}\ufe0f)/gu;

/** A text with its hidden characters as `\u{202e}`; line breaks and tabs are left as they are. */
export function hiddenEscaped(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/**
 * JSON of the same value, with its hidden characters as JSON's own escapes, `\u202e`: they may stand in strings alone, where
 * those are allowed.
 */
export function hiddenEscapedInJson(json: string): string {
  return json.replace(HIDDEN, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
