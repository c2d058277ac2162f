import { smallestConflict } from "../../sources/smallestConflict.ts";
import { scanSolidityDirectives } from "./solidityScanner.ts";

/** One condition on a version: the numbers it names, `undefined` for a wildcard. */
interface Condition {
  readonly operator: "^" | "~" | "<" | "<=" | ">" | ">=" | "=";
  readonly numbers: readonly (number | undefined)[];
}

interface Compiler {
  readonly numbers: readonly number[];
  readonly isPrerelease: boolean;
}

/** A version expression: one of the conjunctions must hold. */
export type SolidityVersionExpression = readonly (readonly Condition[])[];

/**
 * Parses what stands between `pragma solidity` and `;` by solc's rules, which are like npm's but not the same
 * (ethereum/solidity, liblangutil/SemVerHandler.cpp): the text is cut into Solidity's tokens, of which operators must
 * begin one and versions are read character by character; a partial version is compared in the numbers it has, `^0.0.3`
 * allows every 0.0.x from 3 on, and a version has no prerelease or build part.
 *
 * @returns `undefined` for what solc rejects.
 */
export function parseSolidityVersionExpression(text: string): SolidityVersionExpression | undefined {
  const tokens = tokenize(text);
  return tokens && tokens.length > 0 ? new ExpressionReader(tokens).read() : undefined;
}

/** Walks over tokens and, inside them, over characters. */
class ExpressionReader {
  readonly #tokens: readonly Token[];
  #token = 0;
  #inside = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): SolidityVersionExpression | undefined {
    const disjunction: (readonly Condition[])[] = [];
    for (;;) {
      const conjunction = this.#conjunction();
      if (!conjunction) return undefined;
      disjunction.push(conjunction);
      if (this.#token >= this.#tokens.length) return disjunction;
      if (this.#operator !== "||") return undefined;
      this.#token++;
    }
  }

  #conjunction(): Condition[] | undefined {
    const first = this.#condition();
    if (!first) return undefined;
    if (this.#operator === "-") {
      this.#token++;
      const last = this.#condition();
      return (
        last && [
          { ...first, operator: ">=" },
          { ...last, operator: "<=" },
        ]
      );
    }
    const conjunction = [first];
    while (this.#token < this.#tokens.length && this.#operator !== "||") {
      const next = this.#condition();
      if (!next) return undefined;
      conjunction.push(next);
    }
    return conjunction;
  }

  #condition(): Condition | undefined {
    const operator = OPERATORS.find((candidate) => candidate === this.#operator);
    if (operator) this.#token++;
    const numbers: (number | undefined)[] = [];
    for (;;) {
      const part = this.#part();
      if (part === undefined) return undefined;
      numbers.push(part === "any" ? undefined : part);
      // A point is taken behind the third number, too.
      const isPoint = this.#character === ".";
      if (isPoint) this.#advance();
      if (numbers.length === 3 || !isPoint) return { operator: operator ?? "=", numbers };
    }
  }

  #part(): number | "any" | undefined {
    const token = this.#token;
    const character = this.#character;
    this.#advance();
    if (character === "0") return 0;
    if (/^[xX*]$/.test(character)) return "any";
    if (!/^[1-9]$/.test(character)) return undefined;
    let digits = character;
    // The number ends with its token.
    while (this.#token === token && /^\d$/.test(this.#character)) {
      digits += this.#character;
      this.#advance();
    }
    return Number(digits);
  }

  /** The operator that begins here, or an empty text. */
  get #operator(): string {
    const token = this.#tokens[this.#token];
    return this.#inside === 0 && token?.isOperator ? token.text : "";
  }

  get #character(): string {
    return this.#tokens[this.#token]?.text.charAt(this.#inside) ?? "";
  }

  #advance(): void {
    if (++this.#inside < (this.#tokens[this.#token]?.text.length ?? 0)) return;
    this.#token++;
    this.#inside = 0;
  }
}

/**
 * True when the release, `0.8.30` or longer, satisfies the expression. A nightly build is older than the release that
 * it is named after.
 */
export function satisfiesSolidity(version: string, expression: SolidityVersionExpression): boolean {
  const [whole = "", numbers = "", prerelease] = /^(\d+\.\d+\.\d+)(-)?/.exec(version) ?? [];
  if (whole === "") return false;
  const compiler: Compiler = {
    numbers: numbers.split(".").map(Number),
    isPrerelease: prerelease !== undefined,
  };
  return expression.some((conjunction) => conjunction.every((condition) => satisfies(compiler, condition)));
}

