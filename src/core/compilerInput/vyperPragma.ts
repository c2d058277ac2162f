/** A version of a Python package, as far as compilers have such: `0.4.1rc3` has `pre` `["rc", 3]`. */
interface Version {
  readonly release: readonly number[];
  readonly pre?: readonly [stage: "a" | "b" | "rc", number: number];
}

/** A version expression that can be asked about compilers. */
export type VyperVersionExpression = (version: string) => boolean;

/** The first compiler that reads pragmas as Python does; the ones before read them as npm does. */
const FIRST_PYTHON_READER = "0.3.10";

/**
 * True when a compiler accepts a file with this version pragma. Each compiler reads it by its own rules: from
 * 0.3.10 on by PEP 440 with `^` for `~=` and a bare version for `==`, before that by npm's
 * (vyperlang/vyper, vyper/ast/pre_parser.py at the tags).
 *
 * @param version A release, `0.4.3` or longer.
 */
export function satisfiesVyper(version: string, expression: string): boolean {
  const compiler = parseVersion(version.split("+")[0] ?? "");
  const first = parseVersion(FIRST_PYTHON_READER);
  if (!compiler || !first) return false;
  return compare(compiler, first) >= 0
    ? matchesPython(compiler, expression)
    : matchesNpm(compiler, expression);
}

function parseVersion(text: string): Version | undefined {
  const [whole, numbers = "", stage, number] =
    /^\s*v?(?:0!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|a|beta|b|rc|c|preview|pre)[-_.]?(\d*))?\s*$/i.exec(text) ??
    [];
  if (whole === undefined) return undefined;
  const release = numbers.split(".").map(Number);
  if (stage === undefined) return { release };
  const plain = /^a/i.test(stage) ? "a" : /^b/i.test(stage) ? "b" : "rc";
  return { release, pre: [plain, number === "" || number === undefined ? 0 : Number(number)] };
}

function compare(a: Version, b: Version): number {
  for (let level = 0; level < Math.max(a.release.length, b.release.length); level++) {
    const difference = (a.release[level] ?? 0) - (b.release[level] ?? 0);
    if (difference !== 0) return difference;
  }
  if (!a.pre || !b.pre) return (b.pre ? 1 : 0) - (a.pre ? 1 : 0);
  return a.pre[0] === b.pre[0] ? a.pre[1] - b.pre[1] : a.pre[0] < b.pre[0] ? -1 : 1;
}

function startsWith({ release }: Version, prefix: readonly number[]): boolean {
  return prefix.every((number, level) => (release[level] ?? 0) === number);
}

/** PEP 440, "Version specifiers", with Vyper's two rewritings. */
function matchesPython(compiler: Version, expression: string): boolean {
  if (expression === "") return false;
  const written = (/^[v\d]/.test(expression) ? `==${expression}` : expression).replace(/^\^/, "~=");
  return written
    .split(",")
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "")
    .every((clause) => matchesClause(compiler, clause));
}

function matchesClause(compiler: Version, clause: string): boolean {
  const [, operator = "", text = ""] = /^(~=|===|==|!=|<=|>=|<|>)\s*(\S+)$/.exec(clause) ?? [];
  const isPrefix = text.endsWith(".*");
  const version = parseVersion(isPrefix ? text.slice(0, -2) : text);
  if (!version || (isPrefix && (version.pre || !/^[=!]=$/.test(operator)))) return false;
  switch (operator) {
    case "==":
      return isPrefix ? startsWith(compiler, version.release) : compare(compiler, version) === 0;
    case "!=":
      return isPrefix ? !startsWith(compiler, version.release) : compare(compiler, version) !== 0;
    case "===":
      // Arbitrary equality is that of the texts.
      return text === compiler.release.join(".") && !compiler.pre;
    case "<=":
      return compare(compiler, version) <= 0;
    case ">=":
      return compare(compiler, version) >= 0;
    case "<":
      // A prerelease of the named version is not older than it, unless that is one itself.
      return (
        compare(compiler, version) < 0 &&
        !(compiler.pre && !version.pre && startsWith(compiler, version.release))
      );
    case ">":
      return compare(compiler, version) > 0;
    case "~=":
      return (
        version.release.length > 1 &&
        compare(compiler, version) >= 0 &&
        startsWith(compiler, version.release.slice(0, -1))
      );
    default:
      return false;
  }
}

/** npm's ranges: `^`, `~`, comparisons, wildcards, `a - b` and `||`. */
function matchesNpm(compiler: Version, expression: string): boolean {
  return expression.split("||").some((alternative) => {
    const text = alternative.trim().replace(/(\^|~|<=|>=|<|>|=)\s+/g, "$1");
    const hyphen = /^(\S+)\s+-\s+(\S+)$/.exec(text);
    if (hyphen) {
      return (
        matchesComparison(compiler, ">=", hyphen[1] ?? "") &&
        matchesComparison(compiler, "<=", hyphen[2] ?? "")
      );
    }
    if (text === "") return true;
    return text.split(/\s+/).every((part) => {
      const [, operator = "", version = ""] = /^(\^|~|<=|>=|<|>|=)?(.*)$/.exec(part) ?? [];
      return matchesComparison(compiler, operator === "" ? "=" : operator, version);
    });
  });
}

function matchesComparison(compiler: Version, operator: string, text: string): boolean {
  const parts = text.replace(/^v/, "").split(/(?<=^[\dxX*]+(?:\.[\dxX*]+)*)[-ab]|\./);
  const wild = parts.findIndex((part) => /^[xX*]$/.test(part));
  const known = (wild < 0 ? parts : parts.slice(0, wild)).map(Number).slice(0, 3);
  if (known.some(Number.isNaN)) return false;
  const low: Version = { release: [known[0] ?? 0, known[1] ?? 0, known[2] ?? 0] };
  // The first version above everything that the written numbers stand for.
  const above = (level: number): Version => ({
    release: low.release.map((number, at) => (at < level ? number : at === level ? number + 1 : 0)),
  });
  const high = known.length === 0 ? undefined : above(known.length - 1);
  const isBelow = (limit: Version | undefined) => limit === undefined || compare(compiler, limit) < 0;
  switch (operator) {
    case "=":
      return compare(compiler, low) >= 0 && isBelow(high);
    case ">=":
      return compare(compiler, low) >= 0;
    case ">":
      return high !== undefined && compare(compiler, high) >= 0;
    case "<":
      return compare(compiler, low) < 0;
    case "<=":
      return isBelow(high);
    case "~":
      return (
        compare(compiler, low) >= 0 &&
        isBelow(known.length === 0 ? undefined : above(Math.min(1, known.length - 1)))
      );
    default: {
      const first = low.release.findIndex((number) => number !== 0);
      const level = Math.min(first < 0 ? 2 : first, Math.max(known.length - 1, 0));
      return compare(compiler, low) >= 0 && isBelow(known.length === 0 ? undefined : above(level));
    }
  }
}
