import { ownValue } from "../json/ownValue.ts";
import { placeFinder } from "../workspace/definitionPlace.ts";

/** A part of a configuration that is computed by code, which is not run. */
export interface Computed {
  readonly kind: "computed";
  /** One-based. */
  readonly line: number;
  /** The code, shortened. */
  readonly code: string;
}

/** True for what a script computes instead of saying it. */
export function isComputed(value: unknown): value is Computed {
  return typeof value === "object" && value !== null && COMPUTED in value;
}

const COMPUTED = Symbol("computed");
const LONGEST_CODE = 40;
/** Brackets, signs and powers deeper than any configuration has; the stack bears no text's whole depth. */
const MAX_DEPTH = 200;
/** Tokens that constants stand for in all: constants of constants double with each one. */
const MAX_EXPANDED = 100_000;
const LONGEST_TEXT = 1_000_000;

/**
 * Reads what a JavaScript or TypeScript configuration file exports, as data: nothing is run. Literals, objects,
 * arrays, spreads, constants of the same file, `as` and `satisfies`, arithmetic of numbers and a call such as
 * `defineConfig({…})` around the object are understood; everything else becomes {@link Computed} in its place,
 * and the rest is read all the same.
 *
 * @returns The exported value, or `undefined` when the file exports nothing that can be found.
 */
export function readExportedLiteral(text: string): unknown {
  const script = new LiteralReader(text);
  return script.exported();
}

interface Token {
  readonly kind: "word" | "number" | "string" | "template" | "sign" | "pattern";
  readonly text: string;
  /** The value of a number, a string or a template without expressions. */
  readonly value?: string | number;
  readonly start: number;
  /** A line break stands before it. */
  readonly onNewLine: boolean;
}

