import { TextMemory } from "../../sources/textMemory.ts";

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

interface Line {
  readonly text: string;
  readonly number: number;
}

/**
 * Reads the imports and pragmas of a Vyper file by Python's lexical rules: comments, strings of one and of three
 * quotes, continued lines and parentheses are understood (vyperlang/vyper, vyper/ast/pre_parser.py).
 */
export function scanVyper(text: string): VyperOutline {
  return outlines.get(text) ?? outlines.set(text, outlineOf(text));
}

const outlines = new TextMemory<VyperOutline>();

function outlineOf(text: string): VyperOutline {
  const { lines, comments } = logicalLines(text);
  const imports = lines.flatMap(importsOf);
  const pragmas = comments.flatMap((comment) => {
    const contents = comment.text.slice(1).trim();
    const version = /^@version\s([\s\S]*)$/.exec(contents);
    if (version) return [{ name: "version", value: (version[1] ?? "").trim(), line: comment.number }];
    const pragma = /^pragma\s+([\w-]+)([\s\S]*)$/.exec(contents);
    return pragma ? [{ name: pragma[1] ?? "", value: (pragma[2] ?? "").trim(), line: comment.number }] : [];
  });
  return { imports, pragmas, versionPragmas: pragmas.filter(({ name }) => name === "version") };
}

function importsOf({ text, number }: Line): VyperImport[] {
  const plain = /^import\s([\s\S]+)$/.exec(text);
  if (plain) {
    return (plain[1] ?? "").split(",").flatMap((item) => {
      const [, module = "", alias] = /^\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(item) ?? [];
      return module === "" ? [] : [{ level: 0, module, alias: alias ?? module, from: "", line: number }];
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
    return [{ level: dots.length, module, alias: alias ?? name, from: base, line: number }];
  });
}

/** The logical lines that begin in the first column, strings left out, and all comments. */
function logicalLines(text: string): { lines: Line[]; comments: Line[] } {
  const lines: Line[] = [];
  const comments: Line[] = [];
  let number = 1;
  let current = "";
  let startsAt = 1;
  let depth = 0;
  const close = () => {
    if (/^\S/.test(current)) lines.push({ text: current.trimEnd(), number: startsAt });
    current = "";
  };
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (current === "") startsAt = number;
    if (character === "#") {
      const end = endOfLine(text, at);
      comments.push({ text: text.slice(at, end), number });
      at = end - 1;
    } else if (character === '"' || character === "'") {
      const end = endOfString(text, at);
      number += text.slice(at, end).split("\n").length - 1;
      current += character + character;
      at = end - 1;
    } else if (character === "\\" && /^\r?\n/.test(text.slice(at + 1, at + 3))) {
      at += text.charAt(at + 1) === "\r" ? 2 : 1;
      number++;
      current += " ";
    } else if (character === "\n") {
      number++;
      if (depth > 0) current += " ";
      else close();
    } else {
      if (/[([{]/.test(character)) depth++;
      else if (/[)\]}]/.test(character)) depth = Math.max(0, depth - 1);
      if (character !== "\r") current += character;
    }
  }
  close();
  return { lines, comments };
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
    if (text.charAt(at) === "\\") at++;
    else if (text.startsWith(closing, at)) return at + closing.length;
    else if (!isTriple && text.charAt(at) === "\n") return at;
  }
  return text.length;
}
