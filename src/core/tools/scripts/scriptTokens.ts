/** A piece of a script. */
export interface Token {
  readonly kind: "word" | "number" | "string" | "template" | "sign" | "pattern";
  readonly text: string;
  /** The value of a number, a string or a template without expressions. */
  readonly value?: string | number;
  readonly start: number;
  /** A line break stands before it. */
  readonly onNewLine: boolean;
}

/** Signs that open a bracket. */
export const OPENING = new Set(["(", "[", "{"]);
const SIGNS = /\.\.\.|=>|\*\*|\?\?|\?\.|&&|\|\||[=!]==?|[<>]=?|[-+*/%&|^~!?:;,.=(){}[\]<>@#]/y;
const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER =
  /0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?/y;

/** For each token that opens a bracket, the one that closes it; the number of tokens where none does. */
export function closingBrackets(tokens: readonly Token[]): number[] {
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

/** The tokens of a JavaScript or TypeScript text; whatever is wrong with it, all of it becomes tokens. */
export function tokenize(text: string): Token[] {
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
