import { isRustSpace, trimmedEnd, trimmedStart } from "./rustSpace.ts";

/** A number with a decimal point, which no setting takes, be it a whole one. */
const DECIMAL = Symbol("decimal number");

/** No setting is nested deeper; what is goes for a text. */
const MAX_LEVELS = 50;
/** The largest and the smallest whole numbers; what goes beyond is a text. */
const LARGEST = 2n ** 64n - 1n;
const SMALLEST = -(2n ** 63n);

/**
 * The value that the text of a variable is to figment, through which forge reads its environment (SergioBenitez/Figment,
 * src/value/parse.rs, 0.10, measured with forge 1.7.1): a truth, a whole number, a list `[a, b]`, a table `{a = b}`, a text in
 * quotes or bare; `null` for nothing at all. A text that is none of these as a whole is taken as it stands but for the white
 * space around it.
 */
export function figmentValue(text: string): unknown {
  const trimmed = trimmedEnd(trimmedStart(text));
  try {
    const reader = new FigmentReader(trimmed);
    const value = reader.value(0);
    return reader.isAtEnd ? value : trimmed;
  } catch (error) {
    if (error instanceof NoValue) return trimmed;
    throw error;
  }
}

/** A text has another form than its beginning promised. */
class NoValue extends Error {}

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

class FigmentReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  value(level: number): unknown {
    if (level > MAX_LEVELS) throw new NoValue();
    this.#skipSpace();
    const value = this.#valueFrom(this.#next, level);
    this.#skipSpace();
    return value;
  }

  #valueFrom(first: string, level: number): unknown {
    if (first === "") return null;
    if (first === '"') return this.#quoted();
    if (first === "'") return this.#quotedCharacter();
    if (first === "[") return this.#delimited("[", "]", () => this.value(level + 1));
    if (first === "{")
      return Object.fromEntries(
        this.#delimited("{", "}", () => {
          const key = this.#next === '"' ? this.#quoted() : this.#taken(/[A-Za-z0-9_-]*/y);
          this.#skipSpace();
          this.#eat("=");
          return [key, this.value(level + 1)] as const;
        }),
      );
    return bareValue(trimmedEnd(this.#taken(/[^,{}[\]]*/y)));
  }

  #delimited<T>(start: string, end: string, item: () => T): T[] {
    const items: T[] = [];
    this.#eat(start);
    this.#skipSpace();
    while (this.#next !== end) {
      items.push(item());
      this.#skipSpace();
      if (this.#next !== ",") break;
      this.#eat(",");
      this.#skipSpace();
    }
    this.#eat(end);
    return items;
  }

  /** One character, as Rust counts them. */
  #quotedCharacter(): string {
    this.#eat("'");
    const character = this.#taken(/[^]/uy);
    this.#eat("'");
    return character;
  }

  #quoted(): string {
    const parts: string[] = [];
    this.#eat('"');
    for (;;) {
      // No control character but a tab.
      // eslint-disable-next-line no-control-regex -- the rule is about these
      parts.push(this.#taken(/[^"\\\u0000-\u0008\u000a-\u001f\u007f]*/y));
      if (this.#next !== "\\") break;
      this.#eat("\\");
      parts.push(this.#escaped());
    }
    this.#eat('"');
    return parts.join("");
  }

  #escaped(): string {
    const kind = this.#taken(/[^]/y);
    const digits =
      kind === "u" ? this.#taken(/[\da-f]{4}/iy) : kind === "U" ? this.#taken(/[\da-f]{8}/iy) : "";
    if (digits === "") {
      const character = ESCAPED.get(kind);
      if (character === undefined) throw new NoValue();
      return character;
    }
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new NoValue();
    return String.fromCodePoint(code);
  }

  get #next(): string {
    return this.#text.charAt(this.#at);
  }

  #skipSpace(): void {
    while (!this.isAtEnd && isRustSpace(this.#next)) this.#at++;
  }

  #eat(character: string): void {
    if (this.#next !== character) throw new NoValue();
    this.#at++;
  }

  /** What a sticky expression matches here. */
  #taken(what: RegExp): string {
    what.lastIndex = this.#at;
    const taken = what.exec(this.#text)?.[0];
    if (taken === undefined) throw new NoValue();
    this.#at += taken.length;
    return taken;
  }
}

/** A truth, a number or a text without quotes. */
function bareValue(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  if (/^[+-]?(?:\d+\.\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return DECIMAL;
  const [, sign, digits = ""] = /^([+-]?)0*(\d{1,20})$/.exec(text) ?? [];
  if (sign === undefined) return text;
  const whole = sign === "-" ? -BigInt(digits) : BigInt(digits);
  return whole > LARGEST || whole < SMALLEST ? text : Number(whole);
}
