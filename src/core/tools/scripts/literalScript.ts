import { ownValue } from "../../json/ownValue.ts";
import { placeFinder } from "../../text/definitionPlace.ts";
import { computedAt, isComputed, oneOf as chosen, SPREAD, type Computed } from "./computed.ts";
import { asRecord } from "../../json/looseData.ts";
import { operate, pureFunction, pureMethod, truthOf, UNKNOWN } from "./scriptOperators.ts";
import { closingBrackets, OPENING, tokenize, type Token } from "./scriptTokens.ts";

const LONGEST_CODE = 40;
/** Brackets, signs and powers deeper than any configuration has; the stack bears no text's whole depth. */
const MAX_DEPTH = 200;
/** Tokens that constants stand for in all, and parts of one value: constants of constants double with each one. */
const MAX_EXPANDED = 100_000;

/** A variable of the environment that a value depends on, and that is taken as not set. */
export interface UnsetVariable {
  readonly name: string;
  /** One-based. */
  readonly line: number;
  /** The names that lead to the value: `solidity`, `settings`. */
  readonly property: readonly string[];
}

/** What a configuration script exports, read as data. */
export interface ReadScript {
  /** `undefined` when the file exports nothing that can be found. */
  readonly exported: unknown;
  readonly unset: readonly UnsetVariable[];
  /** The modules that it imports, as it names them. */
  readonly imported: readonly string[];
}

/**
 * Reads what a JavaScript or TypeScript configuration file exports, as data: nothing is run. Literals, objects,
 * arrays, spreads, constants of the same file, conditions, `as` and `satisfies`, operators and functions that only
 * hand on what they are given are understood. A variable of the environment counts as not set. Everything else,
 * such as what a command line says, becomes {@link Computed} in its place, and the rest is read all the same.
 */
export function readScript(text: string): ReadScript {
  const reader = new LiteralReader(text);
  const exported = reader.exported();
  return { exported, unset: reader.unset, imported: reader.imported() };
}

/** The exported value alone of {@link readScript}. */
export function readExportedLiteral(text: string): unknown {
  return readScript(text).exported;
}

/** Where the value of a name stands. */
interface Constant {
  readonly at: number;
  /** For `const { field = fallback } = …`: the field, and where the fallback stands. */
  readonly field?: string;
  readonly fallback?: number;
}

/** `name.path = …` after the declaration, and the conditions around it. */
interface Assignment {
  readonly path: readonly string[];
  /** Where the new value stands; missing for a change of another kind. */
  readonly at?: number;
  readonly guards: readonly Guard[];
}

/** A condition around a statement, and whether it has to hold; `undefined` for what is not followed. */
type Guard = { readonly at: number; readonly holds: boolean } | undefined;

/** A function of the script that is one expression, with its parameters. */
class ScriptFunction {
  readonly parameters: readonly string[];
  readonly body: number;
  readonly scope: Scope | undefined;

  constructor(parameters: readonly string[], body: number, scope: Scope | undefined) {
    this.parameters = parameters;
    this.body = body;
    this.scope = scope;
  }
}

/** The arguments by the names of the parameters. */
interface Scope {
  readonly values: ReadonlyMap<string, unknown>;
  readonly outer: Scope | undefined;
}

/** `process.env`. */
const ENVIRONMENT = Symbol("environment");
/** `process` and other names that lead to what is known. */
const PROCESS = Symbol("process");

/** Methods that change what they are called on. */
const MUTATORS = /^(?:push|unshift|pop|shift|splice|sort|reverse|fill|set|delete)$/;
const DECLARATION = /^(?:const|let|var)$/;
const CLOSING = /^[)\]}]$/;
/** In tokens: what may stand between the name of a function and its body. */
const LONGEST_TYPE = 64;
const MERGE = "Object.assign";
const END = /^[,;)\]}]$/;

class LiteralReader {
  readonly unset: UnsetVariable[] = [];
  readonly #text: string;
  readonly #tokens: readonly Token[];
  /** For each token that opens a bracket, the one that closes it; the number of tokens where none does. */
  readonly #closing: readonly number[];
  /** The other way round. */
  readonly #opening: readonly (number | undefined)[];
  readonly #lineAt: (offset: number) => number;
  readonly #constants = new Map<string, Constant>();
  readonly #functions = new Map<string, { readonly parameters: readonly string[]; readonly body: number }>();
  readonly #assignments = new Map<string, Assignment[]>();
  readonly #conditions = new Map<number, unknown>();
  readonly #evaluating = new Set<string>();
  /** How many parts objects and arrays have, down to the last. */
  readonly #weights = new WeakMap<object, number>();
  readonly #property: string[] = [];
  #scope: Scope | undefined;
  #exportAt: number | undefined;
  #at = 0;
  #depth = 0;
  #expanded = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text);
    this.#closing = closingBrackets(this.#tokens);
    const opening: (number | undefined)[] = [];
    for (const [at, closing] of this.#closing.entries()) if (this.#is(closing, ")")) opening[closing] = at;
    this.#opening = opening;
    const place = placeFinder("", text);
    this.#lineAt = (offset) => place(offset).line + 1;
  }

