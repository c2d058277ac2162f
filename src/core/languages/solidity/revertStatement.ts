import { placeFinder, type DefinitionPlace } from "../../text/definitionPlace.ts";
import { isIdentifier } from "../../text/identifier.ts";
import type { ProjectCode, RevertCause, RevertedCall } from "../reverted.ts";
import { CodeClosure } from "./codeClosure.ts";
import {
  closing,
  parts,
  pathAt,
  type CodeBlock,
  type CodeContract,
  type CodeError,
  type CodeFile,
  type CodeToken,
} from "./codeOutline.ts";
import { solidityText } from "./solidityText.ts";

/** So many functions and modifiers are gone through. */
const MAX_VISITS = 1_000;
const MAX_DEPTH = 40;

/**
 * The statement that reverted a call: in the function that ran, its modifiers, and what these call in the contract, its
 * bases, libraries and free functions. `undefined` where there is none, where several may have done it, and where a part of
 * what runs is not known, since it could be there.
 */
export async function revertStatement(
  call: RevertedCall,
  cause: RevertCause,
  reader: ProjectCode,
): Promise<DefinitionPlace | undefined> {
  const { called, contract } = call;
  const paths = [called.path, ...(contract ? [contract.path] : [])];
  return new Search(await CodeClosure.of(paths, reader), cause).from(call);
}

/** The literals that are bound to parameters; `undefined` for what is not known. */
type Bindings = ReadonlyMap<string, string | undefined>;

const NOT_CALLED = new Set([
  ...["if", "for", "while", "do", "return", "returns", "catch", "try", "else", "emit", "new", "delete"],
  ...["function", "mapping", "assembly", "unchecked", "type", "abi", "address", "payable", "string", "bytes"],
  ...["bool", "keccak256", "sha256", "ripemd160", "ecrecover", "addmod", "mulmod", "gasleft", "blockhash"],
  ...["blobhash", "selfdestruct", "super", "this", "revert", "require", "assert", "virtual", "override"],
]);
const NO_MODIFIER = new Set([
  ...["public", "external", "internal", "private", "view", "pure", "payable", "virtual"],
]);
/** Values that have members of the language's own. */
const BUILT_IN = new Set(["this", "abi", "msg", "block", "tx", "type"]);
const ELEMENTARY_CAST = /^(?:u?int\d*|bytes\d+|u?fixed\d*x?\d*)$/;
const ELEMENTARY = /^(?:u?int\d+|bytes\d*|string|bool|address)(?:\[\d*\])*$/;

class Search {
  readonly #closure: CodeClosure;
  readonly #cause: RevertCause;
  readonly #sites = new Map<string, { readonly file: CodeFile; readonly offset: number }>();
  readonly #visited = new Set<string>();
  #isComplete = true;
  /** The contract that runs, and all that it inherits from. */
  #line: readonly CodeContract[] = [];
  #isLineKnown = false;

  constructor(closure: CodeClosure, cause: RevertCause) {
    this.#closure = closure;
    this.#cause = cause;
  }

  from({ called, contract }: RevertedCall): DefinitionPlace | undefined {
    const file = this.#closure.file(called.path);
    const place = file && placeFinder(file.path, file.text);
    const isHere = ({ start }: { readonly start: number }) => place?.(start).line === called.line;
    const block = [...(file?.blocks ?? []), ...(file?.contracts.flatMap(({ blocks }) => blocks) ?? [])].find(
      (one) => one.kind !== "modifier" && isHere(one),
    );
    if (!block) return undefined;
    const line = this.#lineOf(contract, block.contract);
    if (!line) return undefined;
    this.#line = line;
    const ran = block.contract ? this.#overriding(block) : block;
    this.#visit(ran, new Map(), 0);
    const [site, ...others] = this.#sites.values();
    if (!site || others.length > 0 || !this.#isComplete) return undefined;
    return placeFinder(site.file.path, site.file.text)(site.offset);
  }

  /** The contract that ran, where it is one that has the function; else that of the function itself. */
  #lineOf(
    place: DefinitionPlace | undefined,
    own: CodeContract | undefined,
  ): readonly CodeContract[] | undefined {
    const file = place && this.#closure.file(place.path);
    const lineIn = file && placeFinder(file.path, file.text);
    const ran = file?.contracts.find(({ start }) => lineIn?.(start).line === place?.line);
    const line = ran && this.#closure.linearised(ran);
    if (line && own && line.includes(own)) {
      this.#isLineKnown = true;
      return line;
    }
    if (!own) return [];
    return this.#closure.linearised(own);
  }