const OPENING = new Set(["(", "[", "{"]);
const SIGNS = /\.\.\.|=>|\*\*|\?\?|\?\.|&&|\|\||[=!]==?|[<>]=?|[-+*/%&|^~!?:;,.=(){}[\]<>@#]/y;
const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER =
  /0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?/y;

class LiteralReader {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  /** For each token that opens a bracket, the one that closes it; the number of tokens where none does. */
  readonly #closing: readonly number[];
  readonly #lineAt: (offset: number) => number;
  readonly #constants = new Map<string, number>();
  readonly #evaluating = new Set<string>();
  #at = 0;
  #depth = 0;
  #expanded = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text);
    this.#closing = closingBrackets(this.#tokens);
    const place = placeFinder("", text);
    this.#lineAt = (offset) => place(offset).line + 1;
  }

  exported(): unknown {
    let exportAt: number | undefined;
    let depth = 0;
    for (const [at, { text, kind }] of this.#tokens.entries()) {
      if (kind === "sign" && OPENING.has(text)) depth++;
      else if (kind === "sign" && /^[)\]}]$/.test(text)) depth--;
      else if (depth > 0) continue;
      else if (/^(?:const|let|var)$/.test(text)) this.#declare(at + 1);
      else if (text === "export" && this.#is(at + 1, "default")) exportAt = at + 2;
      else if (text === "export" && this.#is(at + 1, "=")) exportAt = at + 2;
      else if (this.#isSequence(at, "module", ".", "exports", "=")) exportAt = at + 4;
      else if (this.#isSequence(at, "exports", ".", "default", "=")) exportAt = at + 4;
    }
    return exportAt === undefined ? undefined : this.#valueAt(exportAt);
  }

  #is(at: number, text: string): boolean {
    return this.#tokens[at]?.text === text && this.#tokens[at].kind !== "string";
  }

  #isSequence(at: number, ...texts: readonly string[]): boolean {
    return texts.every((text, offset) => this.#is(at + offset, text)) && !this.#is(at - 1, ".");
  }

  /** Remembers where the value of `name = …` or `name: Type = …` begins. */
  #declare(at: number): void {
    const name = this.#tokens[at];
    if (name?.kind !== "word") return;
    let depth = 0;
    for (let next = at + 1; next < this.#tokens.length; next++) {
      const token = this.#tokens[next];
      if (!token || token.text === ";") return;
      // The next declaration: this one has no value, and is not looked for further.
      if (token.kind === "word" && /^(?:const|let|var)$/.test(token.text)) return;
      if (token.kind === "sign" && (OPENING.has(token.text) || token.text === "<")) depth++;
      else if (token.kind === "sign" && /^[)\]}>]$/.test(token.text)) depth--;
      else if (depth === 0 && token.kind === "sign" && token.text === "=") {
        this.#constants.set(name.text, next + 1);
        return;
      }
    }
  }

  #valueAt(at: number): unknown {
    const before = this.#at;
    this.#at = at;
    const value = this.#expression();
    this.#expanded += this.#at - at + sizeOf(value);
    this.#at = before;
    return value;
  }

  /** An expression up to the `,`, `;` or closing bracket behind it; what is not data is computed. */
  #expression(): unknown {
    const start = this.#at;
    const value = this.#nested(() => this.#sum());
    this.#skipTypes();
    const next = this.#tokens[this.#at];
    if (!next || /^[,;)\]}]$/.test(next.text) || (next.onNewLine && next.kind === "word")) return value;
    this.#at = start;
    return this.#skipComputed();
  }

  /** What is read one level deeper; computed where that is too deep. */
  #nested(read: () => unknown): unknown {
    if (this.#depth >= MAX_DEPTH) return this.#skipComputed();
    this.#depth++;
    const value = read();
    this.#depth--;
    return value;
  }

  #sum(): unknown {
    let value = this.#product();
    for (;;) {
      const sign = this.#tokens[this.#at];
      if (sign?.kind !== "sign" || !/^[-+]$/.test(sign.text)) return value;
      this.#at++;
      value = this.#combine(sign.text, value, this.#product());
    }
  }

  #product(): unknown {
    let value = this.#power();
    for (;;) {
      const sign = this.#tokens[this.#at];
      if (sign?.kind !== "sign" || !/^[*/]$/.test(sign.text)) return value;
      this.#at++;
      value = this.#combine(sign.text, value, this.#power());
    }
  }

  #power(): unknown {
    const base = this.#unary();
    if (!this.#is(this.#at, "**")) return base;
    this.#at++;
    return this.#combine(
      "**",
      base,
      this.#nested(() => this.#power()),
    );
  }

  #combine(sign: string, left: unknown, right: unknown): unknown {
    if (sign === "+" && typeof left === "string" && typeof right === "string")
      return left.length + right.length > LONGEST_TEXT ? this.#computed(this.#at - 1) : left + right;
    if (typeof left !== "number" || typeof right !== "number") return this.#computed(this.#at - 1);
    switch (sign) {
      case "+":
        return left + right;
      case "-":
        return left - right;
      case "*":
        return left * right;
      case "/":
        return left / right;
      default:
        return left ** right;
    }
  }

  #unary(): unknown {
    const token = this.#tokens[this.#at];
    if (token?.kind === "sign" && token.text === "-") {
      this.#at++;
      const value = this.#nested(() => this.#unary());
      return typeof value === "number" ? -value : this.#computed(this.#at - 1);
    }
    if (token?.kind === "sign" && token.text === "!") {
      this.#at++;
      const value = this.#nested(() => this.#unary());
      return typeof value === "boolean" || typeof value === "number" ? !value : this.#computed(this.#at - 1);
    }
    return this.#primary();
  }

  #primary(): unknown {
    const token = this.#tokens[this.#at];
    if (!token) return undefined;
    switch (token.kind) {
      case "number":
      case "string":
        this.#at++;
        return token.value;
      case "template":
        this.#at++;
        return token.value ?? this.#computed(this.#at - 1);
      case "word":
        return this.#name(token.text);
      case "sign":
        if (token.text === "{") return this.#object();
        if (token.text === "[") return this.#array();
        if (token.text === "(") {
          this.#at++;
          const value = this.#expression();
          if (this.#is(this.#at, ")")) this.#at++;
          return value;
        }
        return this.#computed(this.#at);
      case "pattern":
        this.#at++;
        return this.#computed(this.#at - 1);
    }
  }

  #name(name: string): unknown {
    const at = this.#at++;
    if (name === "true") return true;
    if (name === "false") return false;
    if (name === "null") return null;
    if (name === "undefined") return undefined;
    // defineConfig({…}), Object.freeze({…}): what such a call wraps is what it gives.
    if (/^(?:defineConfig|Object)$/.test(name)) {
      if (this.#is(this.#at, ".") && this.#is(this.#at + 1, "freeze")) this.#at += 2;
      if (this.#is(this.#at, "(")) {
        this.#at++;
        const value = this.#expression();
        const computed =
          !this.#is(this.#at, ")") && !(this.#is(this.#at, ",") && this.#is(this.#at + 1, ")"));
        while (this.#at < this.#tokens.length && !this.#is(this.#at++, ")"));
        return computed ? this.#computed(at) : value;
      }
    }
    const constant = this.#constants.get(name);
    let value: unknown;
    const isKnown = constant !== undefined && !this.#evaluating.has(name);
    if (!isKnown || this.#expanded > MAX_EXPANDED) value = this.#computed(at);
    else {
      this.#evaluating.add(name);
      value = this.#valueAt(constant);
      this.#evaluating.delete(name);
    }
    while (this.#is(this.#at, ".") && this.#tokens[this.#at + 1]?.kind === "word") {
      const field = this.#tokens[this.#at + 1]?.text ?? "";
      this.#at += 2;
      value =
        typeof value === "object" && value !== null && !isComputed(value) && Object.hasOwn(value, field)
          ? ownValue(value as Record<string, unknown>, field)
          : this.#computed(at);
    }
    return value;
  }

  #object(): unknown {
    this.#at++;
    const object: Record<string, unknown> = {};
    const set = (name: string, value: unknown) =>
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
    while (this.#at < this.#tokens.length && !this.#is(this.#at, "}")) {
      const token = this.#tokens[this.#at];
      if (!token) break;
      if (this.#is(this.#at, "...")) {
        this.#at++;
        const spread = this.#expression();
        if (isComputed(spread)) set(`...${spread.code}`, spread);
        else if (typeof spread === "object" && spread !== null)
          for (const [name, value] of Object.entries(spread)) set(name, value);
      } else if (this.#is(this.#at, "[")) {
        this.#at++;
        const name = this.#expression();
        if (this.#is(this.#at, "]")) this.#at++;
        const value = this.#propertyValue();
        if (typeof name === "string" || typeof name === "number") set(String(name), value);
        else set("...", this.#computed(this.#at - 1));
      } else if (token.kind === "word" || token.kind === "string" || token.kind === "number") {
        this.#at++;
        let name = token.kind === "word" ? token.text : String(token.value);
        const next = this.#tokens[this.#at];
        // async hook() {}, get value() {}: the name comes second.
        if (/^(?:async|get|set)$/.test(name) && (next?.kind === "word" || next?.kind === "string")) {
          name = next.text.replace(/^["']|["']$/g, "");
          this.#at++;
        }
        if (token.kind === "word" && (!next || next.text === "," || next.text === "}")) {
          this.#at--;
          set(name, this.#expression());
        } else set(name, this.#propertyValue());
      } else {
        this.#skipComputed();
      }
      if (this.#is(this.#at, ",")) this.#at++;
      else if (!this.#is(this.#at, "}")) this.#skipComputed();
    }
    this.#at++;
    return object;
  }

  /** What follows a property's name: `: value`, or a method, which is computed. */
  #propertyValue(): unknown {
    if (!this.#is(this.#at, ":")) return this.#skipComputed();
    this.#at++;
    return this.#expression();
  }

  #array(): unknown {
    this.#at++;
    const items: unknown[] = [];
    while (this.#at < this.#tokens.length && !this.#is(this.#at, "]")) {
      const spreads = this.#is(this.#at, "...");
      if (spreads) this.#at++;
      const value = this.#expression();
      if (spreads && Array.isArray(value)) for (const item of value as unknown[]) items.push(item);
      else items.push(value);
      if (this.#is(this.#at, ",")) this.#at++;
      else if (!this.#is(this.#at, "]")) break;
    }
    this.#at++;
    return items;
  }

  /** Skips `as Type` and `satisfies Type`. */
  #skipTypes(): void {
    while (this.#is(this.#at, "as") || this.#is(this.#at, "satisfies")) {
      this.#at++;
      let depth = 0;
      for (; this.#at < this.#tokens.length; this.#at++) {
        const token = this.#tokens[this.#at];
        if (!token) return;
        if (depth === 0 && /^(?:[,;)\]}=]|as|satisfies)$/.test(token.text)) break;
        if (depth === 0 && token.onNewLine && token.kind === "word") break;
        if (OPENING.has(token.text) || token.text === "<") depth++;
        else if (/^[)\]}>]$/.test(token.text)) depth--;
      }
    }
  }

  /** Skips code up to the `,`, `;` or closing bracket of this level. */
  #skipComputed(): Computed {
    const computed = this.#computed(this.#at);
    const first = this.#at;
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at];
      if (!token) break;
      if (token.kind !== "sign") continue;
      if (OPENING.has(token.text)) this.#at = this.#closing[this.#at] ?? this.#tokens.length;
      else if (/^[)\]},;]$/.test(token.text)) break;
    }
    if (this.#at === first) this.#at++;
    return computed;
  }

  #computed(at: number): Computed {
    const start = this.#tokens[Math.min(at, this.#tokens.length - 1)]?.start ?? 0;
    const [code = ""] = this.#text.slice(start, start + LONGEST_CODE).split(/[\r\n,;]/);
    return { kind: "computed", line: this.#lineAt(start), code: code.trim(), [COMPUTED]: true } as Computed;
  }
}

