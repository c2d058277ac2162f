/** An import directive. Offsets are UTF-16 positions in the scanned text. */
export interface SolidityImport {
  /** The path as the compiler sees it: quotes removed, escapes decoded. */
  readonly path: string;
  /** Where the path's literal begins, its quote included. */
  readonly start: number;
}

/** A `pragma solidity` directive. */
export interface SolidityVersionPragma {
  /** What stands between `pragma solidity` and `;`, comments included. */
  readonly expression: string;
  /** Where the expression begins. */
  readonly start: number;
}

/** A contract-like definition; they stand at file level only. */
export interface SolidityDefinition {
  readonly kind: "contract" | "abstract contract" | "interface" | "library";
  readonly name: string;
  /** Where the name begins. */
  readonly start: number;
}

/** What a Solidity file says about other files, compilers and contracts. */
export interface SolidityOutline {
  readonly imports: readonly SolidityImport[];
  readonly versionPragmas: readonly SolidityVersionPragma[];
  readonly definitions: readonly SolidityDefinition[];
}

const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const ASTERISK = 0x2a;
const SLASH = 0x2f;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** What ends a line for solc: LF, VT, FF, CR, NEL, LS, PS (liblangutil/Scanner.cpp, `isUnicodeLinebreak`). */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/g;
const IDENTIFIER = /[A-Za-z$_][\w$]*/y;

/**
 * Reads imports, version pragmas and definitions with a tokenizer that follows Solidity's lexical grammar
 * (docs/grammar/SolidityLexer.g4): comments, strings with escapes and nested braces are understood, so the
 * word `import` in NatSpec, in a string or in an assembly block is none. It never fails: on a file that
 * solc would reject it reads what can be read and leaves the message to the compiler.
 */
export function scanSolidity(text: string): SolidityOutline {
  return new SolidityScanner(text).scan();
}

class SolidityScanner {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): SolidityOutline {
    const imports: SolidityImport[] = [];
    const versionPragmas: SolidityVersionPragma[] = [];
    const definitions: SolidityDefinition[] = [];
    let isAbstract = false;
    for (;;) {
      const token = this.#nextToken();
      if (token === undefined) break;
      const wasAbstract = isAbstract;
      isAbstract = token === "abstract";
      switch (token) {
        case "{":
          this.#skipBlock();
          break;
        case "import": {
          const found = this.#importPath();
          if (found) imports.push(found);
          break;
        }
        case "pragma": {
          const found = this.#versionPragma();
          if (found) versionPragmas.push(found);
          break;
        }
        case "contract":
        case "interface":
        case "library": {
          const name = this.#nextToken();
          if (name === undefined || !/^[A-Za-z$_]/.test(name)) break;
          const kind = token === "contract" && wasAbstract ? "abstract contract" : token;
          definitions.push({ kind, name, start: this.#position - name.length });
          break;
        }
      }
    }
    return { imports, versionPragmas, definitions };
  }

  /**
   * The next token at or after the position, or `undefined` at the end: an identifier, a whole string
   * literal with its quotes (and its `hex` or `unicode` prefix), or one character of anything else.
   */
  #nextToken(): string | undefined {
    const text = this.#text;
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
    const word = IDENTIFIER.exec(this.#text)?.[0];
    if (word === undefined) return undefined;
    const start = this.#position;
    this.#position += word.length;
    if (word === "hex" || word === "unicode") {
      const code = this.#text.charCodeAt(this.#position);
      if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) this.#skipString(code);
    }
    return this.#text.slice(start, this.#position);
  }

  /** Skips the comment at the position; false when the slash begins none. */
  #skipComment(): boolean {
    const next = this.#text.charCodeAt(this.#position + 1);
    if (next === SLASH) {
      LINE_BREAK.lastIndex = this.#position + 2;
      this.#position = LINE_BREAK.exec(this.#text)?.index ?? this.#text.length;
      return true;
    }
    if (next === ASTERISK) {
      const end = this.#text.indexOf("*/", this.#position + 2);
      this.#position = end < 0 ? this.#text.length : end + 2;
      return true;
    }
    return false;
  }

  /** Skips the string literal that begins with `quote` at the position; an unclosed one ends with its line. */
  #skipString(quote: number): void {
    const text = this.#text;
    let at = this.#position + 1;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) at++;
      else if (code === quote) {
        at++;
        break;
      } else if (code === 0x0a || code === 0x0d) break;
    }
    this.#position = Math.min(at, text.length);
  }

  /** Skips to behind the brace that closes the block whose opening brace was just read. */
  #skipBlock(): void {
    const text = this.#text;
    const length = text.length;
    let depth = 1;
    while (this.#position < length) {
      const code = text.charCodeAt(this.#position);
      if (code === SLASH && this.#skipComment()) continue;
      if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
        this.#skipString(code);
        continue;
      }
      this.#position++;
      if (code === OPEN_BRACE) depth++;
      else if (code === CLOSE_BRACE && --depth === 0) return;
    }
  }

  /** The path of the directive behind `import`: its first string literal before the semicolon. */
  #importPath(): SolidityImport | undefined {
    for (;;) {
      const token = this.#nextToken();
      if (token === undefined || token === ";") return undefined;
      if (token.startsWith('"') || token.startsWith("'")) {
        return { path: decodeStringLiteral(token), start: this.#position - token.length };
      }
    }
  }

  #versionPragma(): SolidityVersionPragma | undefined {
    const subject = this.#nextToken();
    const start = this.#position;
    const isVersion = subject === "solidity";
    for (let token = subject; token !== undefined && token !== ";";) token = this.#nextToken();
    if (!isVersion || this.#text.charCodeAt(this.#position - 1) !== SEMICOLON) return undefined;
    const raw = this.#text.slice(start, this.#position - 1);
    const blank = raw.length - raw.trimStart().length;
    return { expression: raw.trim(), start: start + blank };
  }
}

/**
 * The value of a string literal: `\xNN` gives a byte and `\uNNNN` a character, an escaped line break
 * vanishes (docs/grammar/SolidityLexer.g4, `EscapeSequence`).
 */
function decodeStringLiteral(literal: string): string {
  const body = literal.slice(1, -1);
  if (!body.includes("\\")) return body;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  const escape = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(\r\n|[\s\S]))|[^\\]+/g;
  for (const [whole, byte, unit, other] of body.matchAll(escape)) {
    if (byte !== undefined) bytes.push(Number.parseInt(byte, 16));
    else if (unit !== undefined)
      bytes.push(...encoder.encode(String.fromCharCode(Number.parseInt(unit, 16))));
    else if (other === undefined) bytes.push(...encoder.encode(whole));
    else if (!/^[\r\n]/.test(other)) bytes.push(...encoder.encode(SIMPLE_ESCAPES[other] ?? other));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
