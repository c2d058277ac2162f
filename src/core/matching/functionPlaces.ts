import type { Pieces } from "../concurrency/turns.ts";
import { languageOfPath } from "../languages/language.ts";
import { RULES } from "../languages/rules.ts";
import { applyRemappings, parseRemapping } from "../languages/solidity/remapping.ts";
import { SourceTypes, type SourceFileTypes } from "../languages/solidity/sourceTypes.ts";
import type { ContractDeclaration, SourceDeclarations } from "../sources/sourceDeclarations.ts";
import { ownValue } from "../json/ownValue.ts";
import { resolveImportPath } from "../sources/sourceUnitName.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import { placeFinder } from "../text/definitionPlace.ts";
import { splitIdentifier } from "../sources/contractIdentifier.ts";

/** A function, or the variable that is read by one, with where the submitted sources declare it. */
export interface FunctionPlace {
  readonly signature: string;
  /** Source unit name. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A source that is longer is a library of data. */
const MAX_SOURCE_CHARACTERS = 1_000_000;

/**
 * Where submitted sources declare the functions of a contract, by selector: eight hex digits. Of several of one selector that
 * of the most derived contract counts. What is not found, or has a type that is not, is left out.
 *
 * @param identifier of the contract: `file:Name`
 */
export function* functionPlacesInPieces(
  { sources, language, settings }: Pick<StandardJsonInput, "sources" | "language" | "settings">,
  identifier: string,
): Pieces<ReadonlyMap<string, FunctionPlace>> {
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
  const found = new Map<string, FunctionPlace>();
  const { file, name } = splitIdentifier(identifier);
  const contract = files.get(file)?.contracts.find((one) => one.name === name);
  if (!contract) return found;
  const types = new SourceTypes((path) => files.get(path));
  for (const symbol of types.linearization({ path: file, contract })) {
    yield;
    const declared = files
      .get(symbol.path)
      ?.contracts.find((one): one is ContractDeclaration => one === symbol.contract);
    const lineOf = placeFinder(symbol.path, ownValue(sources, symbol.path)?.content ?? "");
    for (const declaration of declared?.members ?? []) {
      const member = types.member(declaration, symbol);
      if (member?.kind !== "function" || !member.isImplemented) continue;
      const { signature, selector } = member;
      if (signature === undefined || selector === undefined) continue;
      const key = selector.toString(16).padStart(8, "0");
      if (!found.has(key))
        found.set(key, { signature, file: symbol.path, line: lineOf(member.start).line + 1 });
    }
  }
  return found;
}
