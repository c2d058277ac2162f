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
  let left = MAX_ALTERNATIVES;
  for (const choice of withoutBraces(pattern))
    for (const plain of withoutDoubleStars(choice)) {
      if (left-- === 0) return false;
      if (covers(elementsOf(plain), characters)) return true;
    }
  return false;
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

/** Folders in between may be none: each such place is there or is not. */
function withoutDoubleStars(pattern: string): string[] {
  const [head = "", ...rest] = pattern.replace(/\/\*\*$/, "/*").split(/(?<=^|\/)\*\*\//, 9);
  return rest.reduce<string[]>(
    (heads, part) => heads.flatMap((one) => [one + part, `${one}*/${part}`]),
    [head],
  );
}

type Element = "any" | { readonly matches: (character: string) => boolean };

/** Behind the last `]` no class can end: there a bracket is itself, and none is looked through to the end. */
function elementsOf(pattern: string): Element[] {
  const lastEnd = pattern.lastIndexOf("]");
  const classes = pattern.slice(0, lastEnd + 1).match(/\[[!^]?\]?[^\]]*\]|[^]/gu) ?? [];
  return [...classes, ...Array.from(pattern.slice(lastEnd + 1))].map((token): Element => {
    if (token === "*") return "any";
    if (token === "?") return { matches: () => true };
    if (token.length > 1 && token.startsWith("[")) return { matches: inClass(token.slice(1, -1)) };
    return { matches: (character) => character === token };
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
 * is read. A character costs a few operations on one integer, whatever the stars.
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
  const taking = new Map<string, bigint>();
  let states = withoutStars(1n, stars);
  for (const character of path) {
    let takers = taking.get(character);
    if (takers === undefined) {
      takers = bits((element) => element !== "any" && element.matches(character));
      taking.set(character, takers);
    }
    states = withoutStars(((states & takers) << 1n) | (states & stars), stars);
    if (states === 0n) return false;
  }
  return ((states >> BigInt(elements.length)) & 1n) === 1n;
}

/** The states with those behind the stars at hand, which may stand for nothing. */
function withoutStars(states: bigint, stars: bigint): bigint {
  let all = states;
  for (let at = states & stars; at !== 0n; at &= stars) {
    at <<= 1n;
    if ((all | at) === all) break;
    all |= at;
  }
  return all;
}
