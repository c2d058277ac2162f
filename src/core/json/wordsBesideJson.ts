import { asRecord, asText, parseJson } from "./looseData.ts";
import { ownValue } from "./ownValue.ts";

/** Where JSON that holds something begins in a text; `uint256[]` and `{}` are words like any others. */
const BEGINS = /[[{]\s*["{]/;
/** Under what servers say what is the matter, the most telling first. */
const TELLING = ["message", "detail", "details", "reason", "error", "errors", "title", "description"];
/** JSON is nested in JSON where one server hands on what another one said. */
const MAX_LEVELS = 4;

/** Where a page of HTML begins. */
const PAGE = /<(?:!doctype html|html|head|body)\b/i;
const TITLE = /<title>([^<]{1,200})<\/title>/i;
/** The first place in the trace that a program prints of a fault of its own: `    at verify (/app/server.js:41:29)`. */
const TRACE = /\r?\n[ \t]+at [^\n]*(?::\d+|\))[ \t]*(?=\r?\n|$)/;
/** What only those who wrote a program understand, as JavaScript words it. */
const FAULT =
  /\bCannot (?:read|set) propert(?:y|ies) (?:'[^']*' )?of (?:undefined|null)\b|^TypeError: .* is not (?:a function|a constructor|iterable)\b/;
/** The same where a trace stands behind it; solc calls errors of sources so, too. */
const TRACED_FAULT = /^(?:Type|Reference|Range)Error: /;

/**
 * What a server says without the JSON that it puts into its words: the sentence that is in the JSON, where it has one, behind
 * what stands before it; and without the trace of a fault of its program or a page of HTML. Empty where there is nothing but data,
 * or such a fault.
 */
export function wordsBesideJson(text: string): string {
  return withoutTrace(withoutPage(wordsIn(text, MAX_LEVELS)));
}

/** A page that one server hands on for another one's words: its title, behind what stands before it. */
function withoutPage(words: string): string {
  const at = words.search(PAGE);
  if (at === -1) return words;
  const before = withoutEnd(words.slice(0, at));
  const title = withoutEnd(TITLE.exec(words.slice(at))?.[1] ?? "");
  return before === "" || title === "" ? before || title : `${before}: ${title}`;
}

function withoutTrace(words: string): string {
  const at = words.search(TRACE);
  const first = at === -1 ? words : words.slice(0, at).trimEnd();
  return FAULT.test(first) || (at !== -1 && TRACED_FAULT.test(first)) ? "" : first;
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
  while (end > 0 && /[\s:,.!]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
