import { TextMemory } from "../../sources/textMemory.ts";
import { atOnce, type Pieces } from "../../concurrency/turns.ts";
import { solidityText } from "./solidityText.ts";
import { SolidityTokenizer } from "./solidityTokenizer.ts";

/** So many tokens outside blocks are read before a pause may be made. */
const PAUSE_AFTER = 4_096;

/** An import directive. Offsets are UTF-16 positions in the scanned text. */
interface SolidityImport {
  /** The path as the compiler sees it: quotes removed, escapes decoded; the literal itself where it is no text. */
  readonly path: string;
  /** Where the path's literal begins, its quote included. */
  readonly start: number;
}

/** A `pragma solidity` directive. */
interface SolidityVersionPragma {
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

/** What a Solidity file says about other files and compilers. */
export interface SolidityDirectives {
  readonly imports: readonly SolidityImport[];
  readonly versionPragmas: readonly SolidityVersionPragma[];
}

/** What a Solidity file says about other files, compilers and contracts. */
interface SolidityOutline extends SolidityDirectives {
  readonly definitions: readonly SolidityDefinition[];
}

const outlines = new TextMemory<SolidityOutline>();
const directives = new TextMemory<SolidityDirectives>();

/**
 * Reads imports, version pragmas and definitions with a tokenizer that follows Solidity's lexical grammar
 * (docs/grammar/SolidityLexer.g4): comments, strings with escapes and nested braces are understood, so the
 * word `import` in NatSpec, in a string or in an assembly block is none. It never fails: on a file that
 * solc would reject it reads what can be read and leaves the message to the compiler.
 */
export function scanSolidity(text: string): SolidityOutline {
  return atOnce(scanSolidityInPieces(text));
}

/** The same as {@link scanSolidity}, in pieces. */
export function scanSolidityInPieces(text: string): Pieces<SolidityOutline> {
  return new SolidityScanner(text).scan(text.length);
}

/** The same as {@link scanSolidityInPieces}, once for a text that is looked at again for the next contract. */
export function* solidityOutlineInPieces(text: string): Pieces<SolidityOutline> {
  return outlines.get(text) ?? outlines.set(text, yield* scanSolidityInPieces(text));
}

/** The same without the definitions, in a fraction of the time: behind the last directive nothing is read. */
export function scanSolidityDirectives(text: string): SolidityDirectives {
  return atOnce(scanSolidityDirectivesInPieces(text));
}

/** The same as {@link scanSolidityDirectives}, in pieces. */
export function* scanSolidityDirectivesInPieces(text: string): Pieces<SolidityDirectives> {
  const known = directives.get(text) ?? outlines.get(text);
  if (known) return known;
  const end = Math.max(lastWord(text, "import", "mport"), lastWord(text, "pragma", "gma"));
  return directives.set(
    text,
    end < 0 ? { imports: [], versionPragmas: [] } : yield* new SolidityScanner(text).scan(end),
  );
}

/**
 * Where a word stands for the last time, be it in a comment; -1 when nowhere.
 *
 * @param ending The end of the word from its rarest letter on, which is found sooner than the word.
 */
function lastWord(text: string, word: string, ending: string): number {
  const isPartOfWord = (at: number) => /[\w$]/.test(text.charAt(at));
  const before = word.length - ending.length;
  let last = -1;
  // Searching forwards is many times as fast as lastIndexOf.
  for (let at = text.indexOf(ending); at >= 0; at = text.indexOf(ending, at + ending.length)) {
    const start = at - before;
    if (text.startsWith(word, start) && !isPartOfWord(start - 1) && !isPartOfWord(start + word.length)) {
      last = start;
    }
  }
  return last;
}

class SolidityScanner {
  readonly #tokens: SolidityTokenizer;

  constructor(text: string) {
    this.#tokens = new SolidityTokenizer(text);
  }

  /** Reads up to the token that begins at `last`. */
  *scan(last: number): Pieces<SolidityOutline> {
    const imports: SolidityImport[] = [];
    const versionPragmas: SolidityVersionPragma[] = [];
    const definitions: SolidityDefinition[] = [];
    let isAbstract = false;
    for (let count = 1; this.#tokens.position <= last; count++) {
      if (count % PAUSE_AFTER === 0) yield;
      const token = this.#tokens.next();
      if (token === undefined) break;
      const wasAbstract = isAbstract;
      isAbstract = token === "abstract";
      switch (token) {
        case "{":
          yield* this.#tokens.skipBlockInPieces();
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
          const name = this.#tokens.next();
          if (name === undefined || !/^[A-Za-z$_]/.test(name)) break;
          const kind = token === "contract" && wasAbstract ? "abstract contract" : token;
          definitions.push({ kind, name, start: this.#tokens.position - name.length });
          break;
        }
      }
    }
    return { imports, versionPragmas, definitions };
  }

  /** The path of the directive behind `import`: its first string literal before the semicolon. */
  #importPath(): SolidityImport | undefined {
    for (;;) {
      const token = this.#tokens.next();
      if (token === undefined || token === ";") return undefined;
      if (token.startsWith('"') || token.startsWith("'")) {
        return { path: solidityText(token) ?? token, start: this.#tokens.position - token.length };
      }
    }
  }

  #versionPragma(): SolidityVersionPragma | undefined {
    const subject = this.#tokens.next();
    const start = this.#tokens.position;
    const isVersion = subject === "solidity";
    for (let token = subject; token !== undefined && token !== ";";) token = this.#tokens.next();
    if (!isVersion || !this.#tokens.text.startsWith(";", this.#tokens.position - 1)) return undefined;
    const raw = this.#tokens.text.slice(start, this.#tokens.position - 1);
    const blank = raw.length - raw.trimStart().length;
    return { expression: raw.trim(), start: start + blank };
  }
}
