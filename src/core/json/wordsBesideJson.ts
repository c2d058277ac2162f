import { asRecord, asText, parseJson } from "./looseData.ts";
import { ownValue } from "./ownValue.ts";

/** Where JSON that holds something begins in a text; `uint256[]` and `{}` are words like any others. */
const BEGINS = /[[{]\s*["{]/;
/** Under what servers say what is the matter, the most telling first. */
const TELLING = ["message", "detail", "details", "reason", "error", "errors", "title", "description"];
/** JSON is nested in JSON where one server hands on what another one said. */
const MAX_LEVELS = 4;

/**
 * What a server says without the JSON that it puts into its words: the sentence that is in the JSON, where it has one, behind
 * what stands before it. Empty where there is nothing but data.
 */
export function wordsBesideJson(text: string): string {
  return wordsIn(text, MAX_LEVELS);
}

/** What stands before the first JSON in a text, and where that begins; all of the text where there is none. */
export function beforeJson(text: string): { readonly words: string; readonly json: string } {
  const at = isWholeJson(text) ? 0 : text.search(BEGINS);
  return at === -1 ? { words: text, json: "" } : { words: text.slice(0, at), json: text.slice(at) };
}

function isWholeJson(text: string): boolean {
  return /^\s*[[{"]/.test(text) && parseJson(text) !== undefined;
}

function wordsIn(text: string, levels: number): string {
  const { words, json } = beforeJson(text);
  if (json === "") return text;
  const before = withoutEnd(words);
  const inside = levels > 0 ? told(parseJson(json), levels - 1) : "";
  return before === "" || inside === "" ? before || inside : `${before}: ${inside}`;
}

function told(value: unknown, levels: number): string {
  if (levels < 0) return "";
  const text = asText(value);
  if (text !== undefined) return wordsIn(text, levels);
  if (Array.isArray(value)) return told(value[0], levels - 1);
  const members = asRecord(value) ?? {};
  for (const name of TELLING) {
    const inside = told(ownValue(members, name), levels - 1);
    if (inside !== "") return inside;
  }
  return "";
}

/** By hand: a pattern would look through a long run of such characters from each of them. */
export function withoutEnd(words: string): string {
  const text = words.trim();
  let end = text.length;
  while (end > 0 && /[\s:,.]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
