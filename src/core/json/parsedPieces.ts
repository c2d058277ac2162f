import type { Pieces } from "../concurrency/turns.ts";
import { setOwn } from "./setOwn.ts";

/** The value of JSON as `JSON.parse` has it, in pieces; throws what that throws. */
export function* parsedInPieces(text: string): Pieces<unknown> {
  const reader = new Reader(text);
  const value = yield* reader.value();
  reader.end();
  return value;
}

/** After so many UTF-16 units others may have their turn. */
const PIECE_UNITS = 16_384;

/** A string is parsed in parts of so many. */
const LONGEST_PART = 65_536;
/** That of a character by its number: `\ud83d`. */
const LONGEST_ESCAPE = 6;

/** A container that ends within so many UTF-16 units is parsed at once. */
const WINDOW_UNITS = 16_384;

/** Takes what is large apart as far as it is large, and leaves everything else to `JSON.parse`. */
class Reader {
  readonly #text: string;
  #at = 0;
  /** Up to here nothing is to be found that ends in its window: what is around it was looked through already. */
  #searched = 0;
  #pausedAt = 0;

  constructor(text: string) {
    this.#text = text;
  }

  *value(): Pieces<unknown> {
    const from = this.#skipBlanks();
    const first = this.#text[from];
    if (first === '"') return yield* this.#string(from);
    if (first !== "{" && first !== "[") return this.#parsed(endOf(AFTER_A_WORD, this.#text, from));
    const end = from < this.#searched ? undefined : this.#endOfContainer(from);
    if (end !== undefined) return this.#parsed(end);
    this.#searched = from + WINDOW_UNITS;
    this.#at++;
    return first === "{" ? yield* this.#object() : yield* this.#list();
  }

  /** Only blanks are left. */
  end(): void {
    if (this.#skipBlanks() < this.#text.length) this.#fail();
  }

  /** A text; a long one in parts, none of which ends within an escape. */
  *#string(from: number): Pieces<unknown> {
    const end = this.#endOfString(from, this.#text.length);
    if (end === undefined || end - from <= LONGEST_PART) return this.#parsed(end);
    const parts: string[] = [];
    for (let at = from + 1; at < end - 1;) {
      const until = this.#endOfPart(at, Math.min(at + LONGEST_PART, end - 1), end - 1);
      parts.push(JSON.parse(`"${this.#text.slice(at, until)}"`) as string);
      at = until;
      yield;
    }
    this.#at = end;
    return parts.join("");
  }

  /** Where a part of a string that begins behind an escape may end, at an offset or a little before it. */
  #endOfPart(from: number, most: number, end: number): number {
    const before = most - LONGEST_ESCAPE;
    const last = before + this.#text.slice(before, most).lastIndexOf("\\");
    if (most === end || last < before) return most;
    let first = last;
    while (first > from && this.#text[first - 1] === "\\") first--;
    // One backslash behind another is escaped by it.
    return first > from ? first : from + 2 * Math.floor((last + 1 - from) / 2);
  }

  *#object(): Pieces<object> {
    const result = {};
    if (this.#takes("}")) return result;
    for (;;) {
      const nameAt = this.#skipBlanks();
      if (this.#text[nameAt] !== '"') this.#fail();
      const name = this.#parsed(this.#endOfString(nameAt, this.#text.length)) as string;
      if (!this.#takes(":")) this.#fail();
      const value = yield* this.value();
      setOwn(result, name, value);
      if (this.#takes("}")) return result;
      if (!this.#takes(",")) this.#fail();
      if (this.#mayPause()) yield;
    }
  }

  *#list(): Pieces<unknown[]> {
    const result: unknown[] = [];
    if (this.#takes("]")) return result;
    for (;;) {
      result.push(yield* this.value());
      if (this.#takes("]")) return result;
      if (!this.#takes(",")) this.#fail();
      if (this.#mayPause()) yield;
    }
  }

  #mayPause(): boolean {
    if (this.#at - this.#pausedAt < PIECE_UNITS) return false;
    this.#pausedAt = this.#at;
    return true;
  }

  /** Parses what there is up to an offset, and goes on there. */
  #parsed(end: number | undefined): unknown {
    const part = this.#text.slice(this.#at, end);
    this.#at = end ?? this.#text.length;
    return JSON.parse(part);
  }

  #takes(sign: string): boolean {
    const isThere = this.#text[this.#skipBlanks()] === sign;
    if (isThere) this.#at++;
    return isThere;
  }

  #skipBlanks(): number {
    this.#at = endOf(BLANKS, this.#text, this.#at);
    return this.#at;
  }

  /** The offset behind a string, if it is not beyond another one. */
  #endOfString(from: number, most: number): number | undefined {
    for (
      let at = this.#text.indexOf('"', from + 1);
      at !== -1 && at < most;
      at = this.#text.indexOf('"', at + 1)
    ) {
      let before = at;
      while (this.#text[before - 1] === "\\") before--;
      if ((at - before) % 2 === 0) return at + 1;
    }
    return undefined;
  }

  /** The offset behind a list or an object, if it ends within its window. */
  #endOfContainer(from: number): number | undefined {
    const most = from + WINDOW_UNITS;
    let depth = 0;
    for (let at = from; at < most;) {
      const sign = this.#text[at];
      if (sign === '"') {
        const end = this.#endOfString(at, most);
        if (end === undefined) return undefined;
        at = end;
        continue;
      }
      if (sign === "{" || sign === "[") depth++;
      if (sign === "}" || sign === "]") depth--;
      at++;
      if (depth === 0) return at;
    }
    return undefined;
  }

  /** @throws SyntaxError that names the place. */
  #fail(): never {
    throw new SyntaxError(`Expected another sign at position ${this.#at} of the JSON`);
  }
}

const BLANKS = /[ \t\n\r]*/y;
const AFTER_A_WORD = /[^ \t\n\r,\]}]*/y;

/** Where a match from an offset on ends. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
