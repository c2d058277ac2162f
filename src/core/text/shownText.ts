import { t } from "@vscode/l10n";
import { hiddenEscaped } from "./hiddenCharacters.ts";

declare const fit: unique symbol;

/**
 * One line of text that is fit to be shown: nothing in it hides, and nothing in it is read as a link or an icon. It
 * comes only from this module, so that the compiler refuses any other text where it is drawn. It is a fixed point:
 * what makes it leaves it as it is.
 */
export type ShownText = string & { readonly [fit]: true };

/** How much of a text from elsewhere stands in a sentence. */
export const MAX_PART_CHARACTERS = 400;
/** How much of a text stands in a line of a tooltip, and is looked through by a filter. */
export const MAX_LINE_CHARACTERS = 4_000;
/** How long a whole sentence is. */
export const MAX_SENTENCE_CHARACTERS = 1_000;

/** What needs no look: printable ASCII without `$` and `]`, and our own marks. */
const PLAIN = /^[ -#%-\\^-~…·→↔–ℏ“”]*$/;
/** The beginning of a character that was made visible. */
const ESCAPE_BEGINS = /\\(?:u(?:\{[0-9a-f]*)?)?$/;
/** No id that was shortened in the middle is longer. */
const MAX_ID_CHARACTERS = 48;

/**
 * Text from a chain, a server, a file or a repository as it may be shown, in one line: control, bidirectional and
 * other invisible characters as `\u{202e}`, line breaks as spaces. `[text](address)`, which messages and inputs
 * show as a link that may run a command, and `$(icon)` get a space and so are text like any other.
 */
export function foreign(text: string, characters: number = MAX_PART_CHARACTERS): ShownText {
  // What is cut off is not looked at: a server may say megabytes.
  const isLong = text.length > 16 * characters;
  const whole = neutral(isLong ? text.slice(0, 16 * characters) : text);
  return (isLong || whole.length > characters ? beginning(whole, characters - 1) : whole) as ShownText;
}

/** A value from elsewhere as a whole, for a document or a search; what draws it says how much of it fits. */
export function foreignWhole(text: string): ShownText {
  return foreign(text, Infinity);
}

/** A value from elsewhere that stands in a line of its own. */
export function foreignLine(text: string): ShownText {
  return foreign(text, MAX_LINE_CHARACTERS);
}

/** A text of several lines from elsewhere, a line of a tooltip for each. */
export function foreignLines(text: string): ShownText[] {
  return beginning(text, MAX_LINE_CHARACTERS)
    .split(/\r\n|[\r\n]/)
    .map(foreignLine);
}

/** A whole sentence from elsewhere, such as an error's message. */
export function foreignSentence(text: string): ShownText {
  return foreign(text, MAX_SENTENCE_CHARACTERS);
}

/**
 * A sentence of our own, in the language of the editor, with parts that may come from elsewhere. Where it is too long, the longest parts are cut and
 * not its end, which says what to do.
 */
export function shown(
  literals: TemplateStringsArray,
  ...parts: readonly (ShownText | string | number)[]
): ShownText {
  let text = "";
  for (let characters = MAX_PART_CHARACTERS; characters >= 25; characters /= 2) {
    const bounded = parts.map((part) => foreign(String(part), characters));
    text = neutral(t(literals, ...bounded));
    if (text.length <= MAX_SENTENCE_CHARACTERS) break;
  }
  return foreignSentence(text);
}

/** Texts in a row, none of them cut before the whole is too long. */
export function joined(
  parts: readonly ShownText[],
  separator: ", " | " · " | " " | ": " | ". ",
  characters: number = MAX_SENTENCE_CHARACTERS,
): ShownText {
  return foreign(parts.filter((part) => part !== "").join(separator), characters);
}

/** The beginning of a text, with `…` where something was cut off; no character and no shortened id is cut in two. */
export function beginning(text: ShownText, characters: number): ShownText;
export function beginning(text: string, characters: number): string;
export function beginning(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(characters - 1));
  const head = text.slice(0, isHalf ? characters - 1 : characters);
  return `${beforeDivided(head, text).trimEnd()}…`;
}

/** Leaves out what a cut would go through and make another id or character of. */
function beforeDivided(head: string, text: string): string {
  const start = head.lastIndexOf(" ") + 1;
  const [id = ""] = text.slice(start, start + MAX_ID_CHARACTERS).split(" ");
  if (id.includes("…") && start + id.length > head.length) return head.slice(0, start);
  const escape = ESCAPE_BEGINS.exec(head.slice(-10));
  return escape ? head.slice(0, -escape[0].length) : head;
}

function neutral(text: string): string {
  if (PLAIN.test(text)) return text;
  return hiddenEscaped(text.replace(/[\t\n\r]+|\p{Zs}/gu, " "))
    .replace(/\](?=\()/g, "] ")
    .replace(/\$(?=\()/g, "$ ");
}

/** An address as it is shown where space is short: `0x5FbD…0aa3`. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** Latin letters beside others that are drawn like them (Unicode Technical Standard 39, section 5). */
const MIXED_SCRIPTS =
  /(?=.*\p{Script=Latin})(?=.*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}])/u;

/**
 * Whether a name may pass for another one: it mixes letters of scripts that are drawn alike, or looks like one of others.
 *
 * @param isOther whether one of the others has this {@link likeness}
 */
export function passesForAnother(name: string, isOther: (like: string) => boolean): boolean {
  return MIXED_SCRIPTS.test(name) || isOther(likeness(name));
}

/** An id behind a name, as our own labels have it: "(295)". */
const ID_IN_BRACKETS = /[([{<]\s*#?\p{N}+\s*[)\]}>]/gu;

/**
 * What names have in common that a person takes for the same: those of one sequence of letters and digits in any width, case
 * and accent, whatever stands between them, with or without a number in brackets.
 */
export function likeness(name: string): string {
  return name
    .normalize("NFKD")
    .replace(ID_IN_BRACKETS, "")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();
}
