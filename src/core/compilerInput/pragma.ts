/** One condition on a version: the numbers it names, `undefined` for a wildcard. */
interface Condition {
  readonly operator: "^" | "~" | "<" | "<=" | ">" | ">=" | "=";
  readonly numbers: readonly (number | undefined)[];
}

/** A version expression: one of the conjunctions must hold. */
export type SolidityVersionExpression = readonly (readonly Condition[])[];

/**
 * Parses what stands between `pragma solidity` and `;` by solc's rules, which are like npm's but not the same
 * (ethereum/solidity, liblangutil/SemVerHandler.cpp): white space is nothing, a partial version is compared in
 * the numbers it has, `^0.0.3` allows every 0.0.x from 3 on, and a version has no prerelease or build part.
 *
 * @returns `undefined` for what solc rejects.
 */
export function parseSolidityVersionExpression(text: string): SolidityVersionExpression | undefined {
  const tokens = tokenize(text);
  if (!tokens || tokens.length === 0) return undefined;
  const disjunction: Condition[][] = [];
  let conjunction: Condition[] = [];
  let at = 0;
  const condition = (): Condition | undefined => {
    const token = tokens[at];
    const operator = OPERATORS.find((candidate) => candidate === token);
    if (operator) at++;
    const numbers: (number | undefined)[] = [];
    for (;;) {
      const part = tokens[at];
      if (part === undefined || !/^[\dxX*]/.test(part)) return undefined;
      at++;
      numbers.push(/^\d/.test(part) ? Number(part) : undefined);
      if (numbers.length === 3 || tokens[at] !== ".") return { operator: operator ?? "=", numbers };
      at++;
    }
  };
  for (;;) {
    const first = condition();
    if (!first) return undefined;
    conjunction.push(first);
    if (tokens[at] === "-") {
      if (conjunction.length > 1) return undefined;
      at++;
      const last = condition();
      if (!last) return undefined;
      conjunction = [
        { ...first, operator: ">=" },
        { ...last, operator: "<=" },
      ];
      if (tokens[at] !== "||" && at < tokens.length) return undefined;
    }
    if (at === tokens.length) return [...disjunction, conjunction];
    if (tokens[at] === "||") {
      at++;
      disjunction.push(conjunction);
      conjunction = [];
    }
  }
}

/** True when the release, `0.8.30` or longer, satisfies the expression. */
export function satisfiesSolidity(version: string, expression: SolidityVersionExpression): boolean {
  const numbers = (/^\d+\.\d+\.\d+/.exec(version)?.[0] ?? "").split(".").map(Number);
  return expression.some((conjunction) => conjunction.every((condition) => satisfies(numbers, condition)));
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

/** The fewest pragmas that no release satisfies together: one, the first pair, or all of them. */
export function whyNone(
  pragmas: readonly PlacedPragma[],
  releases: readonly string[],
): readonly PlacedPragma[] {
  const allows = (...some: PlacedPragma[]) =>
    newestReleaseSatisfying(
      some.map(({ expression }) => expression),
      releases,
    ) !== undefined;
  const alone = pragmas.find((pragma) => !allows(pragma));
  if (alone) return [alone];
  for (const [at, first] of pragmas.entries()) {
    const second = pragmas.slice(at + 1).find((other) => !allows(first, other));
    if (second) return [first, second];
  }
  return pragmas;
}

const OPERATORS = ["^", "~", "<", "<=", ">", ">=", "="] as const;

/** Operators, numbers, points and wildcards; a quoted version counts as its content. */
function tokenize(text: string): string[] | undefined {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n\r]*/g, " ").replace(/["']/g, " ");
  const tokens: string[] = [];
  const token = /\s+|\|\||[<>]=?|[\^~=.\-xX*]|0|[1-9]\d*/y;
  while (token.lastIndex < plain.length) {
    const found = token.exec(plain)?.[0];
    if (found === undefined) return undefined;
    if (found.trim() !== "") tokens.push(found);
  }
  return tokens;
}

function satisfies(version: readonly number[], { operator, numbers }: Condition): boolean {
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
function compare(version: readonly number[], numbers: readonly (number | undefined)[]): number {
  for (const [level, number] of numbers.entries()) {
    const difference = number === undefined ? 0 : (version[level] ?? 0) - number;
    if (difference !== 0) return difference;
  }
  return 0;
}
