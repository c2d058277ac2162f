import {
  emptyDeclarations,
  memberDeclaration,
  type ContractDeclaration,
  type MemberDeclaration,
  type SourceDeclarations,
  type TypedName,
  type TypeName,
} from "../../sources/sourceDeclarations.ts";
import { atLeast, shortVersion } from "../../versions.ts";
import { isVyperContract } from "./vyperModules.ts";
import { vyperAllowedBy } from "./vyperPragma.ts";
import { vyperReleases } from "./vyperReleases.ts";
import {
  importedModules,
  isBuiltInInterface,
  logicalLines,
  scanVyper,
  type VyperLine,
} from "./vyperScanner.ts";

/** The first release whose ABI has another name for a decimal (vyperlang/vyper, docs/release-notes.rst). */
const DECIMAL_RENAMED = "0.4.0";

/**
 * Reads the declarations of a Vyper file without a compiler, in the shapes that Solidity's have: flags are value types,
 * interfaces are contracts, public variables are functions, and a default argument makes one more function.
 *
 * @param name of the contract: the file's name without its ending
 * @param isInterface a `.vyi` file
 */
export function readVyperDeclarations(text: string, name: string, isInterface: boolean): SourceDeclarations {
  return new VyperReader(text, name, isInterface).file();
}

class VyperReader {
  readonly #text: string;
  readonly #name: string;
  readonly #isInterface: boolean;
  readonly #lines: readonly VyperLine[];
  readonly #declared = emptyDeclarations();
  #decimal: string | undefined;
  readonly #contracts: ContractDeclaration[] = [];

  constructor(text: string, name: string, isInterface: boolean) {
    this.#text = text;
    this.#name = name;
    this.#isInterface = isInterface;
    this.#lines = logicalLines(text);
  }

  file(): SourceDeclarations {
    const builtIn = scanVyper(this.#text).imports.filter(isBuiltInInterface);
    for (const { alias } of builtIn)
      this.#declared.valueTypes.push({ name: alias, type: { kind: "named", name: "address" } });
    let decorators: string[] = [];
    for (let at = 0; at < this.#lines.length; at++) {
      const line = this.#lines[at];
      if (!line || line.isIndented) continue;
      const decorator = /^@\s*(\w+)/.exec(line.text)?.[1];
      if (decorator !== undefined) {
        decorators.push(decorator);
        continue;
      }
      this.#statement(line, this.#blockBehind(at), decorators);
      decorators = [];
    }
    this.#contracts.unshift({
      kind: this.#isInterface ? "interface" : isVyperContract(this.#text) ? "contract" : "abstract contract",
      name: this.#name,
      start: 0,
      bases: [],
      ...emptyDeclarations(),
      members: this.#declared.members,
    });
    return {
      ...this.#declared,
      members: [],
      imports: importedModules(this.#text),
      contracts: this.#contracts,
    };
  }

  /** What the ABI calls a decimal. */
  #decimalType(): string {
    const isAllowed = vyperAllowedBy([this.#text]);
    const newest = vyperReleases.findLast((one) => isAllowed(shortVersion(one)));
    return newest === undefined || atLeast(newest, DECIMAL_RENAMED) ? "int168" : "fixed168x10";
  }

  #blockBehind(at: number): VyperLine[] {
    let end = at + 1;
    while (this.#lines[end]?.isIndented) end++;
    return this.#lines.slice(at + 1, end);
  }

  #statement(line: VyperLine, block: readonly VyperLine[], decorators: readonly string[]): void {
    const [, keyword = "", rest = ""] = /^(\w+)\b\s*([\s\S]*)$/.exec(line.text) ?? [];
    switch (keyword) {
      case "struct":
        this.#declared.structs.push({ name: nameIn(rest), members: this.#typedLines(block) });
        return;
      case "flag":
      case "enum":
        this.#declared.valueTypes.push({ name: nameIn(rest), type: { kind: "named", name: "uint256" } });
        return;
      case "event":
        this.#event(line, block);
        return;
      case "interface":
        this.#interface(line, block);
        return;
      case "def":
        if (decorators.includes("external") || decorators.includes("public"))
          for (const member of this.#functions(line, decorators, !this.#isInterface))
            this.#declared.members.push(member);
        return;
      default:
        this.#variable(line);
    }
  }

  #event(line: VyperLine, block: readonly VyperLine[]): void {
    const { name, start } = nameOf(line, /^event\s+/);
    const inputs = block.flatMap((one) => {
      const [, member, type = ""] = /^\s*(\w+)\s*:\s*([\s\S]+)$/.exec(one.text) ?? [];
      if (member === undefined) return [];
      const indexed = unwrapped(type, "indexed");
      const parsed = this.#type(indexed ?? type);
      return parsed
        ? [{ type: parsed, name: member, ...(indexed !== undefined && { isIndexed: true }) }]
        : [];
    });
    this.#declared.members.push(memberDeclaration("event", name, start, { inputs }));
  }

