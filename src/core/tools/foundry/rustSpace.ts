/**
 * What Rust calls white space (`char::is_whitespace`): a byte order mark is none, and U+0085 is. JavaScript has it the other
 * way round, so that `trim` is not what forge's readers do.
 */
export function isRustSpace(character: string): boolean {
  return SPACE.test(character);
}

const SPACE = /^\p{White_Space}$/u;

/** A text without the white space before it, as `str::trim_start` has it. */
export function trimmedStart(text: string): string {
  let at = 0;
  while (at < text.length && isRustSpace(text.charAt(at))) at++;
  return text.slice(at);
}

/** A text without the white space behind it, as `str::trim_end` has it. */
export function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isRustSpace(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
