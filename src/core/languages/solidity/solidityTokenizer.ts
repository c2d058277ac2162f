import type { Pieces } from "../../concurrency/turns.ts";

/** A long block is skipped in parts of so many UTF-16 units. */
const PART_UNITS = 262_144;

const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const ASTERISK = 0x2a;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** What ends a line for solc: LF, VT, FF, CR, NEL, LS, PS (liblangutil/Scanner.cpp, `isUnicodeLinebreak`). */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/g;
const IDENTIFIER = /[A-Za-z$_][\w$]*/y;

/**
 * Cuts a Solidity source into tokens by its lexical grammar (docs/grammar/SolidityLexer.g4): comments, strings
 * with escapes and nested braces are understood. It never fails: what breaks off ends with the text.
 */
export class SolidityTokenizer {
  readonly text: string;
  #position = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The UTF-16 offset behind the last token. */
  get position(): number {
    return this.#position;
  }

  /**
   * The next token at or after the position, or `undefined` at the end: an identifier, a whole string
   * literal with its quotes (and its `hex` or `unicode` prefix), or one character of anything else.
   */
  next(): string | undefined {
    const text = this.text;
    for (;;) {
      const code = text.charCodeAt(this.#position);
      if (Number.isNaN(code)) return undefined;
      if (code <= 0x20) {
        this.#position++;
      } else if (code === SLASH && this.#skipComment()) {
        continue;
      } else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
        const start = this.#position;
        this.#skipString(code);
        return text.slice(start, this.#position);
      } else {
        return this.#word() ?? text.charAt(this.#position++);
      }
    }
  }

  /** An identifier, with the string literal that follows `hex` or `unicode` without a space. */
  #word(): string | undefined {
    IDENTIFIER.lastIndex = this.#position;
    const word = IDENTIFIER.exec(this.text)?.[0];
    if (word === undefined) return undefined;
    const start = this.#position;
    this.#position += word.length;
    if (word === "hex" || word === "unicode") {
      const code = this.text.charCodeAt(this.#position);
      if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) this.#skipString(code);
    }
    return this.text.slice(start, this.#position);
  }

  /** Skips the comment at the position; false when the slash begins none. */
  #skipComment(): boolean {
    const next = this.text.charCodeAt(this.#position + 1);
    if (next === SLASH) {
      LINE_BREAK.lastIndex = this.#position + 2;
      this.#position = LINE_BREAK.exec(this.text)?.index ?? this.text.length;
      return true;
    }
    if (next === ASTERISK) {
      const end = this.text.indexOf("*/", this.#position + 2);
      this.#position = end < 0 ? this.text.length : end + 2;
      return true;
    }
    return false;
  }

  /** Skips the string literal that begins with `quote` at the position; an unclosed one ends with its line. */
  #skipString(quote: number): void {
    const text = this.text;
    let at = this.#position + 1;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      // A line break of two characters is escaped as one.
      if (code === BACKSLASH) at += text.startsWith("\r\n", at + 1) ? 2 : 1;
      else if (code === quote) {
        at++;
        break;
      } else if (code === 0x0a || code === 0x0d) break;
    }
    this.#position = Math.min(at, text.length);
  }

  /** Skips to behind the brace that closes the block whose opening brace was just read. */
  skipBlock(): void {
    this.#skipWithin(1, this.text.length);
  }

  /** The same as {@link skipBlock}, in pieces. */
  *skipBlockInPieces(): Pieces<void> {
    const { length } = this.text;
    for (let depth = 1; depth > 0 && this.#position < length;) {
      depth = this.#skipWithin(depth, Math.min(this.#position + PART_UNITS, length));
      yield;
    }
  }

  /** Skips to behind the brace that closes the outermost of so many blocks, or to `end`; answers how many are open. */
  #skipWithin(open: number, end: number): number {
    const text = this.text;
    let depth = open;
    while (this.#position < end) {
      const code = text.charCodeAt(this.#position);
      if (code === SLASH && this.#skipComment()) continue;
      if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
        this.#skipString(code);
        continue;
      }
      this.#position++;
      if (code === OPEN_BRACE) depth++;
      else if (code === CLOSE_BRACE && --depth === 0) break;
    }
    return depth;
  }
}