  #visit(block: CodeBlock, bindings: Bindings, depth: number): void {
    const key = `${block.file.path} ${block.start} ${JSON.stringify([...bindings])}`;
    if (this.#visited.has(key)) return;
    if (this.#visited.size >= MAX_VISITS || depth > MAX_DEPTH) {
      this.#isComplete = false;
      return;
    }
    this.#visited.add(key);
    this.#modifiers(block, bindings, depth);
    this.#scan(block, bindings, depth);
  }

  #modifiers(block: CodeBlock, bindings: Bindings, depth: number): void {
    const { head } = block;
    for (let at = 0; at < head.length; at++) {
      const path = pathAt(head.slice(at));
      if (path === "") continue;
      at += 2 * (path.split(".").length - 1);
      const isCall = head[at + 1]?.text === "(";
      const end = isCall ? closing(head, at + 1) : at;
      const given = isCall ? parts(head.slice(at + 2, end)) : [];
      at = end;
      if (NO_MODIFIER.has(path) || path === "override" || path === "returns") continue;
      const name = path.slice(path.lastIndexOf(".") + 1);
      const found = this.#line
        .flatMap(({ blocks }) => blocks)
        .find((one) => one.kind === "modifier" && one.name === name);
      if (found) {
        this.#noteDispatch(found);
        this.#visit(found, this.#bound(found, given, block, bindings), depth + 1);
      } else if (block.kind !== "constructor") this.#isComplete = false;
    }
  }

  #scan(block: CodeBlock, bindings: Bindings, depth: number): void {
    const { body } = block;
    for (let at = 0; at < body.length; at++) {
      const token = body[at];
      if (!token) continue;
      const before = body[at - 1]?.text;
      const behind = body[at + 1]?.text;
      this.#panicAt(block, at);
      if (token.text === "assembly") {
        const open = body.findIndex(({ text }, index) => index > at && text === "{");
        const end = open < 0 ? at : closing(body, open);
        this.#assembly(block, body.slice(open, end + 1));
        at = end;
      } else if (before === ".") {
        if (isIdentifier(token.text) && (behind === "(" || behind === "{"))
          this.#memberCall(block, bindings, at, depth);
      } else if (token.text === "revert") {
        const path = pathAt(body.slice(at + 1));
        if (path !== "") {
          this.#errorSite(block, token, path, at + path.split(".").length * 2);
          // The error is no function that is called.
          at += 2 * path.split(".").length - 1;
        } else if (behind === "(") this.#reasonSite(block, token, this.#given(body, at + 1)[0], bindings);
      } else if (token.text === "require" && behind === "(") {
        const [, second] = this.#given(body, at + 1);
        const path = pathAt(second ?? []);
        const open = path === "" ? -1 : path.split(".").length * 2 - 1;
        const isError = second !== undefined && second[open]?.text === "(" && this.#isError(block, path);
        if (second && isError) this.#errorSite(block, token, path, undefined, second, open);
        else if (second) this.#reasonSite(block, token, second, bindings);
      } else if (token.text === "assert" && behind === "(") {
        if (this.#cause.kind === "panic" && this.#cause.code === 1) this.#found(block, token);
      } else if (
        behind === "(" &&
        isIdentifier(token.text) &&
        !NOT_CALLED.has(token.text) &&
        !ELEMENTARY_CAST.test(token.text) &&
        before !== "emit" &&
        before !== "new" &&
        before !== "function"
      ) {
        this.#call(block, bindings, at, depth);
      }
    }
  }

  /** The arguments in the parenthesis at a position. */
  #given(tokens: readonly CodeToken[], open: number): (readonly CodeToken[])[] {
    return parts(tokens.slice(open + 1, closing(tokens, open)));
  }

  /** Something called by its name alone. */
  #call(block: CodeBlock, bindings: Bindings, at: number, depth: number): void {
    const name = block.body[at]?.text ?? "";
    const given = this.#given(block.body, at + 1);
    const count = countOf(given);
    const own = block.contract ? this.#visibleFrom(block.contract, name, count) : [];
    const named = own.length > 0 ? [] : this.#closure.named(block.file, name);
    const free = named.flatMap((one) =>
      one.kind === "function" && one.block.types.length === count ? [one.block] : [],
    );
    for (const found of [...own, ...free])
      this.#visit(found, this.#bound(found, given, block, bindings), depth + 1);
    // A capital letter begins the name of a type or of an error, by Solidity's convention.
    if (own.length + free.length === 0 && named.length === 0 && !/^[A-Z]/.test(name) && !this.#isType(name))
      this.#isComplete = false;
  }

  /** Something called by a name behind a dot. */
  #memberCall(block: CodeBlock, bindings: Bindings, at: number, depth: number): void {
    const { body, file } = block;
    const name = body[at]?.text ?? "";
    const open = body[at + 1]?.text === "{" ? closing(body, at + 1) + 1 : at + 1;
    // With options for gas or value it is a call of another contract, which is told by itself.
    if (open !== at + 1) return;
    const given = this.#given(body, open);
    const count = countOf(given);
    const path = receiverBefore(body, at);
    if (path !== undefined && BUILT_IN.has(path)) return;
    if (path === "super") {
      for (const found of this.#behind(block.contract, name, count))
        this.#visit(found, this.#bound(found, given, block, bindings), depth + 1);
      return;
    }
    const named = path === undefined ? [] : this.#closure.namedPath(file, path);
    const [target] = named;
    if (target?.kind === "contract") {
      const { contract } = target;
      const line = contract.kind === "library" ? [contract] : this.#closure.linearised(contract);
      const found = line
        ?.flatMap(({ blocks }) => blocks)
        .find((one) => one.kind === "function" && one.name === name && one.types.length === count);
      const all = line?.flatMap(({ blocks }) =>
        blocks.filter((one) => one.name === name && one.types.length === count),
      );
      const overloads = contract.kind === "library" ? (all ?? []) : found ? [found] : [];
      for (const one of overloads) this.#visit(one, this.#bound(one, given, block, bindings), depth + 1);
      if (overloads.length === 0 && !contract.errors.some((one) => one.name === name) && !/^[A-Z]/.test(name))
        this.#isComplete &&= contract.kind === "interface";
      return;
    }
    if (target?.kind === "module") {
      for (const one of this.#closure.named(target.file, name))
        if (one.kind === "function" && one.block.types.length === count)
          this.#visit(one.block, this.#bound(one.block, given, block, bindings), depth + 1);
      return;
    }
    for (const found of this.#attached(name, count + 1)) {
      const values = this.#bound(found, [[], ...given], block, bindings);
      this.#visit(found, values, depth + 1);
    }
  }

  /** Functions that `using` attaches to some type, in any of the files: of what type a value is, is not looked at. */
  #attached(name: string, count: number): CodeBlock[] {
    const found = new Set<CodeBlock>();
    for (const file of this.#closure.files) {
      for (const scope of [file, ...file.contracts]) {
        for (const { names } of scope.usings) {
          for (const path of names) {
            const named = this.#closure.namedPath(file, path);
            // What is attached is not there, and may have a function of this name.
            if (named.length === 0) this.#isComplete = false;
            for (const one of named) {
              const blocks =
                one.kind === "contract" ? one.contract.blocks : one.kind === "function" ? [one.block] : [];
              for (const block of blocks)
                if (block.name === name && block.types.length === count) found.add(block);
            }
          }
        }
      }
    }
    return [...found];
  }

  /** The functions of a name that code of a contract calls: its own private ones, else what overrides them in what runs. */
  #visibleFrom(contract: CodeContract, name: string, count: number): CodeBlock[] {
    const line = this.#line.includes(contract) ? this.#closure.linearised(contract) : [contract];
    if (!line) {
      this.#isComplete = false;
      return [];
    }
    const declared = line
      .flatMap(({ blocks }) => blocks)
      .filter((one) => one.kind === "function" && one.name === name && one.types.length === count)
      .filter((one) => one.contract === contract || !isPrivate(one));
    return [...new Set(declared.map((one) => (isPrivate(one) ? one : this.#overriding(one))))];
  }

  /** What `super` calls: the next one in what runs. */
  #behind(contract: CodeContract | undefined, name: string, count: number): CodeBlock[] {
    const at = contract ? this.#line.indexOf(contract) : -1;
    if (at < 0) return [];
    // Of what is derived from it other bases may come in between.
    if (!this.#isLineKnown && contract?.blocks.some(isVirtual)) this.#isComplete = false;
    const behind = this.#line
      .slice(at + 1)
      .flatMap(({ blocks }) => blocks)
      .filter((one) => one.kind === "function" && one.name === name && one.types.length === count)
      .filter((one) => one.body.length > 0 && !isPrivate(one));
    const [first] = behind;
    const ofFirst = behind.filter((one) => one.contract === first?.contract);
    if (ofFirst.length === 0) this.#isComplete = false;
    return ofFirst;
  }

  /** The most derived of a function in what runs. */
  #overriding(block: CodeBlock): CodeBlock {
    const { contract } = block;
    if (contract?.kind === "library" || !contract || !this.#line.includes(contract)) return block;
    const types = block.types.join();
    const found = this.#line
      .slice(0, this.#line.indexOf(contract) + 1)
      .flatMap(({ blocks }) => blocks)
      .find(
        (one) =>
          one.kind === block.kind &&
          one.name === block.name &&
          (one === block || (one.types.join() === types && !isPrivate(one))),
      );
    const ran = found ?? block;
    this.#noteDispatch(ran);
    return ran;
  }

  /** What is virtual may be another one in a contract that is not known. */
  #noteDispatch(block: CodeBlock): void {
    const isFinal = block.contract?.kind === "library" || !isVirtual(block);
    if (!this.#isLineKnown && !isFinal) this.#isComplete = false;
  }

  #bound(
    called: CodeBlock,
    given: readonly (readonly CodeToken[])[],
    block: CodeBlock,
    bindings: Bindings,
  ): Bindings {
    // What is given by names is not looked at.
    if (given[0]?.[0]?.text === "{") return new Map();
    const values = called.parameters.flatMap((name, at) =>
      called.types[at] === "string" ? [[name, this.#textOf(given[at] ?? [], block, bindings)] as const] : [],
    );
    return new Map(values);
  }

  /** The text that an expression is, where it is a literal, a constant or a parameter that is bound to one. */
  #textOf(
    expression: readonly CodeToken[],
    block: CodeBlock,
    bindings: Bindings,
    depth = 0,
  ): string | undefined {
    const [first] = expression;
    if (!first || depth > 8) return undefined;
    if (expression.every(({ text }) => /["']$/.test(text))) {
      const texts = expression.map(({ text }) => solidityText(text));
      return texts.includes(undefined) ? undefined : texts.join("");
    }
    const path = pathAt(expression);
    if (path === "" || expression.length !== path.split(".").length * 2 - 1) return undefined;
    if (bindings.has(path)) return bindings.get(path);
    if (block.parameters.includes(path) || isDeclaredIn(block.body, path)) return undefined;
    const own = block.contract && this.#closure.linearised(block.contract);
    for (const contract of own ?? []) {
      const value = contract.constants.get(path);
      if (value) return this.#textOf(value, { ...block, contract }, new Map(), depth + 1);
    }
    for (const one of this.#closure.namedPath(block.file, path))
      if (one.kind === "constant")
        return this.#textOf(one.value, { ...block, file: one.file }, new Map(), depth + 1);
    return undefined;
  }

  #reasonSite(
    block: CodeBlock,
    token: CodeToken,
    expression: readonly CodeToken[] | undefined,
    bindings: Bindings,
  ): void {
    if (this.#cause.kind !== "reason" || !expression) return;
    const text = this.#textOf(expression, block, bindings);
    // What is put together at run time may be any text.
    if (text === undefined || text === this.#cause.reason) this.#found(block, token);
  }

  #errorSite(
    block: CodeBlock,
    token: CodeToken,
    path: string,
    open: number | undefined,
    tokens: readonly CodeToken[] = block.body,
    openIn = open ?? 0,
  ): void {
    if (this.#cause.kind !== "error") return;
    const { name, types } = this.#cause;
    const declared = this.#errorsOf(block, path);
    const isMeant =
      declared.length > 0
        ? declared.some((one) => one.name === name && isSame(one.types, types))
        : path.slice(path.lastIndexOf(".") + 1) === name &&
          countOf(this.#given(tokens, openIn)) === types.length;
    if (isMeant) this.#found(block, token);
  }

  /** The errors that a name stands for: of the contract, of its bases, then of the file. */
  #errorsOf({ contract, file }: CodeBlock, path: string): CodeError[] {
    const own = contract && !path.includes(".") ? (this.#closure.linearised(contract) ?? [contract]) : [];
    for (const { errors } of own) {
      const found = errors.filter((one) => one.name === path);
      if (found.length > 0) return found;
    }
    const dot = path.lastIndexOf(".");
    const owner = dot < 0 ? undefined : this.#closure.contract(file, path.slice(0, dot));
    for (const { errors } of (owner && this.#closure.linearised(owner)) ?? []) {
      const found = errors.filter((one) => one.name === path.slice(dot + 1));
      if (found.length > 0) return found;
    }
    return this.#closure.namedPath(file, path).flatMap((one) => (one.kind === "error" ? [one.error] : []));
  }

  /** Whether the second argument of `require` is an error: what is no function is taken for one. */
  #isError(block: CodeBlock, path: string): boolean {
    return this.#errorsOf(block, path).length > 0 || /^(?:.*\.)?[A-Z]/.test(path);
  }

  /** A name of a type of the closure. */
  #isType(name: string): boolean {
    return [...this.#closure.files].some(({ contracts }) => contracts.some((one) => one.name === name));
  }

  /** Assembly reverts with anything; what it hands on from another call is told by that call. */
  #assembly(block: CodeBlock, tokens: readonly CodeToken[]): void {
    const handsOn = tokens.some(({ text }) => text === "returndatasize" || text === "returndatacopy");
    if (handsOn) return;
    for (const [at, token] of tokens.entries()) {
      if (token.text !== "revert" || tokens[at + 1]?.text !== "(") continue;
      const [, length = []] = this.#given(tokens, at + 1);
      if (length.some(({ text }) => text === "mload")) continue;
      // Nothing is reverted with: neither an error nor a reason.
      if (length.length === 1 && length[0]?.text === "0") continue;
      this.#found(block, token);
    }
  }

  #panicAt(block: CodeBlock, at: number): void {
    if (this.#cause.kind !== "panic") return;
    const signs = PANIC_SIGNS.get(this.#cause.code);
    if (!signs) {
      if (this.#cause.code !== 1) this.#isComplete = false;
      return;
    }
    const { body } = block;
    if (!signs(body, at)) return;
    let from = at;
    while (from > 0 && !/^[;{}]$/.test(body[from - 1]?.text ?? "")) from--;
    const token = body[from];
    if (token) this.#found(block, token);
  }

  #found({ file }: CodeBlock, { start: offset }: CodeToken): void {
    this.#sites.set(`${file.path} ${offset}`, { file, offset });
  }
}

/** What may panic with a code, or not: more than what does, so that the only one is the one. */
const PANIC_SIGNS: ReadonlyMap<number, (body: readonly CodeToken[], at: number) => boolean> = new Map([
  [0x11, (body: readonly CodeToken[], at: number) => /^[-+*/]$/.test(body[at]?.text ?? "")],
  [0x12, (body: readonly CodeToken[], at: number) => /^(?:[/%]|addmod|mulmod)$/.test(body[at]?.text ?? "")],
  [0x31, (body: readonly CodeToken[], at: number) => body[at]?.text === "pop" && body[at - 1]?.text === "."],
  [
    0x32,
    (body: readonly CodeToken[], at: number) =>
      body[at]?.text === "[" &&
      body[at + 1]?.text !== "]" &&
      (isIdentifier(body[at - 1]?.text) || /^[)\]]$/.test(body[at - 1]?.text ?? "")),
  ],
]);

/** Of arguments that are given by names, too. */
function countOf(given: readonly (readonly CodeToken[])[]): number {
  const [first] = given;
  return given.length === 1 && first?.[0]?.text === "{" ? parts(first.slice(1, -1)).length : given.length;
}

/** The name before the dot before a position; `undefined` for any other expression. */
function receiverBefore(body: readonly CodeToken[], at: number): string | undefined {
  let path = "";
  for (let dot = at - 1; body[dot]?.text === "."; dot -= 2) {
    const { text } = body[dot - 1] ?? {};
    if (!isIdentifier(text)) return undefined;
    path = path === "" ? text : `${text}.${path}`;
  }
  return path;
}

/** Whether a name is declared as a text within a body, where it hides what is outside. */
function isDeclaredIn(body: readonly CodeToken[], name: string): boolean {
  return body.some(
    ({ text }, at) => text === name && /^(?:memory|storage|calldata)$/.test(body[at - 1]?.text ?? ""),
  );
}

function isVirtual({ head }: CodeBlock): boolean {
  return head.some(({ text }) => text === "virtual");
}

function isPrivate({ head }: CodeBlock): boolean {
  return head.some(({ text }) => text === "private");
}

/** Whether the types of a declaration are those of the ABI; what a type of its own is there is not looked up. */
function isSame(declared: readonly string[], abi: readonly string[]): boolean {
  return (
    declared.length === abi.length && declared.every((type, at) => !ELEMENTARY.test(type) || type === abi[at])
  );
}
