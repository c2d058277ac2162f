/** More alternatives than any pattern of a person has. */
const MAX_ALTERNATIVES = 256;
/** As long as a path can be (PATH_MAX of Linux); a longer pattern covers nothing. */
const MAX_PATTERN = 4096;

/**
 * True when a glob covers a whole path, as the Rust crate `globset` decides by default: `*` and `?` stand for
 * slashes too, `**` between slashes for any number of folders, none included; `[a-z]`, `[!a]` and `{a,b}` are known.
 */
export function globCovers(pattern: string, path: string): boolean {
  if (pattern.length > MAX_PATTERN) return false;
  const characters = Array.from(path);
  return withoutBraces(pattern).some((plain) => covers(elementsOf(plain), characters));
}

/** `src/{a,b}.sol` as `src/a.sol` and `src/b.sol`. */
function withoutBraces(pattern: string): string[] {
  let expanded = [pattern];
  for (let round = 0; round < 8; round++) {
    const next = expanded
      .flatMap((one) => {
        const innermost = /\{([^{}]*)\}/.exec(one);
        if (!innermost) return [one];
        const [whole, inner = ""] = innermost;
        const [before, after] = [one.slice(0, innermost.index), one.slice(innermost.index + whole.length)];
        return inner.split(",", MAX_ALTERNATIVES).map((choice) => before + choice + after);
      })
      .slice(0, MAX_ALTERNATIVES);
    if (next.length === expanded.length) return next;
    expanded = next;
  }
  return expanded;
}

/** `folders` says that the two elements behind it, which stand for folders in between, may be left out together. */
type Element = "any" | "folders" | { readonly matches: (character: string) => boolean };

const FOLDERS: readonly Element[] = ["folders", "any", { matches: (character) => character === "/" }];

/** Behind the last `]` no class can end: there a bracket is itself, and none is looked through to the end. */
function elementsOf(pattern: string): Element[] {
  const written = pattern.replace(/\/\*\*$/, "/*");
  const lastEnd = written.lastIndexOf("]");
  const withClasses = written.slice(0, lastEnd + 1);
  const rest = written.slice(lastEnd + 1);
  const tokens = [
    ...(withClasses.match(/(?<=^|\/)\*\*\/|\[[!^]?\]?[^\]]*\]|[^]/gu) ?? []),
    ...(rest.match(withClasses === "" ? /(?<=^|\/)\*\*\/|[^]/gu : /(?<=\/)\*\*\/|[^]/gu) ?? []),
  ];
  return tokens.flatMap((token, at): readonly Element[] => {
    // As good as one.
    if (token === "**/") return tokens[at - 1] === token ? [] : FOLDERS;
    if (token === "*") return ["any"];
    if (token === "?") return [{ matches: () => true }];
    if (token.length > 1 && token.startsWith("[")) return [{ matches: inClass(token.slice(1, -1)) }];
    return [{ matches: (character) => character === token }];
  });
}

function inClass(written: string): (character: string) => boolean {
  const isNegated = /^[!^]/.test(written);
  const ranges = (isNegated ? written.slice(1) : written).match(/[^]-[^]|[^]/gu) ?? [];
  return (character) =>
    isNegated !==
    ranges.some((range) => {
      const [, from = "", to = ""] = /^([^])-([^])$/u.exec(range) ?? [];
      return from === "" ? character === range : from <= character && character <= to;
    });
}

/**
 * Follows all ways through the pattern at once: bit n of `states` says that the first n elements may have taken what
 * is read. A character costs a few operations on one integer, however many stars it has.
 */
function covers(elements: readonly Element[], path: readonly string[]): boolean {
  const bits = (test: (element: Element) => boolean) =>
    BigInt(
      `0b0${elements
        .map((element) => (test(element) ? "1" : "0"))
        .reverse()
        .join("")}`,
    );
  const stars = bits((element) => element === "any");
  const folders = bits((element) => element === "folders");
  const taking = new Map<string, bigint>();
  let states = withSkipped(1n, stars, folders);
  for (const character of path) {
    let takers = taking.get(character);
    if (takers === undefined) {
      takers = bits((element) => typeof element === "object" && element.matches(character));
      taking.set(character, takers);
    }
    states = withSkipped(((states & takers) << 1n) | (states & stars), stars, folders);
    if (states === 0n) return false;
  }
  return ((states >> BigInt(elements.length)) & 1n) === 1n;
}

/** The states with those behind the stars and the folders at hand, which may stand for nothing. */
function withSkipped(states: bigint, stars: bigint, folders: bigint): bigint {
  const skippable = stars | folders;
  let all = states;
  for (let at = states & skippable; at !== 0n; at &= skippable) {
    const next = (at << 1n) | ((at & folders) << BigInt(FOLDERS.length));
    at = next & ~all;
    all |= next;
  }
  return all;
}
