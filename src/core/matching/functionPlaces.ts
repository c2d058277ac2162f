import type { Pieces } from "../concurrency/turns.ts";
import { languageOfPath } from "../languages/language.ts";
import { RULES } from "../languages/rules.ts";
import { applyRemappings, parseRemapping } from "../languages/solidity/remapping.ts";
import { SourceTypes, type ContractSymbol, type SourceFileTypes } from "../languages/solidity/sourceTypes.ts";
import type { ContractDeclaration, SourceDeclarations } from "../sources/sourceDeclarations.ts";
import { ownValue } from "../json/ownValue.ts";
import { resolveImportPath } from "../sources/sourceUnitName.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { placeFinder } from "../text/definitionPlace.ts";
import { splitIdentifier } from "../sources/contractIdentifier.ts";
import { SOLIDITY_WRITING } from "./constantPlaces.ts";

/** A function, or the variable that is read by one, with where the submitted sources declare it. */
export interface FunctionPlace {
  readonly signature: string;
  /** Source unit name. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Texts, Vyper's descriptions among them. */
const QUOTED = /"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
/** A source that is longer is a library of data. */
const MAX_SOURCE_CHARACTERS = 1_000_000;

/** A function of submitted sources by its name alone, such as an internal one. */
export interface NamedPlace {
  readonly name: string;
  /** Source unit name. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** What is read of submitted sources of the functions of a contract. */
interface ReadSources {
  readonly files: ReadonlyMap<string, SourceDeclarations & SourceFileTypes>;
  readonly types: SourceTypes;
  /** The contract and all that it inherits from, most derived first; empty where it is not there. */
  readonly contracts: readonly ContractSymbol[];
}

type Submitted = Pick<StandardJsonInput, "sources" | "language" | "settings">;

function* readSources({ sources, language, settings }: Submitted, identifier: string): Pieces<ReadSources> {
  const remappings = (settings.remappings ?? []).flatMap((text) => parseRemapping(text) ?? []);
  const files = new Map<string, SourceDeclarations & SourceFileTypes>();
  for (const [file, { content }] of Object.entries(sources)) {
    const { declarations } = RULES[languageOfPath(file) ?? language];
    if (!declarations || content.length > MAX_SOURCE_CHARACTERS) continue;
    const read = yield* declarations(file, content);
    const imports = read.imports.map((one) => ({
      ...one,
      file: applyRemappings(remappings, resolveImportPath(one.path, file), file),
    }));
    files.set(file, { ...read, imports });
  }
  const types = new SourceTypes((path) => files.get(path));
  const { file, name } = splitIdentifier(identifier);
  const contract = files.get(file)?.contracts.find((one) => one.name === name);
  return { files, types, contracts: contract ? types.linearization({ path: file, contract }) : [] };
}

/**
 * Where submitted sources declare the functions of a contract, by selector: eight hex digits. Of several of one selector that
 * of the most derived contract counts; one that the contract only hands on, as a Vyper contract does those of its modules, is
 * where it is declared as long as that is one place. What is not found, or has a type that is not, is left out.
 *
 * @param identifier of the contract: `file:Name`
 */
export function* functionPlacesInPieces(
  submitted: Submitted,
  identifier: string,
): Pieces<ReadonlyMap<string, FunctionPlace>> {
  const read = yield* readSources(submitted, identifier);
  const found = yield* ownPlaces(read, submitted);
  const { files, types, contracts } = read;
  if (contracts.length === 0) return found;
  const own = new Set(contracts.map(({ contract }) => contract));
  const others = new Map<string, FunctionPlace | undefined>();
  for (const [path, { contracts: declared }] of files) {
    yield;
    for (const contract of declared) {
      if (own.has(contract) || contract.kind !== "contract") continue;
      for (const [selector, place] of declaredFunctions({ path, contract }, { files, types }, submitted))
        others.set(selector, others.has(selector) ? undefined : place);
    }
  }
  for (const [selector, place] of others) if (place && !found.has(selector)) found.set(selector, place);
  return found;
}

/**
 * Where a contract, or what it inherits from, declares some functions in submitted sources, by selector: eight hex digits.
 * The compiled code may not ask for each: where a function does what the code does for any unknown one, the optimizer leaves
 * the question out.
 *
 * @param selectors eight hex digits each
 * @param identifier of the contract: `file:Name`
 */
export function* ownFunctionPlacesInPieces(
  selectors: readonly string[],
  submitted: Submitted,
  identifier: string,
): Pieces<ReadonlyMap<string, FunctionPlace>> {
  if (selectors.length === 0) return new Map();
  const places = yield* ownPlaces(yield* readSources(submitted, identifier), submitted);
  return new Map([...places].filter(([selector]) => selectors.includes(selector)));
}

/** The functions of a contract and of all that it inherits from, the most derived ones. */
function* ownPlaces(read: ReadSources, submitted: Submitted): Pieces<Map<string, FunctionPlace>> {
  const found = new Map<string, FunctionPlace>();
  for (const symbol of read.contracts) {
    yield;
    for (const [selector, place] of declaredFunctions(symbol, read, submitted))
      if (!found.has(selector)) found.set(selector, place);
  }
  return found;
}

function declaredFunctions(
  symbol: ContractSymbol,
  { files, types }: Pick<ReadSources, "files" | "types">,
  { sources }: Pick<Submitted, "sources">,
): (readonly [selector: string, place: FunctionPlace])[] {
  const declared = files
    .get(symbol.path)
    ?.contracts.find((one): one is ContractDeclaration => one === symbol.contract);
  const placeOf = placeFinder(symbol.path, ownValue(sources, symbol.path)?.content ?? "");
  return (declared?.members ?? []).flatMap((declaration) => {
    const member = types.member(declaration, symbol);
    if (member?.kind !== "function" || !member.isImplemented) return [];
    const { signature, selector, start } = member;
    if (signature === undefined || selector === undefined) return [];
    const place = { signature, file: symbol.path, line: placeOf(start).line + 1 };
    return [[selector.toString(16).padStart(8, "0"), place] as const];
  });
}

/**
 * The contracts that the sources create, or take the code of, each with where its functions are declared, by their selectors:
 * eight hex digits each.
 */
export function* createdContractsInPieces(
  submitted: Submitted,
): Pieces<{ readonly name: string; readonly places: ReadonlyMap<string, FunctionPlace> }[]> {
  const { files, types } = yield* readSources(submitted, "");
  const texts = Object.values(submitted.sources).map(({ content }) => content);
  const isTaken = (name: string) =>
    texts.some((text) => new RegExp(`\\b(?:new\\s+|type\\s*\\(\\s*)(?:\\w+\\.)*${name}\\b`).test(text));
  const found: { name: string; places: ReadonlyMap<string, FunctionPlace> }[] = [];
  for (const [path, { contracts }] of files) {
    for (const contract of contracts) {
      yield;
      if (contract.kind !== "contract" || !/^\w+$/.test(contract.name) || !isTaken(contract.name)) continue;
      const places = new Map<string, FunctionPlace>();
      for (const symbol of types.linearization({ path, contract }))
        for (const [selector, place] of declaredFunctions(symbol, { files, types }, submitted))
          if (!places.has(selector)) places.set(selector, place);
      found.push({ name: contract.name, places });
    }
  }
  return found;
}

/** A piece of a source that runs: a function or a modifier, with what it names. */
interface Block extends NamedPlace {
  readonly named: ReadonlySet<string>;
  /** How many contracts stand between the submitted one and that which it is in; `undefined` for one of no such contract. */
  readonly depth: number | undefined;
}

/**
 * What the calls of some functions of a contract come to in submitted sources. Names alone are followed: it is a hint, and no
 * proof.
 *
 * @param identifier of the contract: `file:Name`
 * @returns `helpers`: functions and modifiers to which all of them lead, and none of the others; `callers`: for each function
 *   of `users`, how many others of these lead to it
 */
export function* commonCallsInPieces(
  submitted: Submitted,
  identifier: string,
  users: readonly FunctionPlace[],
  others: readonly FunctionPlace[],
): Pieces<{ readonly helpers: readonly NamedPlace[]; readonly callers: ReadonlyMap<FunctionPlace, number> }> {
  const blocks = yield* blocksOf(yield* readSources(submitted, identifier), submitted);
  const byName = new Map<string, Block[]>();
  for (const block of blocks) byName.set(block.name, [...(byName.get(block.name) ?? []), block]);
  const reached = function* (places: readonly FunctionPlace[]): Pieces<Set<string>[]> {
    const all: Set<string>[] = [];
    for (const { file, line } of places) {
      yield;
      const first = blocks.find((block) => block.file === file && block.line === line);
      const names = new Set<string>();
      const open = [...(first?.named ?? [])];
      for (let name = open.pop(); name !== undefined; name = open.pop()) {
        if (names.has(name) || !byName.has(name)) continue;
        names.add(name);
        for (const block of byName.get(name) ?? []) for (const next of block.named) open.push(next);
      }
      all.push(names);
    }
    return all;
  };
  const nameOf = ({ signature }: FunctionPlace) => signature.replace(/\(.*/s, "");
  const [leading, elsewhere] = [yield* reached(users), yield* reached(others)];
  const known = new Set([...users, ...others].map(nameOf));
  const helpers = [...(leading[0] ?? [])].flatMap((name) => {
    const isCommon = leading.every((names) => names.has(name)) && !elsewhere.some((names) => names.has(name));
    const block = isCommon && !known.has(name) ? called(byName.get(name) ?? []) : undefined;
    return block ? [{ name, file: block.file, line: block.line }] : [];
  });
  const callers = new Map(
    users.map((user) => [
      user,
      leading.filter((names, at) => users[at] !== user && names.has(nameOf(user))).length,
    ]),
  );
  return { helpers, callers };
}

/** Which of several functions of a name is called: the most derived one; `undefined` where that does not tell. */
function called(namesakes: readonly Block[]): Block | undefined {
  const [first, second] = namesakes.toSorted((one, other) => (one.depth ?? 0) - (other.depth ?? 0));
  const isTold =
    second === undefined ||
    (namesakes.every(({ depth }) => depth !== undefined) && first?.depth !== second.depth);
  return isTold ? first : undefined;
}

/** The functions and modifiers of a contract, of all that it inherits from, of libraries and of files. */
function* blocksOf(
  { files, contracts }: ReadSources,
  { sources, language }: Submitted,
): Pieces<readonly Block[]> {
  const own = new Map(contracts.map(({ contract }, depth) => [contract, depth] as const));
  const blocks: Block[] = [];
  for (const [file, { contracts: declared }] of files) {
    yield;
    const { writing = SOLIDITY_WRITING, modules } = RULES[languageOfPath(file) ?? language];
    const content = ownValue(sources, file)?.content ?? "";
    const plain = content.replace(writing.comment, (text) => text.replace(/[^\n]/g, " "));
    const placeOf = placeFinder(file, plain);
    const heads = [...plain.matchAll(writing.functionHead)];
    for (const [at, head] of heads.entries()) {
      const name = head[1];
      const around = declared.findLast(({ start }) => start < head.index);
      // What another contract has is called from outside only; a module's functions are as good as one's own.
      const isReached = !around || own.has(around) || around.kind === "library" || modules !== undefined;
      if (name === undefined || !isReached) continue;
      const text = plain.slice(head.index + head[0].length, heads[at + 1]?.index).replace(QUOTED, "");
      blocks.push({
        name,
        file,
        line: placeOf(head.index + head[0].length - name.length).line + 1,
        depth: around && own.get(around),
        named: new Set(text.match(/(?<![\w$])[A-Za-z_$][\w$]*/g)),
      });
    }
  }
  return blocks;
}
