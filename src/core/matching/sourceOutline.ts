import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { RULES } from "../languages/rules.ts";
import { SolidityTokenizer } from "../languages/solidity/solidityTokenizer.ts";
import { scanSolidity, type SolidityDefinition } from "../languages/solidity/solidityScanner.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { ownValue } from "../json/ownValue.ts";

/** The contracts and libraries that a submitted file defines. */
export function definitionsIn(input: StandardJsonInput, file: string): readonly SolidityDefinition[] {
  const content = ownValue(input.sources, file)?.content;
  // Elsewhere a file has one contract, whose name is not to be looked for.
  const isSearched = RULES[input.language].defines !== undefined;
  return content === undefined || !isSearched ? [] : scanSolidity(content).definitions;
}

/** Libraries among the submitted sources, as `file` and `name`. */
export function librariesIn(input: StandardJsonInput): { readonly file: string; readonly name: string }[] {
  return Object.keys(input.sources).flatMap((file) =>
    definitionsIn(input, file)
      .filter(({ kind }) => kind === "library")
      .map(({ name }) => ({ file, name })),
  );
}

/** The nearest of some names to a wanted one, by the number of letters to change; at most half of them. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: editDistance(wanted.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.max(wanted.length, best.name.length) / 2 ? best.name : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (a.charAt(i - 1) === b.charAt(j - 1) ? 0 : 1),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The types of a contract's constructor parameters as they are written; `undefined` when they can't be read. */
export function constructorParameters(input: StandardJsonInput, identifier: string): string[] | undefined {
  const tokens = tokensOf(input, identifier);
  if (!tokens) return undefined;
  let depth = 0;
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    if (token === "{") depth++;
    if (token === "}" && --depth === 0) return [];
    if (depth === 1 && token === "constructor") return readParameters(tokens);
  }
  return undefined;
}

/**
 * The literal reasons that the functions and modifiers written in a contract itself give with `require` and `revert`, as
 * they are written between their quotes. What a constructor says is not in a runtime code, and what is inherited or of a
 * library may be left out of it.
 */
export function revertReasons(input: StandardJsonInput, identifier: string): string[] {
  const tokens = tokensOf(input, identifier);
  return tokens ? reasonsAmong(tokens, { isOfContract: true }) : [];
}

/** The same of everything in a file, whatever contract it is of. */
export function allRevertReasons(content: string): string[] {
  return reasonsAmong(new SolidityTokenizer(content), { isOfContract: false });
}

/** @param isOfContract whether the tokens begin at a contract, whose functions and modifiers alone count */
function reasonsAmong(tokens: SolidityTokenizer, { isOfContract }: { isOfContract: boolean }): string[] {
  const reasons: string[] = [];
  /** For each open parenthesis whether it is that of a `require` or `revert`. */
  const calls: boolean[] = [];
  let depth = 0;
  let [before, last]: (string | undefined)[] = [];
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    if (token === "{") depth++;
    if (token === "}" && --depth === 0 && isOfContract) break;
    if (token === "(") calls.push(last === "require" || last === "revert");
    if (token === ")" && calls.pop() === true && (before === "," || before === "(")) {
      const [, reason] = /^["'](.*)["']$/s.exec(last ?? "") ?? [];
      if (reason !== undefined) reasons.push(reason);
    }
    if (isOfContract && depth === 1 && token === "constructor") skipConstructor(tokens);
    [before, last] = [last, token];
  }
  return reasons;
}

/** Reads to behind a constructor, whose arguments for bases are no blocks. */
function skipConstructor(tokens: SolidityTokenizer): void {
  for (let token = tokens.next(); token !== undefined; token = tokens.next())
    if (token === "{") {
      tokens.skipBlock();
      return;
    }
}

/** The tokens from a contract's name on; `undefined` where the file does not define it. */
function tokensOf(input: StandardJsonInput, identifier: string): SolidityTokenizer | undefined {
  const { file, name } = splitIdentifier(identifier);
  const content = ownValue(input.sources, file)?.content;
  const definition = definitionsIn(input, file).find((one) => one.name === name);
  return content === undefined || !definition
    ? undefined
    : new SolidityTokenizer(content.slice(definition.start));
}

function readParameters(tokens: SolidityTokenizer): string[] {
  const parameters: string[] = [];
  let [words, depth]: [string[], number] = [[], 0];
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    if (token === "(") {
      depth++;
      if (depth === 1) continue;
    }
    if (token === ")") depth--;
    if ((token === "," && depth === 1) || depth === 0) {
      const [type] = words;
      if (type !== undefined) parameters.push(type + (words[1] === "[" ? "[]" : ""));
      words = [];
      if (depth === 0) return parameters;
      continue;
    }
    words.push(token);
  }
  return parameters;
}
