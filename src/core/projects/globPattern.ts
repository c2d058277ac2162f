/** More alternatives than any pattern of a person has. */
const MOST_ALTERNATIVES = 256;

/**
 * True when a glob covers a whole path, as the Rust crate `globset` decides by default: `*` and `?` stand for
 * slashes too, `**` between slashes for any number of folders, none included; `[a-z]`, `[!a]` and `{a,b}` are known.
 */
export function globCovers(pattern: string, path: string): boolean {
  return withoutBraces(pattern)
    .flatMap(withoutDoubleStars)
    .slice(0, MOST_ALTERNATIVES)
    .some((plain) => covers(elementsOf(plain), path));
}

/** `src/{a,b}.sol` as `src/a.sol` and `src/b.sol`. */
function withoutBraces(pattern: string): string[] {
  let expanded = [pattern];
  for (let round = 0; round < 8; round++) {
    const next = expanded.flatMap((one) => {
      const innermost = /\{([^{}]*)\}/.exec(one);
      if (!innermost) return [one];
      const [whole, inner = ""] = innermost;
      const [before, after] = [one.slice(0, innermost.index), one.slice(innermost.index + whole.length)];
      return inner.split(",").map((choice) => before + choice + after);
    });
    if (next.length === expanded.length || next.length > MOST_ALTERNATIVES) return next;
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

function elementsOf(pattern: string): Element[] {
  return (pattern.match(/\[[!^]?\]?[^\]]*\]|[^]/gu) ?? []).map((token): Element => {
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

/** Steps back to the last star alone, which is enough where a star stands for anything, and takes no longer. */
function covers(elements: readonly Element[], path: string): boolean {
  const characters = Array.from(path);
  let [at, element, star, starAt] = [0, 0, -1, 0];
  while (at < characters.length) {
    const current = elements[element];
    if (current === "any") {
      [star, starAt] = [element++, at];
    } else if (current?.matches(characters[at] ?? "")) {
      at++;
      element++;
    } else if (star >= 0) {
      element = star + 1;
      at = ++starAt;
    } else {
      return false;
    }
  }
  return elements.slice(element).every((one) => one === "any");
}
