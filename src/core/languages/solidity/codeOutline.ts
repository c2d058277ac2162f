import { atOnce } from "../../concurrency/turns.ts";
import type { ImportDeclaration } from "../../sources/sourceDeclarations.ts";
import { isIdentifier } from "../../text/identifier.ts";
import { solidityDeclarationsInPieces } from "./solidityDeclarations.ts";
import { SolidityTokenizer } from "./solidityTokenizer.ts";

/** A token that is no comment, with its UTF-16 offset. */
export interface CodeToken {
  readonly text: string;
  readonly start: number;
}

/** Something with a body: a function, a modifier or a constructor. */
export interface CodeBlock {
  readonly kind: "function" | "modifier" | "constructor";
  readonly name: string;
  /** Of the name; of a constructor, of its keyword. */
  readonly start: number;
  /** Types of the parameters as they are written, `uint` as `uint256`. */
  readonly types: readonly string[];
  /** Empty for one without a name. */
  readonly parameters: readonly string[];
  /** Between the parameters and the body: visibility, modifiers, results. */
  readonly head: readonly CodeToken[];
  /** Empty where there is none. */
  readonly body: readonly CodeToken[];
  readonly file: CodeFile;
  readonly contract: CodeContract | undefined;
}

/** An error that can be reverted with. */
export interface CodeError {
  readonly name: string;
  readonly types: readonly string[];
}

/** What a contract or a file declares. */
interface CodeScope {
  readonly blocks: CodeBlock[];
  readonly errors: CodeError[];
  /** Values of constants by name. */
  readonly constants: Map<string, readonly CodeToken[]>;
  /** What `using` attaches: a library, or functions, as they are written; `hasOperators` where an operator is among them. */
  readonly usings: { readonly names: readonly string[]; readonly hasOperators: boolean }[];
}

/** A contract, a library or an interface. */
export interface CodeContract extends CodeScope {
  readonly kind: "contract" | "library" | "interface";
  readonly name: string;
  readonly start: number;
  /** As written, most base-like first. */
  readonly bases: readonly string[];
  readonly file: CodeFile;
}

/** A file as far as it is looked through for what runs when a function is called. */
export interface CodeFile extends CodeScope {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly ImportDeclaration[];
  readonly contracts: CodeContract[];
}

/** Reads what a file declares with the bodies of its functions; it never fails. */
export function codeFile(path: string, text: string): CodeFile {
  const tokens: CodeToken[] = [];
  const tokenizer = new SolidityTokenizer(text);
  for (let token = tokenizer.next(); token !== undefined; token = tokenizer.next())
    tokens.push({ text: token, start: tokenizer.position - token.length });
  const { imports } = atOnce(solidityDeclarationsInPieces(text));
  const file: CodeFile = { path, text, imports, contracts: [], ...emptyScope() };
  readScope(tokens, file, undefined);
  return file;
}

/** The position of the bracket that closes the one at a position; the last one where none does. */
export function closing(tokens: readonly CodeToken[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const text = tokens[at]?.text ?? "";
    if (text === "(" || text === "[" || text === "{") depth++;
    else if ((text === ")" || text === "]" || text === "}") && --depth === 0) return at;
  }
  return tokens.length - 1;
}

/** The parts between commas that no bracket encloses; none for nothing. */
export function parts(tokens: readonly CodeToken[]): (readonly CodeToken[])[] {
  const found: CodeToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (/^[([{]$/.test(token.text)) depth++;
    else if (/^[)\]}]$/.test(token.text)) depth--;
    if (token.text === "," && depth === 0) found.push([]);
    else found.at(-1)?.push(token);
  }
  return found.length === 1 && found[0]?.length === 0 ? [] : found;
}

function emptyScope(): CodeScope {
  return { blocks: [], errors: [], constants: new Map(), usings: [] };
}

function readScope(tokens: readonly CodeToken[], file: CodeFile, contract: CodeContract | undefined): void {
  const scope = contract ?? file;
  for (let at = 0; at < tokens.length;) {
    const { text = "" } = tokens[at] ?? {};
    const end = endOfItem(tokens, at);
    const item = tokens.slice(at, end);
    if (!contract && /^(?:contract|library|interface)$/.test(text)) readContract(item, file);
    else if (/^(?:function|modifier|constructor|fallback|receive)$/.test(text))
      scope.blocks.push(readBlock(item, file, contract));
    else if (text === "error") readError(item, scope);
    else if (text === "using") readUsing(item, scope);
    else readConstant(item, scope);
    // `abstract` is no part of what follows it.
    at = text === "abstract" ? at + 1 : end;
  }
}