/** Whether every pragma of some sources allows a short version. */
export function solcAllowedBy(contents: readonly string[]): (version: string) => boolean {
  const expressions = contents.flatMap((content) =>
    scanSolidityDirectives(content).versionPragmas.map(({ expression }) =>
      parseSolidityVersionExpression(expression),
    ),
  );
  return (version) =>
    expressions.every((expression) => expression !== undefined && satisfiesSolidity(version, expression));
}

/** The newest of `releases` (oldest first) that satisfies every expression; one that can't be read is satisfied by none. */
export function newestReleaseSatisfying(
  expressions: readonly (SolidityVersionExpression | undefined)[],
  releases: readonly string[],
): string | undefined {
  return releases.findLast((release) =>
    expressions.every((expression) => expression !== undefined && satisfiesSolidity(release, expression)),
  );
}

/** A pragma that takes part in a conflict. */
export interface PlacedPragma {
  readonly file: string;
  /** One-based. */
  readonly line: number;
  readonly text: string;
  readonly expression: SolidityVersionExpression | undefined;
}

/** The fewest pragmas that no release satisfies together. */
export function whyNone(
  pragmas: readonly PlacedPragma[],
  releases: readonly string[],
): readonly PlacedPragma[] {
  return smallestConflict(
    pragmas,
    ({ text }) => text,
    (some) =>
      newestReleaseSatisfying(
        some.map(({ expression }) => expression),
        releases,
      ) !== undefined,
  );
}

const OPERATORS = ["^", "~", "<", "<=", ">", ">=", "="] as const;

/** A token of a pragma; of a string, what is between its quotes. */
interface Token {
  readonly text: string;
  readonly isOperator: boolean;
}

const SKIPPED = /(?:\s+|\/\*[\s\S]*?\*\/|\/\/[^\n\r]*)/y;
const NUMBER = /(?:(?:0|[1-9][\d_]*)(?:\.\d[\d_]*)?|\.\d[\d_]*)(?![\w$])/y;
const WORD = /[A-Za-z$_][\w$]*/y;
const STRING = /"[^"\\\n\r]*"|'[^'\\\n\r]*'/y;
/** Solidity's operators, the longest first (liblangutil/Scanner.cpp). */
const OPERATOR = />>>=?|>>=|<<=|\*\*|--|->|\+\+|&&|\|\||==|=>|<<|>>|[-+*/%^|&<>=!]=|[-+*/%^|&<>=!~.,:?]/y;

/** Cuts a pragma into Solidity's tokens; `undefined` where solc can't. */
function tokenize(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  while (at < text.length) {
    if (take(SKIPPED) !== undefined) continue;
    // A comment without an end: solc rejects it, and looking for the end again and again would take the square.
    if (text.startsWith("/*", at)) return undefined;
    const plain = take(NUMBER) ?? take(WORD);
    const string = plain === undefined ? take(STRING)?.slice(1, -1) : undefined;
    const operator = plain === undefined && string === undefined ? take(OPERATOR) : undefined;
    const token = plain ?? string ?? operator;
    if (token === undefined || token === "") return undefined;
    tokens.push({ text: token, isOperator: operator !== undefined });
  }
  return tokens;
}

function satisfies(version: Compiler, { operator, numbers }: Condition): boolean {
  if (operator === "^" || operator === "~") {
    if (!satisfies(version, { operator: ">=", numbers })) return false;
    const levels =
      operator === "~" ? Math.min(numbers.length, 2) : numbers[0] === 0 && numbers.length > 1 ? 2 : 1;
    return satisfies(version, { operator: "<=", numbers: numbers.slice(0, levels) });
  }
  const difference = compare(version, numbers);
  switch (operator) {
    case "=":
      return difference === 0;
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
  }
}

/** Compares in the numbers that the condition has; a wildcard is equal to everything. */
function compare(version: Compiler, numbers: readonly (number | undefined)[]): number {
  for (const [level, number] of numbers.entries()) {
    const difference = number === undefined ? 0 : (version.numbers[level] ?? 0) - number;
    if (difference !== 0) return difference;
  }
  return version.isPrerelease && numbers.some((number) => number !== undefined) ? -1 : 0;
}