/** How much a value holds, itself not counted. */
function sizeOf(value: unknown): number {
  return Array.isArray(value)
    ? value.length
    : typeof value === "object" && value !== null
      ? Object.keys(value).length
      : 0;
}

function closingBrackets(tokens: readonly Token[]): number[] {
  const closing: number[] = [];
  const open: number[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    closing.push(tokens.length);
    if (kind !== "sign") continue;
    if (OPENING.has(text)) open.push(at);
    else if (/^[)\]}]$/.test(text)) {
      const opened = open.pop();
      if (opened !== undefined) closing[opened] = at;
    }
  }
  return closing;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = text.startsWith("#!") ? text.indexOf("\n") : 0;
  if (at < 0) return tokens;
  let onNewLine = false;
  const push = (kind: Token["kind"], end: number, value?: string | number) => {
    tokens.push({
      kind,
      text: text.slice(at, end),
      start: at,
      onNewLine,
      ...(value !== undefined && { value }),
    });
    at = end;
    onNewLine = false;
  };
  while (at < text.length) {
    const character = text.charAt(at);
    if (/\s|\ufeff/.test(character)) {
      onNewLine ||= character === "\n";
      at++;
    } else if (text.startsWith("//", at)) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
    } else if (text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at + 2);
      onNewLine ||= text.slice(at, end < 0 ? undefined : end).includes("\n");
      at = end < 0 ? text.length : end + 2;
    } else if (character === '"' || character === "'") {
      const end = endOfString(text, at);
      push("string", end, unescaped(text.slice(at + 1, end - 1)));
    } else if (character === "`") {
      const end = endOfTemplate(text, at);
      const body = text.slice(at + 1, end - 1);
      push("template", end, body.includes("${") ? undefined : unescaped(body));
    } else if (character === "/" && startsPattern(tokens.at(-1))) {
      push("pattern", endOfPattern(text, at));
    } else {
      const number = match(NUMBER, text, at);
      const word = number === undefined ? match(WORD, text, at) : undefined;
      const sign = word === undefined ? match(SIGNS, text, at) : undefined;
      if (number !== undefined) push("number", at + number.length, Number(number.replaceAll("_", "")));
      else if (word !== undefined) push("word", at + word.length);
      else push("sign", at + (sign?.length ?? 1));
    }
  }
  return tokens;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function endOfString(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\") at++;
    else if (character === quote || character === "\n") return at + 1;
  }
  return text.length;
}

