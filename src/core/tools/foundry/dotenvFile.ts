import { isRustSpace, trimmedEnd, trimmedStart } from "./rustSpace.ts";

/** A variable that a `.env` sets. */
export interface DotenvVariable {
  readonly name: string;
  /** `undefined` where it is made of a variable that the file does not define before. */
  readonly value: string | undefined;
  /** One-based. */
  readonly line: number;
  /** What stands for the value, as written. */
  readonly written: string;
}

/** What a `.env` sets, up to its first fault. */
interface DotenvFile {
  /** Each once, in the order of the file. */
  readonly variables: readonly DotenvVariable[];
  /** The line, one-based, that can't be read, behind which nothing is. */
  readonly stopsAt?: number;
}

/** A few variables can double a text at each line; one that becomes longer is not known, in characters. */
const MAX_VALUE_LENGTH = 100_000;

/**
 * Reads a `.env` as forge does (allan2/dotenvy, dotenv/src/iter.rs and parse.rs, 0.15.7; measured with forge 1.7.1). The first
 * of two variables of one name counts. `$name` and `${name}` stand for what the file defines before them; what the
 * environment of forge defines is not known here. Behind the first line that it can't read it reads nothing, and says nothing.
 */
export function readDotenv(bytes: Uint8Array): DotenvFile {
  const variables = new Map<string, DotenvVariable>();
  const { text, isWhole } = linesOfUtf8(bytes);
  const lines = new LineReader(text);
  for (;;) {
    const line = lines.number;
    const logical = lines.next();
    if (logical === undefined)
      return { variables: [...variables.values()], ...(!isWhole && { stopsAt: line }) };
    if (logical === FAULT) return { variables: [...variables.values()], stopsAt: line };
    const assigned = assignment(logical, (name) => variables.get(name)?.value);
    if (assigned === FAULT) return { variables: [...variables.values()], stopsAt: line };
    if (assigned && !variables.has(assigned.name)) variables.set(assigned.name, { ...assigned, line });
  }
}

/** What can't be read, be it a line or a value. */
const FAULT = Symbol("fault");

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const BYTE_ORDER_MARK = /^\ufeff/;

/** The lines before the first that is not UTF-8, without a byte order mark. */
function linesOfUtf8(bytes: Uint8Array): { readonly text: string; readonly isWhole: boolean } {
  try {
    return { text: STRICT.decode(bytes).replace(BYTE_ORDER_MARK, ""), isWhole: true };
  } catch {
    const lines: string[] = [];
    for (let at = 0; at < bytes.length;) {
      const feed = bytes.indexOf(LINE_FEED, at);
      const end = feed < 0 ? bytes.length : feed + 1;
      try {
        lines.push(STRICT.decode(bytes.subarray(at, end)));
      } catch {
        break;
      }
      at = end;
    }
    return { text: lines.join("").replace(BYTE_ORDER_MARK, ""), isWhole: false };
  }
}

const LINE_FEED = 10;

type State = "plain" | "space" | "escape" | "double" | "doubleEscape" | "single" | "singleEscape";

/** What a character outside quotes leads to. */
function opened(character: string): State {
  if (character === "\\") return "escape";
  if (character === '"') return "double";
  return character === "'" ? "single" : "plain";
}

/** Where a character leads from a state. A line ends where the state is plain; a backslash counts in single quotes, too. */
function after(state: State, character: string): State {
  switch (state) {
    case "plain":
      return isRustSpace(character) && character !== "\n" && character !== "\r" ? "space" : opened(character);
    case "space":
      return opened(character);
    case "escape":
      return "plain";
    case "double":
      if (character === "\\") return "doubleEscape";
      return character === '"' ? "plain" : "double";
    case "single":
      if (character === "\\") return "singleEscape";
      return character === "'" ? "plain" : "single";
    case "doubleEscape":
      return "double";
    case "singleEscape":
      return "single";
  }
}

