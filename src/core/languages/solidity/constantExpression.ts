const TOKEN =
  /\s+|\/\/[^\n]*|(0[xX][\da-fA-F][\da-fA-F_]*|\d[\d_]*(?:[eE]\d[\d_]*)?)|([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)|(\*\*|\/\/|<<|>>|[-+*/%()])/gy;

/** Lengths beyond this are no array's. */
const MAX_BITS = 300n;
const MAX_OPERANDS = 1000;
/** A literal within these bits is shorter, separators included. */
const MAX_LITERAL_CHARACTERS = 200;

/**
 * The value of an integer expression as it stands for an array's length: literals, names of constants, arithmetic and
 * shifts. `undefined` for anything else.
 *
 * @param constant the value of a name
 */
export function evaluateConstant(
  expression: string,
  constant: (name: string) => bigint | undefined,
): bigint | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    if (expression.startsWith("/*", TOKEN.lastIndex)) {
      const end = expression.indexOf("*/", TOKEN.lastIndex + 2);
      if (end === -1) return undefined;
      TOKEN.lastIndex = end + 2;
      continue;
    }
    const match = TOKEN.exec(expression);
    if (!match) return undefined;
    const token = match[1] ?? match[2] ?? match[3];
    if (token !== undefined) tokens.push(token);
  }
  const evaluation = new Evaluation(tokens, constant);
  try {
    return evaluation.whole();
  } catch (error) {
    if (error instanceof RangeError || error instanceof NotConstant) return undefined;
    throw error;
  }
}

class NotConstant extends Error {}

/** Lowest first (docs.soliditylang.org, "Order of Precedence of Operators"); `**` binds tighter and to the right. */
const LEVELS: readonly (readonly string[])[] = [
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "//", "%"],
];

class Evaluation {
  readonly #tokens: readonly string[];
  readonly #constant: (name: string) => bigint | undefined;
  #at = 0;
  #operands = 0;

  constructor(tokens: readonly string[], constant: (name: string) => bigint | undefined) {
    this.#tokens = tokens;
    this.#constant = constant;
  }

  whole(): bigint {
    const value = this.#binary(0);
    if (this.#at < this.#tokens.length) throw new NotConstant();
    return value;
  }

  #binary(level: number): bigint {
    const operators = LEVELS[level];
    if (!operators) return this.#power();
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = this.#tokens[this.#at] ?? "";
      if (!operators.includes(operator)) return left;
      this.#at++;
      left = apply(operator, left, this.#binary(level + 1));
    }
  }

  #power(): bigint {
    const base = this.#operand();
    if (this.#tokens[this.#at] !== "**") return base;
    this.#at++;
    return apply("**", base, this.#power());
  }

  #operand(): bigint {
    const token = this.#tokens[this.#at++] ?? "";
    if (++this.#operands > MAX_OPERANDS) throw new NotConstant();
    if (token === "-") return -this.#operand();
    if (token === "(") {
      const value = this.#binary(0);
      if (this.#tokens[this.#at++] !== ")") throw new NotConstant();
      return value;
    }
    if (/^\d/.test(token)) return literal(token);
    const value = /^[A-Za-z_$]/.test(token) ? this.#constant(token) : undefined;
    if (value === undefined) throw new NotConstant();
    return value;
  }
}

function literal(token: string): bigint {
  if (token.length > MAX_LITERAL_CHARACTERS) throw new NotConstant();
  const digits = token.replaceAll("_", "");
  if (/^0x/i.test(digits)) return BigInt(digits);
  const [mantissa = "0", exponent = "0"] = digits.toLowerCase().split("e");
  return BigInt(mantissa) * apply("**", 10n, BigInt(exponent));
}

function apply(operator: string, left: bigint, right: bigint): bigint {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "%":
      return left % right;
    case "/":
      // Solidity's literals are rational: only what comes out whole can be a length.
      if (left % right !== 0n) throw new NotConstant();
      return left / right;
    case "//":
      return left / right;
  }
  if (right < 0n || right > MAX_BITS) throw new NotConstant();
  if (operator === "<<") return left << right;
  if (operator === ">>") return left >> right;
  return left ** right;
}
