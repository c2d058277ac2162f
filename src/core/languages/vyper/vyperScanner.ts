import { TextMemory } from "../../sources/textMemory.ts";
import { placeFinder } from "../../text/definitionPlace.ts";

/** One imported name: `from ..a.b import c` is level 2 and `a.b.c`. */
export interface VyperImport {
  /** How many folders up: 0 for an absolute import, 1 for the importing file's own folder. */
  readonly level: number;
  /** The dotted name of the module, with the imported name at its end. */
  readonly module: string;
  /** The name by which the file calls it. */
  readonly alias: string;
  /** It is the module before `import` that a compiler before 0.4 compares with its built-in ones. */
  readonly from: string;
  /** One-based. */
  readonly line: number;
}

/** A pragma: what stands behind `@version` or `pragma` in a comment. */
interface VyperPragma {
  readonly name: string;
  readonly value: string;
  /** One-based. */
  readonly line: number;
}

/** What a Vyper file says about other files and compilers. */
export interface VyperOutline {
  readonly imports: readonly VyperImport[];
  readonly pragmas: readonly VyperPragma[];
  /** The pragmas that ask for a compiler. */
  readonly versionPragmas: readonly VyperPragma[];
}

/** A logical line. */
export interface VyperLine {
  /** UTF-16 offset. */
  readonly start: number;
  /** Comments and strings are blanks; parentheses and brackets are closed. */
  readonly text: string;
  readonly isIndented: boolean;
}

/**
 * Reads the imports and pragmas of a Vyper file by Python's lexical rules: comments, strings of one and of three
 * quotes, continued lines and parentheses are understood (vyperlang/vyper, vyper/ast/pre_parser.py).
 */
export function scanVyper(text: string): VyperOutline {
  return outlines.get(text) ?? outlines.set(text, outlineOf(text));
}

const outlines = new TextMemory<VyperOutline>();

/** Interfaces that the compiler brings (vyperlang/vyper, vyper/builtins/interfaces). */
const BUILT_IN_MODULE = /^(?:ethereum\.ercs|vyper\.interfaces|vyper\.builtins\.interfaces)\b/;

/** True for an interface that the compiler brings. */
export function isBuiltInInterface({ level, module }: VyperImport): boolean {
  return level === 0 && BUILT_IN_MODULE.test(module);
}

/** What a file imports that the compiler does not bring: `from ..a import b` has the path `..a/b`. */
export function importedModules(text: string): { readonly path: string; readonly alias: string }[] {
  return scanVyper(text)
    .imports.filter((one) => !isBuiltInInterface(one))
    .map(({ level, module, alias }) => ({ path: ".".repeat(level) + module.replaceAll(".", "/"), alias }));
}

function outlineOf(text: string): VyperOutline {
  const { code, comments } = withBlanks(text);
  const placeOf = placeFinder("", text);
  const lineAt = (start: number) => placeOf(start).line + 1;
  const imports = linesOf(code).flatMap((one) =>
    /^(?:import|from)\b/.test(one.text) ? importsOf(one.text, lineAt(one.start)) : [],
  );
  const pragmas = comments.flatMap((comment) => {
    const line = lineAt(comment.start);
    const contents = comment.text.slice(1).trim();
    const version = /^@version\s([\s\S]*)$/.exec(contents);
    if (version) return [{ name: "version", value: (version[1] ?? "").trim(), line }];
    const pragma = /^pragma\s+([\w-]+)([\s\S]*)$/.exec(contents);
    return pragma ? [{ name: pragma[1] ?? "", value: (pragma[2] ?? "").trim(), line }] : [];
  });
  return { imports, pragmas, versionPragmas: pragmas.filter(({ name }) => name === "version") };
}

function importsOf(written: string, line: number): VyperImport[] {
  // Blanks around a dot say nothing.
  const text = written
    .split(".")
    .map((part) => part.trim())
    .join(".");
  const plain = /^import\s([\s\S]+)$/.exec(text);
  if (plain) {
    return (plain[1] ?? "").split(",").flatMap((item) => {
      const [, module = "", alias] = /^\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(item) ?? [];
      return module === "" ? [] : [{ level: 0, module, alias: alias ?? module, from: "", line }];
    });
  }
  const from = /^from(?!\w)([\s\w.]*?)\bimport\b([\s\S]*)$/.exec(text);
  if (!from) return [];
  const module = /^(\.*)(?!\.)\s*([\w.]*)$/.exec((from[1] ?? "").trim());
  const imported = /^\(?([^)]*)\)?$/.exec((from[2] ?? "").trim());
  if (!module || !imported) return [];
  const [[, dots = "", base = ""], [, names = ""]] = [module, imported];
  return names.split(",").flatMap((item) => {
    const [, name = "", alias] = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(item) ?? [];
    if (name === "") return [];
    const module = base === "" ? name : `${base}.${name}`;
    return [{ level: dots.length, module, alias: alias ?? name, from: base, line }];
  });
}

/**
 * The lines of a Vyper text, joined where brackets or a backslash join them. Comments and strings are replaced by blanks, so
 * that offsets stay; a line without anything else is left out.
 */
export function logicalLines(text: string): VyperLine[] {
  return linesOf(withBlanks(text).code);
}

function linesOf(code: string): VyperLine[] {
  const lines: VyperLine[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: mark, index } of code.matchAll(/[([{}\])\n]|$/g)) {
    if (/[([{]/.test(mark)) depth++;
    else if (/[)\]}]/.test(mark)) depth = Math.max(0, depth - 1);
    else if (mark === "" || depth === 0) {
      const line = code.slice(start, index).trimEnd();
      if (line !== "") lines.push({ start, text: line, isIndented: /^\s/.test(line) });
      start = index + 1;
    }
  }
  return lines;
}

/** A text with blanks for its comments and strings and for what joins lines, and its comments. */
function withBlanks(text: string): {
  readonly code: string;
  readonly comments: readonly { readonly start: number; readonly text: string }[];
} {
  const comments: { start: number; text: string }[] = [];
  const special = /["'#]|\\\r?\n/g;
  let code = "";
  let from = 0;
  for (let found = special.exec(text); found; found = special.exec(text)) {
    const { 0: mark, index: start } = found;
    const end =
      mark === "#"
        ? endOfLine(text, start)
        : mark.startsWith("\\")
          ? start + mark.length
          : endOfString(text, start);
    if (mark === "#") comments.push({ start, text: text.slice(start, end) });
    code += text.slice(from, start) + " ".repeat(end - start);
    from = special.lastIndex = end;
  }
  return { code: code + text.slice(from), comments };
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function endOfString(text: string, start: number): number {
  const quote = text.charAt(start);
  const isTriple = text.startsWith(quote.repeat(3), start);
  const closing = isTriple ? quote.repeat(3) : quote;
  for (let at = start + closing.length; at < text.length; at++) {
    if (text.charAt(at) === "\\") at += text.startsWith("\r\n", at + 1) ? 2 : 1;
    else if (text.startsWith(closing, at)) return at + closing.length;
    else if (!isTriple && text.charAt(at) === "\n") return at;
  }
  return text.length;
}
