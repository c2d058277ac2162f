/**
 * Text from a chain, a server or a repository as it may be shown: control and bidirectional characters are
 * made visible, and `$(icon)` loses its meaning. Line breaks and tabs become spaces.
 */
export function visibleText(text: string): string {
  return text
    .replace(/[\t\n\r]+/g, " ")
    .replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(/\$\(/g, "$\u200b(");
}

/** Controls, format characters (bidirectional marks and overrides among them), lone surrogates, separators. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