/** Behind the semicolon or the block that ends what begins at a position. */
function endOfItem(tokens: readonly CodeToken[], from: number): number {
  const isUsing = tokens[from]?.text === "using";
  for (let at = from; at < tokens.length; at++) {
    const text = tokens[at]?.text ?? "";
    if (text === ";") return at + 1;
    if (!/^[([{]$/.test(text)) continue;
    at = closing(tokens, at);
    if (text === "{" && !isUsing) return at + 1;
  }
  return tokens.length;
}

function readContract(item: readonly CodeToken[], file: CodeFile): void {
  const [kind, name] = item;
  const open = item.findIndex(({ text }) => text === "{");
  if (!kind || !name || open < 0) return;
  const isAt = item.findIndex(({ text }) => text === "is");
  const bases = isAt < 0 || isAt > open ? [] : parts(item.slice(isAt + 1, open));
  const contract: CodeContract = {
    kind: kind.text as CodeContract["kind"],
    name: name.text,
    start: name.start,
    bases: bases.map(pathAt),
    file,
    ...emptyScope(),
  };
  file.contracts.push(contract);
  readScope(item.slice(open + 1, -1), file, contract);
}

/** The name with which some tokens begin: `A.b`. */
export function pathAt(tokens: readonly CodeToken[]): string {
  let path = "";
  for (const { text } of tokens) {
    if (!(path === "" || path.endsWith(".") ? isIdentifier(text) : text === ".")) break;
    path += text;
  }
  return path;
}

function readBlock(
  item: readonly CodeToken[],
  file: CodeFile,
  contract: CodeContract | undefined,
): CodeBlock {
  const [keyword, second] = item;
  const kind = keyword?.text === "function" || keyword?.text === "modifier" ? keyword.text : "constructor";
  const isNamed = kind !== "constructor";
  const name = isNamed ? second : keyword;
  const open = isNamed ? 2 : 1;
  const hasParameters = item[open]?.text === "(";
  const close = hasParameters ? closing(item, open) : open - 1;
  const bodyAt = item.findIndex(({ text }, at) => at > close && text === "{");
  const listed = hasParameters ? parts(item.slice(open + 1, close)).map(parameter) : [];
  return {
    kind,
    name: name?.text ?? "",
    start: name?.start ?? 0,
    types: listed.map(({ type }) => type),
    parameters: listed.map((one) => one.name),
    head: item.slice(close + 1, bodyAt < 0 ? -1 : bodyAt),
    body: bodyAt < 0 ? [] : item.slice(bodyAt),
    file,
    contract,
  };
}

const NO_PART_OF_A_TYPE = new Set(["memory", "storage", "calldata", "payable"]);

function parameter(tokens: readonly CodeToken[]): { readonly type: string; readonly name: string } {
  const texts = tokens.map(({ text }) => text).filter((text) => !NO_PART_OF_A_TYPE.has(text));
  const isNamed = texts.length > 1 && isIdentifier(texts.at(-1)) && texts.at(-2) !== ".";
  const type = (isNamed ? texts.slice(0, -1) : texts).join("").replace(/^(u?int)(?=\[|$)/, "$1256");
  return { type, name: isNamed ? (texts.at(-1) ?? "") : "" };
}

function readError(item: readonly CodeToken[], scope: CodeScope): void {
  const [, name, open] = item;
  if (!name || open?.text !== "(") return;
  scope.errors.push({
    name: name.text,
    types: parts(item.slice(3, closing(item, 2))).map((one) => parameter(one).type),
  });
}

function readUsing(item: readonly CodeToken[], scope: CodeScope): void {
  const isList = item[1]?.text === "{";
  const named = isList ? parts(item.slice(2, closing(item, 1))) : [item.slice(1)];
  scope.usings.push({
    names: named.map(pathAt).filter((name) => name !== ""),
    hasOperators: isList && named.some((one) => one.some(({ text }) => text === "as")),
  });
}

function readConstant(item: readonly CodeToken[], scope: CodeScope): void {
  const at = item.findIndex(({ text }) => text === "=");
  const name = item[at - 1];
  if (at < 1 || !name || !item.slice(0, at).some(({ text }) => text === "constant")) return;
  scope.constants.set(name.text, item.slice(at + 1, -1));
}