/** The lines of a text, of which one goes on where a quote is open at its end. */
class LineReader {
  /** Of the line that comes next, one-based. */
  number = 1;
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next one without its end and without a comment; `undefined` behind the last one. */
  next(): string | typeof FAULT | undefined {
    if (this.#at >= this.#text.length) return undefined;
    const start = this.#at;
    const isComment = trimmedStart(this.#physical()).startsWith("#");
    if (isComment) return "";
    let state: State = "plain";
    for (let at = start; ;) {
      for (; at < this.#at; at++) {
        const character = this.#text.charAt(at);
        if (state === "space" && character === "#") return this.#text.slice(start, at);
        state = after(state, character);
      }
      if (state === "plain") return this.#text.slice(start, this.#at);
      if (this.#at >= this.#text.length) return FAULT;
      this.#physical();
    }
  }

  /** Goes on behind the next line feed. */
  #physical(): string {
    const from = this.#at;
    const feed = this.#text.indexOf("\n", from);
    this.#at = feed < 0 ? this.#text.length : feed + 1;
    this.number++;
    return this.#text.slice(from, this.#at);
  }
}

type Assignment = Omit<DotenvVariable, "line">;

/** What a line sets; `undefined` for an empty one. */
function assignment(
  line: string,
  valueOf: (name: string) => string | undefined,
): Assignment | typeof FAULT | undefined {
  let rest = trimmedStart(trimmedEnd(line));
  if (rest === "" || rest.startsWith("#")) return undefined;
  const name = () => {
    const found = /^[A-Za-z_][\w.]*/.exec(rest)?.[0];
    rest = trimmedStart(rest.slice(found?.length ?? 0));
    return found;
  };
  let named = name();
  if (named === "export" && !rest.startsWith("=")) named = name();
  if (named === undefined || !rest.startsWith("=")) return FAULT;
  const written = trimmedStart(rest.slice(1));
  // A null can't stand in an environment: forge breaks off.
  if (written.includes("\0")) return FAULT;
  if (written.startsWith("#")) return { name: named, value: "", written: "" };
  const value = new ValueReader(written, valueOf).read();
  return value === FAULT ? FAULT : { name: named, value, written };
}

const ESCAPABLE = "\\'\"$ ";

/** Puts a value together from its quoted and bare parts. */
class ValueReader {
  readonly #text: string;
  readonly #valueOf: (name: string) => string | undefined;
  readonly #parts: string[] = [];
  #length = 0;
  #isKnown = true;
  #at = 0;

  constructor(text: string, valueOf: (name: string) => string | undefined) {
    this.#text = text;
    this.#valueOf = valueOf;
  }

  read(): string | typeof FAULT | undefined {
    let isQuoted = false;
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      if (!isQuoted && (character === " " || character === "\t")) {
        if (!/^[ \t]*(?:#|$)/.test(this.#text.slice(this.#at))) return FAULT;
        break;
      }
      if (character === "$") {
        if (!this.#substituted()) return FAULT;
        continue;
      }
      this.#at++;
      if (character === '"') isQuoted = !isQuoted;
      else if (character === "\\") {
        if (!this.#escaped()) return FAULT;
      } else if (character === "'" && !isQuoted) {
        const end = this.#text.indexOf("'", this.#at);
        if (end < 0) return FAULT;
        this.#add(this.#text.slice(this.#at, end));
        this.#at = end + 1;
      } else this.#add(character);
    }
    if (isQuoted) return FAULT;
    return this.#isKnown ? this.#parts.join("") : undefined;
  }

  /** A backslash at the very end is nothing. */
  #escaped(): boolean {
    const character = this.#text.charAt(this.#at++);
    if (character !== "" && character !== "n" && !ESCAPABLE.includes(character)) return false;
    this.#add(character === "n" ? "\n" : character);
    return true;
  }

  /**
   * What follows a dollar sign. The character behind a name without braces is text, be it a quote or a space; a name is
   * letters and digits, so that an underscore ends it.
   */
  #substituted(): boolean {
    const [, inBraces, bare = ""] = this.#matched(/\$(?:\{([^}]*)\}|([\p{Alphabetic}\p{N}]*))/uy);
    if (inBraces !== undefined) {
      this.#addValueOf(inBraces);
      return true;
    }
    const next = this.#text.codePointAt(this.#at);
    // A brace that nothing closes.
    if (bare === "" && this.#text.charAt(this.#at) === "{") return false;
    this.#addValueOf(bare);
    if (next === undefined || this.#text.charAt(this.#at) === "$") return true;
    const character = String.fromCodePoint(next);
    this.#add(character);
    this.#at += character.length;
    return true;
  }

  #matched(what: RegExp): readonly (string | undefined)[] {
    what.lastIndex = this.#at;
    const found = what.exec(this.#text) ?? [];
    this.#at += found[0]?.length ?? 0;
    return found;
  }

  #addValueOf(name: string): void {
    const value = name === "" ? "" : this.#valueOf(name);
    if (value === undefined) this.#isKnown = false;
    else this.#add(value);
  }

  #add(text: string): void {
    this.#length += text.length;
    if (this.#length > MAX_VALUE_LENGTH) this.#isKnown = false;
    else this.#parts.push(text);
  }
}
