import { SolidityTokenizer } from "./solidityTokenizer.ts";
import { type Pieces } from "../../concurrency/turns.ts";
import {
  emptyDeclarations,
  memberDeclaration,
  type ContractDeclaration,
  type ContractKind,
  type ImportDeclaration,
  type MemberDeclaration,
  type SourceDeclarations,
  type TypedName,
  type TypeName,
} from "../../sources/sourceDeclarations.ts";

/**
 * Reads the declarations of a Solidity file without a compiler (docs/grammar/SolidityParser.g4). It never fails: what it
 * can't make sense of it skips to the next semicolon or block.
 */
export function solidityDeclarationsInPieces(text: string): Pieces<SourceDeclarations> {
  return new DeclarationReader(text).file();
}

type Declarations = ReturnType<typeof emptyDeclarations>;

/** So many declarations are read before a pause may be made. */
const DECLARATIONS_OF_A_PIECE = 64;
const VISIBILITIES = new Set(["external", "public", "internal", "private"]);
/** Mappings of mappings and arrays of arrays deeper than any contract has; the stack bears no text's whole depth. */
const MAX_NESTED_TYPES = 64;
const LOCATIONS = new Set(["memory", "storage", "calldata"]);
const VARIABLE_ATTRIBUTES = new Set([...VISIBILITIES, "constant", "immutable", "transient"]);

class DeclarationReader {
  readonly #tokens: SolidityTokenizer;
  /** Empty at the end. */
  #token = "";
  #read = 0;

  constructor(text: string) {
    this.#tokens = new SolidityTokenizer(text);
    this.#advance();
  }

  *file(): Pieces<SourceDeclarations> {
    const imports: ImportDeclaration[] = [];
    const contracts: ContractDeclaration[] = [];
    const declarations = emptyDeclarations();
    let isAbstract = false;
    while (!this.#at("")) {
      if (++this.#read % DECLARATIONS_OF_A_PIECE === 0) yield;
      const wasAbstract = isAbstract;
      isAbstract = this.#at("abstract");
      switch (this.#token) {
        case "abstract":
          this.#advance();
          break;
        case "import": {
          const found = this.#import();
          if (found) imports.push(found);
          break;
        }
        case "pragma":
          this.#skipStatement();
          break;
        case "contract":
        case "interface":
        case "library": {
          const kind = wasAbstract && this.#token === "contract" ? "abstract contract" : this.#token;
          const found = yield* this.#contract(kind);
          if (found) contracts.push(found);
          break;
        }
        default:
          this.#declaration(declarations, undefined);
      }
    }
    const members = declarations.members.filter(({ kind }) => kind === "error" || kind === "event");
    return { ...declarations, members, imports, contracts };
  }

  get #start(): number {
    return this.#tokens.position - this.#token.length;
  }

