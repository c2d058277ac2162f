import type { Pieces } from "../concurrency/turns.ts";
import { languageOfPath } from "../languages/language.ts";
import { RULES } from "../languages/rules.ts";
import { evaluateConstant } from "../languages/solidity/constantExpression.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import type { TypeDeclarations } from "../sources/sourceDeclarations.ts";
import { placeFinder } from "../text/definitionPlace.ts";

/** Where the sources say a value. */
export interface ConstantPlace {
  /** Of the constant; absent where the number stands in the code itself. */
  readonly name?: string;
  /** Source unit name. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A source that is longer is a library of data, in which every number is somewhere. */
const MAX_SOURCE_CHARACTERS = 1_000_000;
/** Constants that are made of constants, deeper than any are written. */
const MAX_DEPTH = 16;
/** Units of numbers (docs.soliditylang.org, "Units and Globally Available Variables"). */
const UNITS: ReadonlyMap<string, string> = new Map([
  ["wei", "1"],
  ["gwei", "1000000000"],
  ["ether", "1000000000000000000"],
  ["seconds", "1"],
  ["minutes", "60"],
  ["hours", "3600"],
  ["days", "86400"],
  ["weeks", "604800"],
]);
const UNIT = new RegExp(`\\b(?:${[...UNITS.keys()].join("|")})\\b`, "g");
const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//g;
const NUMBER = /(?<![\w.$])(?:0[xX][\da-fA-F_]+|\d[\d_]*(?:[eE]\d+)?)(?:\s+[a-z]+)?(?![\w.$])/g;

/**
 * Where the sources say each of some values: a constant of that value, else the one place where the number itself
 * stands. A value that stands in several places has none, since which of them is meant is not known.
 *
 * @param values unsigned, of 256 bits
 */
export function* constantPlacesInPieces(
  values: ReadonlySet<bigint>,
  { sources, language }: Pick<StandardJsonInput, "sources" | "language">,
): Pieces<ReadonlyMap<bigint, ConstantPlace>> {
  const named = new Map<bigint, ConstantPlace | undefined>();
  const bare = new Map<bigint, ConstantPlace | undefined>();
  const note = (places: Map<bigint, ConstantPlace | undefined>, value: bigint, place: ConstantPlace) => {
    if (values.has(value)) places.set(value, places.has(value) ? undefined : place);
  };
  for (const [file, { content }] of Object.entries(sources)) {
    if (content.length > MAX_SOURCE_CHARACTERS) continue;
    const declarations = yield* declarationsOf(file, content, language);
    const plain = content.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, " "));
    const lineOf = placeFinder(file, plain);
    const scopes: (TypeDeclarations & { readonly name?: string })[] = declarations
      ? [declarations, ...declarations.contracts]
      : [];
    const declared: [from: number, to: number][] = [];
    for (const scope of scopes) {
      for (const { name, value } of scope.constants) {
        const at = placeOf(plain, scope, name);
        if (at === undefined) continue;
        declared.push([at, !plain.includes(";", at) ? plain.length : plain.indexOf(";", at)]);
        const number = valueOf(value, [scope, ...(declarations ? [declarations] : [])]);
        if (number !== undefined) note(named, number, { name, file, line: lineOf(at).line + 1 });
      }
    }
    yield;
    for (const match of plain.matchAll(NUMBER)) {
      const { index } = match;
      if (declared.some(([from, to]) => index >= from && index < to)) continue;
      const number = valueOf(match[0], []) ?? valueOf(match[0].replace(/\s.*/s, ""), []);
      if (number !== undefined) note(bare, number, { file, line: lineOf(index).line + 1 });
    }
    yield;
  }
  const found = new Map<bigint, ConstantPlace>();
  for (const value of values) {
    // A number that stands beside a constant of its value may be the one that is meant.
    const place = named.has(value) ? named.get(value) : bare.get(value);
    if (place) found.set(value, place);
  }
  return found;
}

function* declarationsOf(
  file: string,
  content: string,
  language: StandardJsonInput["language"],
): Pieces<
  (TypeDeclarations & { readonly contracts: readonly (TypeDeclarations & { name: string })[] }) | undefined
> {
  const { declarations } = RULES[languageOfPath(file) ?? language];
  return declarations && (yield* declarations(file, content));
}

/** Where a constant is declared: its name before its value, behind the name of its contract. */
function placeOf(
  text: string,
  { name: contract }: { readonly name?: string },
  name: string,
): number | undefined {
  const from = contract === undefined ? 0 : text.search(new RegExp(`\\b${escaped(contract)}\\b`));
  const declaration = new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])(?=\\s*(?::[^=\\n]*)?=[^=])`, "g");
  declaration.lastIndex = Math.max(0, from);
  return declaration.exec(text)?.index;
}

function escaped(name: string): string {
  return name.replaceAll("$", "\\$");
}

/** The unsigned value of an expression, or that of a text as solc writes it into a word. */
function valueOf(expression: string, scopes: readonly TypeDeclarations[], depth = 0): bigint | undefined {
  const text = /^\s*(["'])([\x20-\x7e]*)\1\s*$/.exec(expression)?.[2];
  if (text !== undefined) return text.includes("\\") ? undefined : wordOf(text);
  // A conversion changes no constant that fits.
  const inner = expression.replace(/\b(?:u?int\d*|bytes\d+|address|payable)\s*(?=\()/g, "");
  const plain = inner.replace(UNIT, (unit) => `*${UNITS.get(unit) ?? ""}`);
  return evaluateConstant(plain, (name) => {
    if (depth > MAX_DEPTH) return undefined;
    const found = scopes.flatMap(({ constants }) => constants).find((one) => one.name === name);
    return found && valueOf(found.value, scopes, depth + 1);
  });
}

function wordOf(text: string): bigint | undefined {
  const bytes = Buffer.from(text, "utf8");
  return bytes.length > 32 || bytes.length === 0
    ? undefined
    : BigInt(`0x${bytes.toString("hex").padEnd(64, "0")}`);
}