  exported(): unknown {
    this.#readStatements();
    if (this.#exportAt === undefined) return undefined;
    return this.#asData(this.#assigned("module.exports", this.#valueAt(this.#exportAt)));
  }

  /** What follows `import`, `from` or `require(`. */
  imported(): string[] {
    return this.#tokens.flatMap(({ kind, value }, at) => {
      if (kind !== "string" || typeof value !== "string") return [];
      const isImport = this.#is(at - 1, "import") || this.#is(at - 1, "from");
      return isImport || this.#isSequence(at - 2, "require", "(") ? [value] : [];
    });
  }

  #is(at: number, text: string): boolean {
    return this.#tokens[at]?.text === text && this.#tokens[at].kind !== "string";
  }

  #isSequence(at: number, ...texts: readonly string[]): boolean {
    return texts.every((text, offset) => this.#is(at + offset, text)) && !this.#is(at - 1, ".");
  }

  /** Notes what is declared, assigned and exported; blocks are entered for what they assign. */
  #readStatements(): void {
    const guards: Guard[] = [];
    const closes: number[] = [];
    /** The condition of the `if` that ended last, for its `else`. */
    let last: { readonly end: number; readonly guard: Guard } | undefined;
    for (let at = 0; at < this.#tokens.length; at++) {
      while (closes.at(-1) === at) {
        closes.pop();
        const guard = guards.pop();
        last = { end: at, guard };
      }
      const token = this.#tokens[at];
      if (!token || (token.kind !== "word" && token.kind !== "sign")) continue;
      if (token.kind === "sign" && OPENING.has(token.text)) {
        const end = this.#closing[at] ?? this.#tokens.length;
        const guard = token.text === "{" ? this.#guardOf(at, last) : "no block";
        if (guard === "no block") at = end;
        else {
          guards.push(guard);
          closes.push(end);
        }
      } else if (token.kind === "word") {
        this.#readStatement(at, guards);
      }
    }
  }

  #readStatement(at: number, guards: readonly Guard[]): void {
    const { text } = this.#tokens[at] ?? { text: "" };
    const isTopLevel = guards.length === 0;
    if (isTopLevel && DECLARATION.test(text)) this.#declare(at + 1);
    else if (isTopLevel && text === "function") this.#declareFunction(at + 1);
    else if (isTopLevel && text === "export" && (this.#is(at + 1, "default") || this.#is(at + 1, "=")))
      this.#exportAt = at + 2;
    else if (isTopLevel && this.#isSequence(at, "module", ".", "exports", "=")) this.#exportAt = at + 4;
    else if (isTopLevel && this.#isSequence(at, "exports", ".", "default", "=")) this.#exportAt = at + 4;
    else if (this.#beginsStatement(at))
      this.#assign(at, this.#inlineGuard(at, guards.length > MAX_DEPTH ? [undefined] : [...guards]));
  }

  #beginsStatement(at: number): boolean {
    const before = this.#tokens[at - 1];
    return (
      !before ||
      this.#tokens[at]?.onNewLine === true ||
      (before.kind === "sign" && /^[;{})]$/.test(before.text)) ||
      before.text === "else"
    );
  }

  /** `if (x) statement`: its condition besides those of the blocks around it. */
  #inlineGuard(at: number, guards: readonly Guard[]): readonly Guard[] {
    if (this.#is(at - 1, "else")) return [...guards, undefined];
    const open = this.#opening[at - 1];
    if (open === undefined || !/^(?:if|for|while)$/.test(this.#tokens[open - 1]?.text ?? "")) return guards;
    return [...guards, this.#is(open - 1, "if") ? { at: open + 1, holds: true } : undefined];
  }

  /** What a `{` depends on that begins a block; "no block" for an object. */
  #guardOf(
    at: number,
    last: { readonly end: number; readonly guard: Guard } | undefined,
  ): Guard | "no block" {
    const before = this.#tokens[at - 1];
    if (!before) return "no block";
    if (this.#is(at - 1, "else")) {
      const guard = last?.end === at - 2 ? last.guard : undefined;
      return guard && { at: guard.at, holds: !guard.holds };
    }
    const open = this.#opening[at - 1];
    if (open !== undefined) {
      const isAlone = this.#is(open - 1, "if") && !this.#is(open - 2, "else");
      return isAlone ? { at: open + 1, holds: true } : undefined;
    }
    return before.text === "=>" || /^(?:try|do|finally)$/.test(before.text) ? undefined : "no block";
  }

  /** Remembers where the values stand of `a = …, b: Type = …, { c, d: e = … } = …`. */
  #declare(at: number): void {
    for (let next: number | undefined = at; next !== undefined;) next = this.#declareOne(next);
  }

  /** @returns where the next one of the same statement begins. */
  #declareOne(at: number): number | undefined {
    const token = this.#tokens[at];
    const isPattern = this.#is(at, "{");
    if (!token || (!isPattern && token.kind !== "word")) return undefined;
    const value = this.#valueOfDeclaration(isPattern ? (this.#closing[at] ?? at) + 1 : at + 1);
    if (value === undefined) return undefined;
    if (isPattern) this.#declareFields(at + 1, this.#closing[at] ?? at, value);
    else this.#constants.set(token.text, { at: value });
    return this.#nextDeclaration(value);
  }

  /** Where the value begins of a declaration whose name is read: behind the `=`, and its type. */
  #valueOfDeclaration(at: number): number | undefined {
    let depth = 0;
    for (let next = at; next < this.#tokens.length; next++) {
      const token = this.#tokens[next];
      if (!token || token.text === ";") return undefined;
      // The next declaration: this one has no value, and is not looked for further.
      if (token.kind === "word" && DECLARATION.test(token.text)) return undefined;
      if (token.kind !== "sign") continue;
      if (OPENING.has(token.text)) next = this.#closing[next] ?? this.#tokens.length;
      else if (token.text === "<") depth++;
      else if (token.text === ">") depth--;
      else if (depth === 0 && token.text === "=") return next + 1;
      else if (CLOSING.test(token.text)) return undefined;
    }
    return undefined;
  }

  #declareFields(from: number, to: number, value: number): void {
    for (let at = from; at < to; at++) {
      const name = this.#tokens[at];
      if (name?.kind === "word") {
        const isRenamed = this.#is(at + 1, ":") && this.#tokens[at + 2]?.kind === "word";
        const local = isRenamed ? (this.#tokens[at + 2]?.text ?? "") : name.text;
        const end = at + (isRenamed ? 3 : 1);
        const fallback = this.#is(end, "=") ? end + 1 : undefined;
        this.#constants.set(local, {
          at: value,
          field: name.text,
          ...(fallback !== undefined && { fallback }),
        });
      }
      // Rest and nested patterns are passed over.
      for (; at < to && !this.#is(at, ","); at++)
        if (OPENING.has(this.#tokens[at]?.text ?? "")) at = this.#closing[at] ?? to;
    }
  }

  #nextDeclaration(value: number): number | undefined {
    for (let at = value; at < this.#tokens.length; at++) {
      const token = this.#tokens[at];
      if (token?.kind === "sign" && OPENING.has(token.text)) at = this.#closing[at] ?? this.#tokens.length;
      else if (token?.kind === "sign" && token.text === ",") return at + 1;
      else if (token?.kind === "sign" && (token.text === ";" || CLOSING.test(token.text))) return undefined;
      else if (token?.kind === "word" && at > value && (token.onNewLine || DECLARATION.test(token.text)))
        return undefined;
    }
    return undefined;
  }

  #declareFunction(at: number): void {
    const name = this.#tokens[at];
    if (name?.kind !== "word" || !this.#is(at + 1, "(")) return;
    const parameters = this.#parameters(at + 1);
    const open = this.#soon((this.#closing[at + 1] ?? this.#tokens.length) + 1, "{");
    if (parameters && open !== undefined && this.#is(open + 1, "return"))
      this.#functions.set(name.text, { parameters, body: open + 2 });
  }

  /** The next of these signs, if only a type stands before it. */
  #soon(from: number, sign: string): number | undefined {
    for (let at = from; at < from + LONGEST_TYPE; at++) if (this.#is(at, sign)) return at;
    return undefined;
  }

  /** The names of the parameters in brackets; `undefined` where one is more than a name. */
  #parameters(open: number): string[] | undefined {
    const close = this.#closing[open] ?? this.#tokens.length;
    const names: string[] = [];
    for (let at = open + 1; at < close; at++) {
      const token = this.#tokens[at];
      if (token?.kind !== "word") return undefined;
      names.push(token.text);
      for (at++; at < close && !this.#is(at, ","); at++) {
        if (this.#is(at, "=")) return undefined;
        if (OPENING.has(this.#tokens[at]?.text ?? "")) at = this.#closing[at] ?? close;
      }
    }
    return names;
  }

  /** Remembers `name.path = …`, `name.path.push(…)` and `Object.assign(name, …)`. */
  #assign(at: number, guards: readonly Guard[]): void {
    const isMade = this.#isSequence(at, "Object", ".", "assign", "(");
    let next = isMade ? at + 4 : at;
    const path: string[] = [];
    for (;;) {
      const token = this.#tokens[next];
      if (token?.kind !== "word") return;
      path.push(token.text);
      next++;
      while (this.#is(next, "[")) {
        const key = this.#tokens[next + 1];
        path.push(key?.kind === "string" ? String(key.value) : "");
        next = (this.#closing[next] ?? this.#tokens.length) + 1;
      }
      if (!this.#is(next, ".") && !this.#is(next, "?.")) break;
      next++;
    }
    const isCalled = this.#is(next, "(") && MUTATORS.test(path.at(-1) ?? "") && path.length > 1;
    const isSet = this.#is(next, "=");
    const isChanged = ["+", "-", "*", "/", "??", "||", "&&"].some((sign) =>
      this.#isSequence(next, sign, "="),
    );
    if (!isSet && !isChanged && !isCalled && !isMade) return;
    if (isCalled) path.pop();
    const isExport = path[0] === "module" && path[1] === "exports";
    const [name = "", ...inner] = isExport ? ["module.exports", ...path.slice(2)] : path;
    const known = this.#assignments.get(name) ?? [];
    // A key that is computed may be any.
    const place = inner.includes("") ? inner.slice(0, inner.indexOf("")) : inner;
    const isWhole = isSet && place.length === inner.length;
    known.push({ path: place, guards, ...(isWhole && { at: next + 1 }) });
    this.#assignments.set(name, known);
  }

  /** A value of a name, with what is assigned to it and to its parts. */
  #assigned(name: string, declared: unknown): unknown {
    let value = declared;
    for (const { path, at, guards } of this.#assignments.get(name) ?? []) {
      const happens = this.#holdAll(guards);
      if (happens === false) continue;
      const before = path.reduce<unknown>((outer, key) => this.#member(outer, key, 0), value);
      const after = at === undefined ? this.#computed(0) : this.#valueAt(at);
      value = this.#withPart(
        value,
        path,
        happens === UNKNOWN ? this.#oneOf([before, after], at ?? 0) : after,
      );
    }
    return value;
  }

  #withPart(value: unknown, [key, ...rest]: readonly string[], part: unknown): unknown {
    if (key === undefined) return part;
    const record = asRecord(value);
    if (!record || isComputed(value)) return value;
    this.#expanded += sizeOf(record);
    if (this.#expanded > MAX_EXPANDED) return this.#computed(0);
    const inner = this.#withPart(ownValue(record, key), rest, part);
    return this.#made(Object.fromEntries([...Object.entries(record), [key, inner] as const]));
  }

  #holdAll(guards: readonly Guard[]): boolean | typeof UNKNOWN {
    let all: boolean | typeof UNKNOWN = true;
    for (const guard of guards) {
      const truth = guard ? truthOf(this.#condition(guard.at)) : UNKNOWN;
      if (truth === UNKNOWN) all = UNKNOWN;
      else if (truth !== guard?.holds) return false;
    }
    return all;
  }

  #condition(at: number): unknown {
    if (!this.#conditions.has(at)) {
      this.#conditions.set(at, this.#computed(at));
      this.#conditions.set(at, this.#valueAt(at));
    }
    return this.#conditions.get(at);
  }

  #valueAt(at: number): unknown {
    if (this.#expanded > MAX_EXPANDED) return this.#computed(at);
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
    const value = this.#nested(() => this.#conditional());
    const next = this.#tokens[this.#at];
    if (!next || (next.kind === "sign" && END.test(next.text)) || (next.onNewLine && next.kind === "word"))
      return value;
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

  #conditional(): unknown {
    const start = this.#at;
    const condition = this.#either();
    if (!this.#is(this.#at, "?")) return condition;
    this.#at++;
    const whenTrue = this.#nested(() => this.#conditional());
    if (!this.#is(this.#at, ":")) return this.#computed(start);
    this.#at++;
    const whenFalse = this.#nested(() => this.#conditional());
    const truth = truthOf(condition);
    if (truth === UNKNOWN) return this.#oneOf([whenTrue, whenFalse], start);
    return truth ? whenTrue : whenFalse;
  }

  #either(): unknown {
    const start = this.#at;
    let value = this.#both();
    for (;;) {
      const isOr = this.#is(this.#at, "||");
      if (!isOr && !this.#is(this.#at, "??")) return value;
      this.#at++;
      const other = this.#both();
      if (isComputed(value)) value = this.#computed(start);
      else if (isOr ? !value : value === undefined || value === null) value = other;
    }
  }

  #both(): unknown {
    const start = this.#at;
    let value = this.#equality();
    while (this.#is(this.#at, "&&")) {
      this.#at++;
      const other = this.#equality();
      if (isComputed(value)) value = this.#oneOf([undefined, other], start);
      else if (value) value = other;
    }
    return value;
  }

  #equality(): unknown {
    return this.#leftToRight(/^[=!]==?$/, () => this.#relation());
  }

  #relation(): unknown {
    let value = this.#leftToRight(/^[<>]=?$/, () => this.#sum());
    const start = this.#at;
    if (
      (this.#is(this.#at, "in") || this.#is(this.#at, "instanceof")) &&
      !this.#tokens[this.#at]?.onNewLine
    ) {
      const isIn = this.#is(this.#at, "in");
      this.#at++;
      const other = this.#sum();
      if (isIn && other === ENVIRONMENT && typeof value === "string") {
        this.#noteUnset(value, start);
        value = false;
      } else value = this.#computed(start);
    }
    this.#skipTypes();
    return value;
  }

  #sum(): unknown {
    return this.#leftToRight(/^[-+]$/, () => this.#product());
  }

  #product(): unknown {
    return this.#leftToRight(/^[*/%]$/, () => this.#power());
  }

  #leftToRight(signs: RegExp, read: () => unknown): unknown {
    const start = this.#at;
    let value = read();
    for (;;) {
      const sign = this.#tokens[this.#at];
      if (sign?.kind !== "sign" || !signs.test(sign.text)) return value;
      this.#at++;
      value = this.#known(operate(sign.text, value, read()), start);
    }
  }

  #power(): unknown {
    const start = this.#at;
    const base = this.#unary();
    if (!this.#is(this.#at, "**")) return base;
    this.#at++;
    return this.#known(
      operate(
        "**",
        base,
        this.#nested(() => this.#power()),
      ),
      start,
    );
  }

  #unary(): unknown {
    const token = this.#tokens[this.#at];
    const start = this.#at;
    const operand = () => {
      this.#at++;
      return this.#nested(() => this.#unary());
    };
    if (token?.kind === "sign" && token.text === "-") {
      const value = operand();
      return typeof value === "number" ? -value : this.#computed(start);
    }
    if (token?.kind === "sign" && token.text === "!") {
      const truth = truthOf(operand());
      return truth === UNKNOWN ? this.#computed(start) : !truth;
    }
    if (token?.kind === "sign" && token.text === "+") {
      return this.#known(pureFunction("Number")?.([operand()]), start);
    }
    if (token?.kind === "word" && !this.#is(this.#at + 1, ":")) {
      if (token.text === "typeof") {
        const value = operand();
        return isComputed(value) || typeof value === "symbol" ? this.#computed(start) : typeof value;
      }
      if (token.text === "await") return operand();
      if (token.text === "new") {
        operand();
        return this.#computed(start);
      }
    }
    return this.#postfix();
  }

  /** A value with the members, calls and indexes behind it. */
  #postfix(): unknown {
    const start = this.#at;
    const arrow = this.#arrowFunction();
    if (arrow !== undefined) return arrow;
    const first = this.#tokens[start];
    let value = this.#primary();
    // The name of a function that is known: `Number.parseInt`.
    let name = first?.kind === "word" ? first.text : undefined;
    let isCut = false;
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token?.kind === "template") {
        this.#at++;
        value = this.#computed(start);
        continue;
      }
      if (token?.kind !== "sign") return value;
      if (token.text === "?.") {
        isCut ||= value === undefined || value === null;
        this.#at++;
        if (this.#tokens[this.#at]?.kind === "word") {
          const member = this.#memberOrCall(value, start);
          value = isCut ? undefined : member;
          continue;
        }
      }
      const sign = this.#tokens[this.#at]?.text;
      if (sign === "." && this.#tokens[this.#at + 1]?.kind === "word") {
        this.#at++;
        name = name === undefined ? undefined : `${name}.${this.#tokens[this.#at]?.text ?? ""}`;
        if (name !== undefined && this.#is(this.#at + 1, "(") && (pureFunction(name) || name === MERGE)) {
          this.#at++;
          value = this.#call(name, value, start);
          continue;
        }
        value = this.#memberOrCall(value, start);
        if (isCut) value = undefined;
      } else if (sign === "[" && !(token.onNewLine && token.text === "[")) {
        value = this.#index(value, start);
        if (isCut) value = undefined;
      } else if (sign === "(") {
        value = this.#call(name, value, start);
        if (isCut) value = undefined;
        name = undefined;
      } else if (token.text === "!" && !token.onNewLine) {
        this.#at++;
      } else return value;
    }
  }

  /** `.name`, or a method that is called at once. */
  #memberOrCall(value: unknown, start: number): unknown {
    const name = this.#tokens[this.#at]?.text ?? "";
    this.#at++;
    if (!this.#is(this.#at, "(")) return this.#member(value, name, start);
    if (typeof value !== "string" && !Array.isArray(value)) {
      const member = this.#member(value, name, start);
      return this.#call(undefined, member, start);
    }
    const args = this.#arguments();
    const [first] = args;
    if (name === "map" && Array.isArray(value) && first instanceof ScriptFunction && args.length === 1)
      return this.#made(value.map((item: unknown) => this.#run(first, [item])));
    return args.some(isComputed) ? this.#computed(start) : this.#known(pureMethod(value, name, args), start);
  }

  #member(value: unknown, name: string, at: number): unknown {
    if (value === PROCESS && name === "env") return ENVIRONMENT;
    if (value === ENVIRONMENT) {
      this.#noteUnset(name, at);
      return undefined;
    }
    if ((typeof value === "string" || Array.isArray(value)) && name === "length") return value.length;
    const record = asRecord(value);
    if (!record || isComputed(value) || value instanceof ScriptFunction) return this.#computed(at);
    if (Object.hasOwn(record, name)) return ownValue(record, name);
    // What was taken over from something computed may have it.
    return Object.keys(record).some((key) => key.startsWith(SPREAD)) ? this.#computed(at) : undefined;
  }

  #index(value: unknown, start: number): unknown {
    const end = this.#closing[this.#at] ?? this.#tokens.length;
    this.#at++;
    const key = this.#expression();
    this.#at = end + 1;
    if (typeof key === "string") return this.#member(value, key, start);
    if (typeof key === "number" && Array.isArray(value))
      return Object.hasOwn(value, key) ? (value as unknown[])[key] : undefined;
    return this.#computed(start);
  }

  #call(name: string | undefined, value: unknown, start: number): unknown {
    if (value instanceof ScriptFunction) return this.#run(value, this.#arguments());
    if (name === MERGE) {
      const merged = this.#arguments().reduce<Map<string, unknown>>(
        (object, part) => this.#spread(object, part),
        new Map<string, unknown>(),
      );
      return this.#made(Object.fromEntries(merged));
    }
    const known = name === undefined || this.#isDeclared(name) ? undefined : pureFunction(name);
    if (known) return this.#known(known(this.#arguments()), start);
    this.#at = (this.#closing[this.#at] ?? this.#tokens.length) + 1;
    return this.#computed(start);
  }

  #isDeclared(name: string): boolean {
    return this.#constants.has(name) || this.#functions.has(name);
  }

  #arguments(): unknown[] {
    const end = this.#closing[this.#at] ?? this.#tokens.length;
    const args: unknown[] = [];
    this.#at++;
    while (this.#at < end) {
      const spreads = this.#is(this.#at, "...");
      if (spreads) this.#at++;
      const value = this.#expression();
      args.push(spreads ? this.#computed(this.#at - 1) : value);
      if (!this.#is(this.#at, ",")) break;
      this.#at++;
    }
    this.#at = end + 1;
    return args;
  }

  #run({ parameters, body, scope }: ScriptFunction, args: readonly unknown[]): unknown {
    if (this.#depth >= MAX_DEPTH || this.#expanded > MAX_EXPANDED) return this.#computed(body);
    const outer = this.#scope;
    this.#scope = { values: new Map(parameters.map((name, at) => [name, args[at]])), outer: scope };
    this.#depth++;
    const value = this.#valueAt(body);
    this.#depth--;
    this.#scope = outer;
    return value;
  }

  /** `(a, b) => …`, `a => …`, `async () => …` and `function () {…}`; `undefined` for anything else. */
  #arrowFunction(): unknown {
    const start = this.#at;
    let open = this.#is(start, "async") && !this.#is(start + 1, ".") ? start + 1 : start;
    if (this.#is(open, "function")) {
      open = this.#soon(open, "(") ?? open;
      const body = this.#soon((this.#closing[open] ?? this.#tokens.length) + 1, "{");
      this.#at = body === undefined ? open + 1 : (this.#closing[body] ?? this.#tokens.length) + 1;
      const parameters = this.#parameters(open);
      return parameters && body !== undefined && this.#is(start, "function") && this.#is(body + 1, "return")
        ? new ScriptFunction(parameters, body + 2, this.#scope)
        : this.#computed(start);
    }
    const isWord = this.#tokens[open]?.kind === "word";
    let arrow = isWord
      ? open + 1
      : this.#is(open, "(")
        ? (this.#closing[open] ?? this.#tokens.length) + 1
        : -1;
    // A type of what it returns: `(a): Compiler => …`, which no value in brackets has behind it in an object.
    if (!isWord && arrow > 0 && this.#is(arrow, ":") && this.#tokens[arrow + 1]?.kind === "word") {
      let after = arrow + 2;
      while (this.#is(after, ".") || this.#is(after, "[") || this.#is(after, "]"))
        after += this.#is(after, ".") ? 2 : 1;
      if (this.#is(after, "=>")) arrow = after;
    }
    if (arrow < 0 || !this.#is(arrow, "=>")) return undefined;
    const parameters = isWord ? [this.#tokens[open]?.text ?? ""] : this.#parameters(open);
    let body = arrow + 1;
    if (this.#is(body, "{")) {
      this.#at = (this.#closing[body] ?? this.#tokens.length) + 1;
      if (!this.#is(body + 1, "return")) return this.#computed(start);
      body += 2;
    } else {
      this.#at = body;
      this.#skipExpression();
    }
    return parameters && open === start
      ? new ScriptFunction(parameters, body, this.#scope)
      : this.#computed(start);
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
          const end = this.#closing[this.#at] ?? this.#tokens.length;
          this.#at++;
          const value = this.#expression();
          const isWhole = this.#at === end;
          const computed = this.#computed(this.#at);
          this.#at = end + 1;
          // `(a, b)` is b.
          return isWhole ? value : computed;
        }
        return this.#computed(this.#at);
      case "pattern":
        this.#at++;
        return this.#computed(this.#at - 1);
    }
  }

  #name(name: string): unknown {
    const at = this.#at++;
    for (let scope = this.#scope; scope; scope = scope.outer)
      if (scope.values.has(name)) return scope.values.get(name);
    const constant = this.#constants.get(name);
    const made = this.#functions.get(name);
    if (!constant && !made) return this.#global(name, at);
    if (this.#evaluating.has(name)) return this.#computed(at);
    if (!constant) return made && new ScriptFunction(made.parameters, made.body, undefined);
    const scope = this.#scope;
    this.#scope = undefined;
    this.#evaluating.add(name);
    let value = this.#valueAt(constant.at);
    if (constant.field !== undefined) {
      value = this.#member(value, constant.field, at);
      if (value === undefined && constant.fallback !== undefined) value = this.#valueAt(constant.fallback);
    }
    value = this.#assigned(name, value);
    this.#evaluating.delete(name);
    this.#scope = scope;
    return value;
  }

  #global(name: string, at: number): unknown {
    switch (name) {
      case "true":
        return true;
      case "false":
        return false;
      case "null":
        return null;
      case "undefined":
        return undefined;
      case "process":
        return PROCESS;
      default:
        return this.#computed(at);
    }
  }

  #object(): unknown {
    const end = this.#closing[this.#at] ?? this.#tokens.length;
    this.#at++;
    let object = new Map<string, unknown>();
    while (this.#at < end) {
      const token = this.#tokens[this.#at];
      if (!token) break;
      if (this.#is(this.#at, "...")) {
        this.#at++;
        object = this.#spread(object, this.#expression());
      } else if (this.#is(this.#at, "[")) {
        this.#at++;
        const name = this.#expression();
        if (this.#is(this.#at, "]")) this.#at++;
        const value = this.#propertyValue(String(name));
        if (typeof name === "string" || typeof name === "number")
          object.set(String(name), this.#asData(value));
        else object = this.#spread(object, this.#computed(this.#at - 1));
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
          object.set(
            name,
            this.#inProperty(name, () => this.#expression()),
          );
        } else object.set(name, this.#asData(this.#propertyValue(name)));
      } else {
        this.#skipComputed();
      }
      if (this.#is(this.#at, ",")) this.#at++;
      else if (this.#at < end) this.#skipComputed();
    }
    this.#at = end + 1;
    return this.#made(Object.fromEntries(object));
  }

  /** An object with what another one is spread into it; what may be spread decides what may be known. */
  #spread(object: Map<string, unknown>, spread: unknown): Map<string, unknown> {
    if (!isComputed(spread)) {
      const record = asRecord(spread);
      return record ? new Map([...object, ...Object.entries(record)]) : object;
    }
    const { alternatives } = spread;
    if (alternatives?.every((one) => !isComputed(one)) === true) {
      this.#expanded += alternatives.length * object.size;
      const made = alternatives.map((one) =>
        Object.fromEntries([...object, ...Object.entries(asRecord(one) ?? {})]),
      );
      const known = this.#expanded > MAX_EXPANDED ? undefined : asRecord(chosen(made, spread).value);
      if (known) return new Map(Object.entries(known));
    }
    const hidden = [...object.keys()].map((name) => [name, spread] as const);
    return new Map<string, unknown>([...hidden, [`${SPREAD}${spread.code}`, spread]]);
  }

  /** What follows a property's name: `: value`, or a method, which is computed. */
  #propertyValue(name: string): unknown {
    if (!this.#is(this.#at, ":")) return this.#skipComputed();
    this.#at++;
    return this.#inProperty(name, () => this.#expression());
  }

  #inProperty(name: string, read: () => unknown): unknown {
    this.#property.push(name);
    const value = read();
    this.#property.pop();
    return value;
  }

  #array(): unknown {
    const end = this.#closing[this.#at] ?? this.#tokens.length;
    this.#at++;
    const items: unknown[] = [];
    while (this.#at < end) {
      const spreads = this.#is(this.#at, "...");
      if (spreads) this.#at++;
      const value = this.#expression();
      if (spreads && Array.isArray(value)) for (const item of value as unknown[]) items.push(item);
      else items.push(spreads && !isComputed(value) ? this.#computed(this.#at - 1) : this.#asData(value));
      if (this.#is(this.#at, ",")) this.#at++;
      else break;
    }
    this.#at = end + 1;
    return this.#made(items);
  }

  /** What is common to several values; see `oneOf`. */
  #oneOf(values: readonly unknown[], at: number): unknown {
    const { value, visited } = chosen(values, this.#computed(at));
    this.#expanded += visited;
    if (typeof value === "object" && value !== null) this.#weights.set(value, visited);
    return value;
  }

  /** Functions are for calls within the script; nobody reads one as data. */
  #asData(value: unknown): unknown {
    return value instanceof ScriptFunction ? this.#computed(value.body) : value;
  }

  /** An object or array, computed where it has too many parts: what is used twice counts twice. */
  #made(value: object): unknown {
    const parts: unknown[] = Array.isArray(value) ? value : Object.values(value);
    let weight = 1;
    for (const part of parts)
      weight += typeof part === "object" && part !== null ? (this.#weights.get(part) ?? 1) : 1;
    if (weight > MAX_EXPANDED) return this.#computed(this.#at);
    this.#weights.set(value, weight);
    return value;
  }

  /** Skips `as Type` and `satisfies Type`. */
  #skipTypes(): void {
    while (this.#is(this.#at, "as") || this.#is(this.#at, "satisfies")) {
      if (this.#tokens[this.#at]?.onNewLine === true) return;
      this.#at++;
      let depth = 0;
      for (; this.#at < this.#tokens.length; this.#at++) {
        const token = this.#tokens[this.#at];
        if (!token) return;
        if (depth === 0 && /^(?:[,;)\]}=?:]|\|\||&&|\?\?|[=!]==?|as|satisfies)$/.test(token.text)) break;
        if (depth === 0 && token.onNewLine && token.kind === "word") break;
        if (token.kind !== "sign") continue;
        if (OPENING.has(token.text)) this.#at = this.#closing[this.#at] ?? this.#tokens.length;
        else if (token.text === "<") depth++;
        else if (token.text === ">") depth--;
      }
    }
  }

  /** Skips code up to the `,`, `;` or closing bracket of this level. */
  #skipComputed(): Computed {
    const computed = this.#computed(this.#at);
    this.#skipExpression();
    return computed;
  }

  #skipExpression(): void {
    const first = this.#at;
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#tokens[this.#at];
      if (!token) break;
      if (token.kind !== "sign") continue;
      if (OPENING.has(token.text)) this.#at = this.#closing[this.#at] ?? this.#tokens.length;
      else if (END.test(token.text)) break;
    }
    if (this.#at === first) this.#at++;
  }

  #known(value: unknown, start: number): unknown {
    return value === UNKNOWN ? this.#computed(start) : value;
  }

  #noteUnset(name: string, at: number): void {
    const line = this.#lineAt(this.#tokens[at]?.start ?? 0);
    if (this.unset.length < MAX_DEPTH) this.unset.push({ name, line, property: [...this.#property] });
  }

  #computed(at: number): Computed {
    const start = this.#tokens[Math.min(at, this.#tokens.length - 1)]?.start ?? 0;
    const [code = ""] = this.#text.slice(start, start + LONGEST_CODE).split(/[\r\n,;]/);
    return computedAt(this.#lineAt(start), code.trim());
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