  #interface(line: VyperLine, block: readonly VyperLine[]): void {
    const { name, start } = nameOf(line, /^interface\s+/);
    const members = block.flatMap((one) => {
      const mutability = /:\s*(\w+)\s*$/.exec(one.text)?.[1];
      return /^\s*def\b/.test(one.text)
        ? this.#functions(one, mutability === undefined ? [] : [mutability], false)
        : [];
    });
    this.#contracts.push({
      kind: "interface",
      name,
      start,
      bases: [],
      ...emptyDeclarations(),
      members,
    });
  }

  /** A definition as one function for each number of arguments that it takes. */
  #functions(line: VyperLine, decorators: readonly string[], isImplemented: boolean): MemberDeclaration[] {
    const { name, start } = nameOf(line, /^\s*def\s+/);
    if (name.startsWith("__")) return [];
    const open = line.text.indexOf("(");
    const close = closing(line.text, open);
    if (open < 0 || close < 0) return [];
    const parts = splitList(line.text.slice(open + 1, close));
    if (parts.length > MAX_ARGUMENTS) return [];
    const inputs = parts.map((part): TypedName & { hasDefault: boolean } => {
      const { name: argument = "", type = "", value } = annotated(part) ?? {};
      return {
        name: argument,
        type: this.#type(type) ?? UNKNOWN,
        hasDefault: value !== undefined,
      };
    });
    const result = resultIn(line.text.slice(close + 1));
    const isTuple = result?.startsWith("(") === true;
    const results = result === undefined ? [] : isTuple ? splitList(result.slice(1, -1)) : [result];
    const outputs = results.map((type) => ({ name: "", type: this.#type(type) ?? UNKNOWN }));
    const stateMutability = decorators.includes("pure")
      ? "pure"
      : decorators.includes("view") || decorators.includes("constant")
        ? "view"
        : decorators.includes("payable")
          ? "payable"
          : "nonpayable";
    const required = inputs.filter(({ hasDefault }) => !hasDefault).length;
    return Array.from({ length: inputs.length - required + 1 }, (_, more) =>
      memberDeclaration("function", name, start, {
        inputs: inputs
          .slice(0, required + more)
          .map(({ name: argument, type }) => ({ name: argument, type })),
        outputs,
        stateMutability,
        isImplemented,
      }),
    ).reverse();
  }

  #variable(line: VyperLine): void {
    const variable = annotated(line.text);
    if (!variable) return;
    const { name, value } = variable;
    let text = variable.type;
    let isPublic = false;
    for (let level = 0; level < MAX_WRAPPERS; level++) {
      const inner = unwrapped(text, "public");
      const other =
        inner ??
        unwrapped(text, "constant") ??
        unwrapped(text, "immutable") ??
        unwrapped(text, "transient") ??
        unwrapped(text, "reentrant");
      if (other === undefined) break;
      isPublic ||= inner !== undefined;
      text = other;
    }
    if (value !== undefined) this.#declared.constants.push({ name, value });
    if (!isPublic) return;
    const inputs: TypedName[] = [];
    let type = this.#type(text) ?? UNKNOWN;
    while (type.kind === "mapping" || type.kind === "array") {
      const argument: TypeName = type.kind === "mapping" ? type.key : { kind: "named", name: "uint256" };
      inputs.push({ name: `arg${inputs.length}`, type: argument });
      type = type.kind === "mapping" ? type.value : type.element;
    }
    const outputs = [{ name: "", type }];
    this.#declared.members.push(
      memberDeclaration("function", name, line.start, { inputs, outputs, stateMutability: "view" }),
    );
  }

  #typedLines(lines: readonly VyperLine[]): TypedName[] {
    return lines.flatMap(({ text }) => {
      const [, name, type = ""] = /^\s*(\w+)\s*:([\s\S]+)$/.exec(text) ?? [];
      return name === undefined ? [] : [{ name, type: this.#type(type) ?? UNKNOWN }];
    });
  }

  #type(written: string, depth = 0): TypeName | undefined {
    const text = written.trim();
    if (depth > 24) return undefined;
    const bracket = lastBracket(text);
    if (bracket < 0) {
      if (!/^[A-Za-z_]\w*(?:\.\w+)*$/.test(text)) return undefined;
      return { kind: "named", name: text === "decimal" ? (this.#decimal ??= this.#decimalType()) : text };
    }
    const outer = text.slice(0, bracket).trim();
    const inner = splitList(text.slice(bracket + 1, -1));
    const [first = "", second = ""] = inner;
    if (outer === "String" || outer === "string") return { kind: "named", name: "string" };
    if (outer === "Bytes" || outer === "bytes") return { kind: "named", name: "bytes" };
    if (outer === "HashMap") {
      const key = this.#type(first, depth + 1);
      const value = this.#type(second, depth + 1);
      return key && value && { kind: "mapping", key, keyName: "", value, valueName: "" };
    }
    const element = this.#type(outer === "DynArray" ? first : outer, depth + 1);
    return element && { kind: "array", element, length: outer === "DynArray" ? "" : first };
  }
}

/** More than any compiler takes: each default argument makes one more function, with all arguments before it. */
const MAX_ARGUMENTS = 256;
/** `public(constant(…))` and the like; no more of them make sense around one type. */
const MAX_WRAPPERS = 8;

/** A type that resolves to nothing. */
const UNKNOWN: TypeName = { kind: "named", name: "" };

/** The parts of `name: type = value`. */
function annotated(
  text: string,
): { readonly name: string; readonly type: string; readonly value?: string } | undefined {
  const equals = text.indexOf("=");
  const [, name, written = ""] =
    /^\s*(\w+)\s*:([\s\S]+)$/.exec(equals < 0 ? text : text.slice(0, equals)) ?? [];
  const type = written.trim();
  if (name === undefined || type === "") return undefined;
  return { name, type, ...(equals >= 0 && { value: text.slice(equals + 1).trim() }) };
}

/** The type in what follows the parenthesis of a function: `-> type:`, `-> type: view` or `-> type: ...`. */
function resultIn(text: string): string | undefined {
  const trimmed = text.trim();
  const colon = trimmed.lastIndexOf(":");
  if (!trimmed.startsWith("->") || !/^\s*(?:\w+|\.\.\.)?$/.test(trimmed.slice(colon + 1))) return undefined;
  const type = trimmed.slice(2, Math.max(colon, 2)).trim();
  return type === "" ? undefined : type;
}

function nameIn(text: string): string {
  return /^\w*/.exec(text)?.[0] ?? "";
}

function nameOf({ text, start }: VyperLine, prefix: RegExp): { name: string; start: number } {
  const before = prefix.exec(text)?.[0].length ?? 0;
  return { name: nameIn(text.slice(before)), start: start + before };
}

/** What stands in the parenthesis of `keyword(…)`. */
function unwrapped(text: string, keyword: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(keyword) || !trimmed.endsWith(")")) return undefined;
  const rest = trimmed.slice(keyword.length).trim();
  return rest.startsWith("(") ? rest.slice(1, -1) : undefined;
}

/** Where the bracket opens that the text ends with; -1 when it ends with none. */
function lastBracket(text: string): number {
  if (!text.endsWith("]")) return -1;
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === "]") depth++;
    else if (text[at] === "[" && --depth === 0) return at;
  }
  return -1;
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = Math.max(open, 0); at < text.length; at++) {
    if (text[at] === "(" || text[at] === "[") depth++;
    else if ((text[at] === ")" || text[at] === "]") && --depth === 0) return at;
  }
  return -1;
}

/** The parts between commas that no bracket encloses; a comma at the end adds none. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (/[([{]/.test(character)) depth++;
    else if (/[)\]}]/.test(character)) depth--;
    else if (character === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}
