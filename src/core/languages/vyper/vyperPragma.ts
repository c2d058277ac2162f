import { shortVersion } from "../../versions.ts";
import { scanVyper } from "./vyperScanner.ts";

/** A version of a Python package, as far as compilers have such: `0.4.1rc3` has `pre` `["rc", 3]`. */
interface Version {
  readonly release: readonly number[];
  readonly pre?: readonly [stage: "a" | "b" | "rc", number: number];
}

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
  const compiler = parseVersion(shortVersion(version));
  const first = parseVersion(FIRST_PYTHON_READER);
  if (!compiler || !first) return false;
  return compare(compiler, first) >= 0
    ? matchesPython(compiler, expression)
    : matchesNpm(compiler, expression);
}

/** Whether every pragma of some sources allows a short version. */
export function vyperAllowedBy(contents: readonly string[]): (version: string) => boolean {
  const values = contents.flatMap((content) => scanVyper(content).versionPragmas.map(({ value }) => value));
  return (version) => values.every((value) => satisfiesVyper(version, value));
}

/**
 * True when a specifier of PEP 440, with Vyper's two rewritings, allows a compiler: what configurations of Python's
 * tools hold.
 *
 * @param version A release, `0.4.3` or longer.
 */
export function satisfiesSpecifier(version: string, specifier: string): boolean {
  const compiler = parseVersion(shortVersion(version));
  return compiler !== undefined && matchesPython(compiler, specifier);
}

/** The order of two releases, each `0.4.3` or longer: negative when the first is older. */
export function compareVyperVersions(a: string, b: string): number {
  const [first, second] = [a, b].map((version) => parseVersion(shortVersion(version)));
  return first && second ? compare(first, second) : 0;
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
      return text.toLowerCase() === compiler.release.join(".") + (compiler.pre ?? []).join("");
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

/** A bound of npm's kind. */
interface Bound {
  readonly operator: "=" | ">" | ">=" | "<" | "<=";
  readonly target: Version;
  /** A prerelease of any numbers is measured against it. */
  readonly forEveryPrerelease?: boolean;
}

/**
 * npm's ranges as the Python package semantic-version reads them (`NpmSpec`): one space between conditions, none behind
 * an operator, a `v` before everything only, and one part that can't be read spoils the whole.
 */
function matchesNpm(compiler: Version, expression: string): boolean {
  const strict = expression
    .trim()
    .replace(/(?<=\d)a(?=\d)/g, "-alpha.")
    .replace(/(?<=\d)b(?=\d)/g, "-beta.")
    .replace(/(?<=\d)rc(?=\d)/g, "-rc.");
  if (strict === "") return false;
  const alternatives = strict.split("||").map((text) => boundsOf(text.trim()));
  return (
    alternatives.every((bounds) => bounds !== undefined) &&
    alternatives.some((bounds) => bounds.some((all) => all.every((bound) => holds(compiler, bound))))
  );
}

/** What one alternative comes to: one of the sets of bounds must hold. */
function boundsOf(text: string): readonly (readonly Bound[])[] | undefined {
  const [low, high, ...more] = (text === "" ? ">=0.0.0" : text).split(" - ");
  const isRange = low !== undefined && high !== undefined;
  if (more.length > 0) return undefined;
  const blocks = isRange ? [`>=${low}`, `<=${high}`] : (low ?? "").split(" ");
  const read = blocks.map(boundsOfBlock);
  if (!read.every((bounds) => bounds !== undefined)) return undefined;
  const bounds = read.flat();
  // A bound that names a prerelease counts for the prereleases of its patch, and without it for releases.
  const releases = bounds.map(({ operator, target }) => ({ operator, target: { release: target.release } }));
  const named = bounds.filter(({ target }) => target.pre);
  if (named.length === 0) return [releases];
  const prereleases = named.flatMap((bound): Bound[] => {
    const [major = 0, minor = 0, patch = 0] = bound.target.release;
    if (bound.operator === "=") return [bound];
    const around: Bound = bound.operator.startsWith(">")
      ? { operator: "<", target: { release: [major, minor, patch + 1] }, forEveryPrerelease: true }
      : { operator: ">=", target: { release: [major, minor, 0] }, forEveryPrerelease: true };
    return [around, bound];
  });
  return [prereleases, releases];
}

const NPM_NUMBER = "(x|X|\\*|0|[1-9]\\d*)";
const NPM_BLOCK = new RegExp(
  `^v?(<=|>=|[<>=^~]|)${NPM_NUMBER}(?:\\.${NPM_NUMBER}(?:\\.${NPM_NUMBER})?)?(?:-([\\w.-]*))?(?:\\+[\\w.-]*)?$`,
);

function boundsOfBlock(block: string): readonly Bound[] | undefined {
  const found = NPM_BLOCK.exec(block);
  if (!found) return undefined;
  const [, operator = "", major, minor, patch, prerelease] = found;
  const parts = [major, minor, patch].filter((part) => part !== undefined);
  const wild = parts.findIndex((part) => /^[xX*]$/.test(part));
  const numbers = (wild < 0 ? parts : parts.slice(0, wild)).map(Number);
  if (prerelease !== undefined && numbers.length < 3) return undefined;
  const pre = prerelease === undefined ? undefined : parseVersion(`0-${prerelease}`)?.pre;
  const release = [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];
  const target: Version = { release, ...(pre && { pre }) };
  const from: Bound = { operator: ">=", target };
  const last = numbers.length - 1;
  if (last < 0) return ["", "=", ">="].includes(operator) ? [from] : undefined;
  /** The first version above everything that the numbers up to a level stand for. */
  const above = (level: number): Version => ({
    release: release.map((number, at) => (at < level ? number : at === level ? number + 1 : 0)),
  });
  const below = (level: number): Bound => ({ operator: "<", target: above(level) });
  switch (operator) {
    case "":
    case "=":
      return last === 2 ? [{ operator: "=", target }] : [from, below(last)];
    case ">=":
      return [from];
    case ">":
      return [last === 2 ? { operator: ">", target } : { operator: ">=", target: above(last) }];
    case "<":
      return [{ operator: "<", target }];
    case "<=":
      return [last === 2 ? { operator: "<=", target } : below(last)];
    case "~":
      return [from, below(Math.min(1, last))];
    default: {
      const first = release.findIndex((number) => number !== 0);
      return [from, below(first < 0 ? last : first)];
    }
  }
}

function holds(compiler: Version, { operator, target, forEveryPrerelease = false }: Bound): boolean {
  const isOtherPatch = compare({ release: compiler.release }, { release: target.release }) !== 0;
  if (compiler.pre && isOtherPatch && !forEveryPrerelease) return false;
  const difference = compare(compiler, target);
  switch (operator) {
    case "=":
      return difference === 0;
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
  }
}
