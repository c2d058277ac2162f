import { countParts } from "./depth.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const DECODER = new TextDecoder();

/** Says that values which are wanted of a text have more parts than memory holds. */
export class TooManyParts extends Error {}

/**
 * Goes once through a text of JSON and takes what is wanted of it: all else is passed over without being made a value,
 * which costs a tenth of the time and none of the memory. What is passed over has to end where it should; what else is
 * wrong with it does not matter.
 *
 * Every method throws `SyntaxError` where the text breaks off or is none.
 */
export class JsonScan {
  readonly #bytes: Uint8Array;
  #at = 0;
  #partsLeft: number;

  /** @param mostParts in all values that are taken; see {@link countParts} */
  constructor(bytes: Uint8Array, mostParts: number) {
    this.#bytes = bytes;
    this.#partsLeft = mostParts;
    // A byte-order mark is passed over, as everywhere.
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.#at = 3;
  }

  /**
   * The fields of the object that comes next, in their order.
   *
   * @param visit takes the value of a field by one of these methods
   * @returns false for what is no object, which is passed over
   */
  object(visit: (name: string) => void): boolean {
    if (this.#next() !== OPEN_BRACE) {
      this.skip();
      return false;
    }
    this.#at++;
    if (this.#takes(CLOSE_BRACE)) return true;
    for (;;) {
      if (this.#next() !== QUOTE) this.#fail();
      const from = this.#at;
      this.#skipString();
      const name = JSON.parse(DECODER.decode(this.#bytes.subarray(from, this.#at))) as string;
      if (!this.#takes(COLON)) this.#fail();
      visit(name);
      if (this.#takes(CLOSE_BRACE)) return true;
      if (!this.#takes(COMMA)) this.#fail();
    }
  }

  get isList(): boolean {
    return this.#next() === OPEN_BRACKET;
  }

  /**
   * The value that comes next.
   *
   * @throws TooManyParts
   */
  value(): unknown {
    this.#next();
    const from = this.#at;
    this.skip();
    this.#partsLeft -= countParts(this.#bytes, from, this.#at);
    if (this.#partsLeft < 0) throw new TooManyParts();
    return JSON.parse(DECODER.decode(this.#bytes.subarray(from, this.#at)));
  }

  skip(): void {
    const first = this.#next();
    if (first === QUOTE) this.#skipString();
    else if (first === OPEN_BRACE || first === OPEN_BRACKET) this.#skipContainer();
    else this.#skipWord();
  }

  /** Nothing but blanks is left. */
  end(): void {
    if (this.#next() !== undefined) this.#fail();
  }

  #skipString(): void {
    const bytes = this.#bytes;
    let at = this.#at + 1;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.#at = at + 1;
        return;
      }
      if (byte === BACKSLASH) at++;
    }
    this.#fail();
  }

  #skipContainer(): void {
    const bytes = this.#bytes;
    let depth = 0;
    for (let at = this.#at; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth++;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth--;
        if (depth === 0) {
          this.#at = at + 1;
          return;
        }
      }
    }
    this.#fail();
  }

  /** A number, or one of the words `true`, `false` and `null`. */
  #skipWord(): void {
    const bytes = this.#bytes;
    const from = this.#at;
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at] ?? 0;
      if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isBlank(byte)) break;
    }
    // Throws for any other word.
    JSON.parse(DECODER.decode(bytes.subarray(from, this.#at)));
  }

  #takes(sign: number): boolean {
    const isThere = this.#next() === sign;
    if (isThere) this.#at++;
    return isThere;
  }

  /** The next byte that is no blank; `undefined` at the end. */
  #next(): number | undefined {
    for (; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (!isBlank(byte)) return byte;
    }
    return undefined;
  }

  #fail(): never {
    throw new SyntaxError(`Expected another sign at byte ${this.#at} of the JSON`);
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
