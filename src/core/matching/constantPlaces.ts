import { eachInPieces, type Pieces } from "../concurrency/turns.ts";
import { languageOfPath } from "../languages/language.ts";
import type { SourceWriting } from "../languages/languageRules.ts";
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
/** A name that is given a value, with its type between where the language has it there. */
const ASSIGNED = /(?<![\w$])[A-Za-z_$][\w$]*(?=\s{0,200}(?::[^=\n]{0,200})?=[^=])/g;
export const SOLIDITY_WRITING: SourceWriting = {
  comment: /\/\/[^\n]*|\/\*[^]*?\*\//g,
  declarationEnd: ";",
  functionHead: /\b(?:function|modifier)\s+([A-Za-z_$][\w$]*)|\b(constructor|receive|fallback)\b/g,
  isInFunction: (behindHead) => behindHead.split("{").length > behindHead.split("}").length,
};
/** A text that fits into a word. */
const TEXT = /(["'])([\x20-\x7e]{1,32}?)\1/g;
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
    const { comment, declarationEnd } = RULES[languageOfPath(file) ?? language].writing ?? SOLIDITY_WRITING;
    const plain = content.replace(comment, (text) => text.replace(/[^\n]/g, " "));
    const placeOf = placeFinder(file, plain);
    const scopes: (TypeDeclarations & { readonly name?: string })[] = declarations
      ? [declarations, ...declarations.contracts]
      : [];
    const assigned = yield* assignmentsInPieces(plain);
    const outer = new ConstantValues(declarations?.constants ?? []);
    const declared: [from: number, to: number][] = [];
    for (const scope of scopes) {
      const from =
        scope.name === undefined ? 0 : plain.search(new RegExp(`\\b${scope.name.replaceAll("$", "\\$")}\\b`));
      const own = scope === declarations ? outer : new ConstantValues(scope.constants, outer);
      yield* eachInPieces(scope.constants, ({ name, value }) => {
        const at = assigned.get(name)?.find((one) => one >= from);
        if (at === undefined) return;
        const end = plain.indexOf(declarationEnd, at);
        declared.push([at, end === -1 ? plain.length : end]);
        // What is read of a declaration may leave out what stands between quotes.
        const number = own.of(value) ?? textBehind(plain.slice(at, end === -1 ? undefined : end));
        if (number !== undefined) note(named, number, { name, file, line: placeOf(at).line + 1 });
      });
    }
    declared.sort(([one], [other]) => one - other);
    let [next, declaredUntil] = [0, 0];
    yield* eachInPieces(plain.matchAll(NUMBER), ({ index, 0: text }) => {
      for (let range = declared[next]; range && range[0] <= index; range = declared[++next])
        declaredUntil = Math.max(declaredUntil, range[1]);
      if (index < declaredUntil) return;
      const number = outer.ofLiteral(text) ?? outer.ofLiteral(text.replace(/\s.*/s, ""));
      if (number !== undefined) note(bare, number, { file, line: placeOf(index).line + 1 });
    });
    const isDeclared = (at: number) => declared.some(([from, end]) => from <= at && at < end);
    yield* eachInPieces(plain.matchAll(TEXT), ({ index, 2: text = "" }) => {
      const word = wordOf(text);
      if (word !== undefined && values.has(word) && !isDeclared(index))
        note(bare, word, { file, line: placeOf(index).line + 1 });
    });
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

/** What is given a value, by its name: where the name stands, from the first place to the last. */
function* assignmentsInPieces(text: string): Pieces<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, number[]>();
  yield* eachInPieces(text.matchAll(ASSIGNED), ({ index, 0: name }) => {
    const places = found.get(name);
    if (places) places.push(index);
    else found.set(name, [index]);
  });
  return found;
}

/** The text of a declaration that is nothing else, as a word. */
function textBehind(declaration: string): bigint | undefined {
  const text = /=\s*(["'])([\x20-\x7e]*)\1\s*$/.exec(declaration)?.[2];
  return text === undefined || text.includes("\\") ? undefined : wordOf(text);
}

/** The values of the constants of a scope, each worked out once: a few that are made of each other have no end otherwise. */
class ConstantValues {
  readonly #written: ReadonlyMap<string, string>;
  readonly #outer: ConstantValues | undefined;
  readonly #known = new Map<string, bigint | undefined>();

  constructor(constants: TypeDeclarations["constants"], outer?: ConstantValues) {
    // Of several of a name the first counts.
    this.#written = new Map(constants.toReversed().map(({ name, value }) => [name, value]));
    this.#outer = outer;
  }

  /** The unsigned value of an expression, or that of a text as solc writes it into a word. */
  of(expression: string, depth = 0): bigint | undefined {
    const text = /^\s*(["'])([\x20-\x7e]*)\1\s*$/.exec(expression)?.[2];
    if (text !== undefined) return text.includes("\\") ? undefined : wordOf(text);
    // A conversion changes no constant that fits.
    const inner = expression.replace(/\b(?:u?int\d*|bytes\d+|address|payable)\s*(?=\()/g, "");
    return evaluateConstant(withoutUnits(inner), (name) => this.#named(name, depth));
  }

  /** The value of a number as it is written. */
  ofLiteral(number: string): bigint | undefined {
    return evaluateConstant(withoutUnits(number), () => undefined);
  }

  #named(name: string, depth: number): bigint | undefined {
    if (depth > MAX_DEPTH) return undefined;
    if (this.#known.has(name)) return this.#known.get(name);
    const written = this.#written.get(name);
    if (written === undefined) {
      const outer = this.#outer;
      return outer ? outer.#named(name, depth) : undefined;
    }
    // One that is made of itself has none.
    this.#known.set(name, undefined);
    const value = this.of(written, depth + 1);
    this.#known.set(name, value);
    return value;
  }
}

function withoutUnits(expression: string): string {
  return expression.replace(UNIT, (unit) => `*${UNITS.get(unit) ?? ""}`);
}

function wordOf(text: string): bigint | undefined {
  const bytes = Buffer.from(text, "utf8");
  return bytes.length > 32 || bytes.length === 0
    ? undefined
    : BigInt(`0x${bytes.toString("hex").padEnd(64, "0")}`);
}