  /** Asked by a method, because the compiler would take a field to be unchanged by what advances. */
  #at(token: string): boolean {
    return this.#token === token;
  }

  #advance(): void {
    this.#token = this.#tokens.next() ?? "";
  }

  #take(token: string): boolean {
    if (this.#token !== token) return false;
    this.#advance();
    return true;
  }

  /** The identifier at hand, and the next token. */
  #identifier(): string | undefined {
    const token = this.#token;
    if (!/^[A-Za-z$_]/.test(token) || /["']$/.test(token)) return undefined;
    this.#advance();
    return token;
  }

  #path(): string | undefined {
    let path = this.#identifier();
    while (path !== undefined && this.#take(".")) path += `.${this.#identifier() ?? ""}`;
    return path;
  }

  /** Skips to behind the semicolon or the block that ends a statement, a closing brace excluded. */
  #skipStatement(): void {
    let depth = 0;
    while (!this.#at("")) {
      if (this.#at("{")) {
        this.#tokens.skipBlock();
        this.#advance();
        // `using {f} for T;` and `f{value: 1}()` go on behind the brace.
        if (depth === 0 && !this.#at("for")) return;
        continue;
      }
      if (this.#at("}")) return;
      if (this.#at("(")) depth++;
      if (this.#at(")")) depth--;
      const isEnd = this.#at(";");
      this.#advance();
      if (isEnd) return;
    }
  }

  /** Skips a parenthesis that is at hand. */
  #skipParenthesis(): void {
    let depth = 0;
    do {
      if (this.#at("(")) depth++;
      else if (this.#at(")")) depth--;
      else if (this.#at("{")) this.#tokens.skipBlock();
      else if (this.#at("") || this.#at("}")) return;
      this.#advance();
    } while (depth > 0);
  }

  #import(): ImportDeclaration | undefined {
    this.#advance();
    const names: { name: string; local: string }[] = [];
    let alias: string | undefined;
    let path: string | undefined;
    let isNamed = false;
    while (!this.#at("") && !this.#at(";")) {
      if (/^["']/.test(this.#token)) {
        path ??= this.#token.slice(1, -1);
        this.#advance();
      } else if (this.#take("as")) {
        const local = this.#identifier();
        const last = names.at(-1);
        if (isNamed && last && local !== undefined) last.local = local;
        else alias = local;
      } else if (this.#take("{")) {
        isNamed = true;
      } else {
        const name = isNamed && path === undefined ? this.#identifier() : undefined;
        if (name === undefined) this.#advance();
        else if (name !== "from") names.push({ name, local: name });
        else if (!/^["']/.test(this.#token)) names.push({ name, local: name });
      }
    }
    this.#advance();
    if (path === undefined) return undefined;
    return { path, ...(alias !== undefined && { alias }), ...(isNamed && { names }) };
  }

  *#contract(kind: ContractKind): Pieces<ContractDeclaration | undefined> {
    this.#advance();
    const start = this.#start;
    const name = this.#identifier();
    if (name === undefined) return undefined;
    const bases: string[] = [];
    let isBase = false;
    while (!this.#at("") && !this.#at("{") && !this.#at(";")) {
      if (this.#take("is")) isBase = true;
      // `contract A layout at 0x10 is B`
      else if (this.#take("layout")) isBase = false;
      else if (this.#at("(")) this.#skipParenthesis();
      else if (isBase) {
        const base = this.#path();
        if (base === undefined) this.#advance();
        else bases.push(base);
      } else this.#advance();
    }
    const declarations = emptyDeclarations();
    if (this.#take("{")) {
      while (!this.#at("") && !this.#at("}")) {
        if (++this.#read % DECLARATIONS_OF_A_PIECE === 0) yield;
        this.#declaration(declarations, kind);
      }
    }
    this.#advance();
    return { kind, name, start, bases, ...declarations };
  }

  /** One declaration of a file (`owner` undefined) or of a contract; something is always consumed. */
  #declaration(into: Declarations, owner: ContractKind | undefined): void {
    switch (this.#token) {
      case "struct":
        this.#struct(into);
        break;
      case "enum":
        this.#enum(into);
        break;
      case "type":
        this.#valueType(into);
        break;
      case "event":
        this.#advance();
        this.#errorOrEvent(into, "event");
        break;
      case "error":
        this.#advance();
        this.#errorOrEvent(into, "error");
        break;
      case "function":
        this.#function(into, owner);
        break;
      case "using":
        this.#skipStatement();
        break;
      case "modifier":
      case "constructor":
      case "fallback":
      case "receive":
        this.#skipCallable();
        break;
      case "{":
        this.#tokens.skipBlock();
        this.#advance();
        break;
      case "}":
        this.#advance();
        break;
      default:
        this.#variable(into);
    }
  }

  #struct(into: Declarations): void {
    this.#advance();
    const name = this.#identifier();
    const members: TypedName[] = [];
    if (name === undefined || !this.#take("{")) {
      this.#skipStatement();
      return;
    }
    while (!this.#at("") && !this.#at("}")) {
      const type = this.#type();
      const member = this.#identifier();
      if (type && member !== undefined) members.push({ type, name: member });
      else if (this.#at("{")) this.#tokens.skipBlock();
      while (!this.#at("") && !this.#at(";") && !this.#at("}")) this.#advance();
      this.#take(";");
    }
    this.#advance();
    into.structs.push({ name, members });
  }

  #enum(into: Declarations): void {
    this.#advance();
    const name = this.#identifier();
    let size = 0;
    if (name === undefined || !this.#take("{")) {
      this.#skipStatement();
      return;
    }
    while (!this.#at("") && !this.#at("}")) {
      if (this.#identifier() === undefined) this.#advance();
      else size++;
    }
    this.#advance();
    into.enums.push({ name, size });
  }

  #valueType(into: Declarations): void {
    this.#advance();
    const name = this.#identifier();
    if (name !== undefined && this.#take("is")) {
      const type = this.#type();
      if (type) into.valueTypes.push({ name, type });
    }
    this.#skipStatement();
  }

  #errorOrEvent(into: Declarations, kind: "error" | "event"): void {
    const start = this.#start;
    const name = this.#identifier();
    if (name === undefined || !this.#at("(")) {
      this.#skipStatement();
      return;
    }
    const inputs = this.#parameters();
    const isAnonymous = this.#at("anonymous");
    this.#skipStatement();
    into.members.push(memberDeclaration(kind, name, start, { inputs, isAnonymous }));
  }

  #function(into: Declarations, owner: ContractKind | undefined): void {
    this.#advance();
    const start = this.#start;
    if (this.#at("(")) {
      // A variable that holds a function, or the fallback function of old.
      this.#variable(into, this.#functionType());
      return;
    }
    const name = this.#identifier();
    if (name === undefined || !this.#at("(")) {
      this.#skipStatement();
      return;
    }
    const inputs = this.#parameters();
    // Before 0.5 a function without a visibility was public.
    let visibility = owner === undefined ? "internal" : "public";
    let stateMutability: MemberDeclaration["stateMutability"] = "nonpayable";
    let outputs: TypedName[] = [];
    while (!this.#at("") && !this.#at(";") && !this.#at("{") && !this.#at("}")) {
      const token = this.#token;
      if (VISIBILITIES.has(token)) visibility = token;
      else if (token === "view" || token === "pure" || token === "payable") stateMutability = token;
      else if (token === "constant") stateMutability = "view";
      if (token === "(") this.#skipParenthesis();
      else this.#advance();
      if (token === "returns" && this.#at("(")) outputs = this.#parameters();
    }
    const isImplemented = this.#at("{");
    if (isImplemented) this.#tokens.skipBlock();
    if (!this.#at("}")) this.#advance();
    const isVisible = visibility === "external" || visibility === "public";
    const rest = { inputs, outputs, isVisible, stateMutability, isImplemented };
    into.members.push(memberDeclaration("function", name, start, rest));
  }

  #skipCallable(): void {
    this.#advance();
    while (!this.#at("") && !this.#at(";") && !this.#at("}")) {
      if (this.#at("{")) {
        this.#tokens.skipBlock();
        break;
      }
      if (this.#at("(")) this.#skipParenthesis();
      else this.#advance();
    }
    if (!this.#at("}")) this.#advance();
  }

  #variable(into: Declarations, type = this.#type()): void {
    if (!type) {
      if (!this.#at("}") && !this.#at("{") && !this.#at(";")) this.#advance();
      this.#skipStatement();
      return;
    }
    let name: string | undefined;
    let start = 0;
    let isPublic = false;
    let isConstant = false;
    let isImmutable = false;
    while (!this.#at("")) {
      if (this.#at("override")) {
        this.#advance();
        if (this.#at("(")) this.#skipParenthesis();
        continue;
      }
      const isAttribute = VARIABLE_ATTRIBUTES.has(this.#token);
      const at = this.#start;
      const word = this.#identifier();
      if (word === undefined) break;
      if (isAttribute) {
        isPublic ||= word === "public";
        isConstant ||= word === "constant";
        isImmutable ||= word === "immutable";
      } else {
        name = word;
        start = at;
      }
    }
    const from = this.#at("=") ? this.#tokens.position : undefined;
    const isVariable = this.#at("=") || this.#at(";");
    while (!this.#at("") && !this.#at(";") && !this.#at("}") && (from !== undefined || !this.#at("{"))) {
      if (this.#at("{")) this.#tokens.skipBlock();
      this.#advance();
    }
    const to = this.#start;
    this.#skipStatement();
    if (name === undefined || !isVariable) return;
    if (isConstant && from !== undefined)
      into.constants.push({ name, value: this.#tokens.text.slice(from, to) });
    const outputs = [{ type, name: "" }];
    const rest = {
      outputs,
      isVisible: isPublic,
      stateMutability: "view",
      ...(isImmutable && { isImmutable }),
    } as const;
    into.members.push(memberDeclaration("variable", name, start, rest));
  }

  /** The list in the parenthesis at hand. */
  #parameters(): TypedName[] {
    const parameters: TypedName[] = [];
    this.#advance();
    while (!this.#at("") && !this.#at(")") && !this.#at("}")) {
      const type = this.#type();
      let name = "";
      let isIndexed = false;
      let isStorage = false;
      while (!this.#at("") && !/^[,){};]$/.test(this.#token)) {
        const word = this.#identifier();
        if (word === undefined) this.#advance();
        else if (word === "indexed") isIndexed = true;
        else if (LOCATIONS.has(word)) isStorage ||= word === "storage";
        else name = word;
      }
      if (type)
        parameters.push({ type, name, ...(isIndexed && { isIndexed }), ...(isStorage && { isStorage }) });
      if (!this.#take(",") && !this.#at(")")) break;
    }
    this.#take(")");
    return parameters;
  }

  #type(depth = 0): TypeName | undefined {
    let type = depth > MAX_NESTED_TYPES ? undefined : this.#typeWithoutBrackets(depth);
    let dimensions = 0;
    while (type && this.#at("[") && dimensions++ < MAX_NESTED_TYPES) {
      const from = this.#tokens.position;
      let depth = 0;
      do {
        if (this.#at("[")) depth++;
        if (this.#at("]")) depth--;
        if (depth > 0) this.#advance();
      } while (depth > 0 && !this.#at("") && !/^[;{}]$/.test(this.#token));
      type = { kind: "array", element: type, length: this.#tokens.text.slice(from, this.#start).trim() };
      this.#take("]");
    }
    return type;
  }

  #typeWithoutBrackets(depth: number): TypeName | undefined {
    if (this.#at("mapping")) {
      this.#advance();
      if (!this.#take("(")) return undefined;
      const key = this.#type(depth + 1);
      const keyName = this.#at("=") ? "" : (this.#identifier() ?? "");
      this.#take("=");
      this.#take(">");
      const value = this.#type(depth + 1);
      const valueName = this.#identifier() ?? "";
      if (!key || !value || !this.#take(")")) return undefined;
      return { kind: "mapping", key, keyName, value, valueName };
    }
    if (this.#take("function")) return this.#functionType();
    const name = this.#path();
    if (name === undefined) return undefined;
    if (name === "address") this.#take("payable");
    return { kind: "named", name };
  }

  /** What follows the word `function` where it is a type. */
  #functionType(): TypeName | undefined {
    if (!this.#at("(")) return undefined;
    this.#skipParenthesis();
    // A second visibility is the variable's.
    let hasVisibility = false;
    while (!this.#at("")) {
      const isVisibility = this.#at("external") || this.#at("internal");
      if (isVisibility ? hasVisibility : !/^(?:view|pure|payable|returns)$/.test(this.#token)) break;
      hasVisibility ||= isVisibility;
      const isReturns = this.#at("returns");
      this.#advance();
      if (isReturns) this.#skipParenthesis();
    }
    return { kind: "function" };
  }
}