/** The end of a template, whose expressions may hold templates themselves. */
function endOfTemplate(text: string, start: number): number {
  // The braces open in each expression around the place; in the text of a template the last one is 0.
  const braces = [0];
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    const depth = braces.at(-1) ?? 0;
    if (depth === 0) {
      if (character === "\\") at++;
      else if (character === "`") {
        braces.pop();
        if (braces.length === 0) return at + 1;
      } else if (text.startsWith("${", at)) {
        braces[braces.length - 1] = 1;
        at++;
      }
    } else if (character === "{" || character === "}") {
      braces[braces.length - 1] = depth + (character === "{" ? 1 : -1);
    } else if (character === "`") braces.push(0);
    else if (character === '"' || character === "'") at = endOfString(text, at) - 1;
  }
  return text.length;
}

/** A slash begins a regular expression where a value may stand. */
function startsPattern(before: Token | undefined): boolean {
  if (!before) return true;
  if (before.kind === "word") return /^(?:return|typeof|case|in|of|new|delete|void)$/.test(before.text);
  return before.kind === "sign" && !/^[)\]}]$/.test(before.text);
}

function endOfPattern(text: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\") at++;
    else if (character === "\n") return at;
    else if (character === "[") inClass = true;
    else if (character === "]") inClass = false;
    else if (character === "/" && !inClass) return at + 1;
  }
  return text.length;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["0", "\0"],
]);

function unescaped(body: string): string {
  if (!body.includes("\\")) return body;
  return body.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\}|(\r\n|[\s\S]))/g,
    (_whole, byte?: string, unit?: string, point?: string, other?: string) => {
      const code = byte ?? unit ?? point;
      if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
      return other === undefined || /^[\r\n]/.test(other) ? "" : (ESCAPES.get(other) ?? other);
    },
  );
}
