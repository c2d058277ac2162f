import { isConcrete } from "../languages/solidity/solidityCompilation.ts";
import type { SolidityDefinition } from "../languages/solidity/solidityScanner.ts";
import { languageOfPath, SOURCE_ENDINGS } from "../languages/language.ts";
import type { LanguageRules } from "../languages/languageRules.ts";
import { RULES } from "../languages/rules.ts";
import { decodedInPieces } from "../json/decodedText.ts";
import { atOnce, type Pieces } from "../concurrency/turns.ts";
import type { ContractKind } from "../sources/sourceDeclarations.ts";
import type { VyperModules } from "../languages/vyper/vyperModules.ts";

/** A contract that a file defines and that can be deployed. */
export interface DefinedContract {
  /** Absolute path of the file. */
  readonly path: string;
  readonly name: string;
}

/** A contract, interface or library that a file defines. */
export interface OutlinedContract extends DefinedContract {
  readonly kind: ContractKind;
  /** The modules of a Vyper contract that uses or initializes some. */
  readonly modules?: VyperModules;
}

/** A contract that can be deployed, and where its name stands in the text of its file. */
interface PlacedContract {
  readonly name: string;
  /** UTF-16 offset. */
  readonly start: number;
}

/** The sources of a workspace, as a glob relative to an open folder. */
export const SOURCE_GLOB = `**/*.{${SOURCE_ENDINGS.join(",")}}`;

/** Whether a path is that of a source. */
export function isSourcePath(path: string): boolean {
  return languageOfPath(path) !== undefined;
}

/** The contracts of a source file that can be deployed, in the order of the file. */
export function contractsIn(path: string, bytes: Uint8Array): DefinedContract[] {
  return atOnce(outlineInPieces(path, bytes))
    .filter(isConcreteContract)
    .map(({ name }) => ({ path, name }));
}

/** The contracts of a source that can be deployed, each with the place of its name: UTF-16 offset into the text. */
export function* placedContractsInPieces(path: string, text: string): Pieces<PlacedContract[]> {
  return (yield* definitionsIn(path, text)).filter(isConcrete);
}

/** Everything contract-like that a source file defines, in the order of the file. */
export function* outlineInPieces(path: string, bytes: Uint8Array): Pieces<OutlinedContract[]> {
  const text = yield* decodedInPieces(bytes);
  const modules = rulesOfPath(path)?.modules?.(path, text);
  const needed = modules && modules.uses.length + modules.initializes.length > 0 ? { modules } : {};
  return (yield* definitionsIn(path, text)).map(({ kind, name }) => ({
    path,
    kind,
    name: copyOf(name),
    ...needed,
  }));
}

/** The rules of the language of a path; `undefined` for one that is no source's. */
export function rulesOfPath(path: string): LanguageRules | undefined {
  const language = languageOfPath(path);
  return language && RULES[language];
}

function* definitionsIn(path: string, text: string): Pieces<readonly SolidityDefinition[]> {
  const rules = rulesOfPath(path);
  return rules ? yield* rules.definitions(path, text) : [];
}

/** Whether a contract can be deployed. */
export function isConcreteContract({ kind, name }: OutlinedContract): boolean {
  return isConcrete({ kind, name, start: 0 });
}

/** A string of its own: a part of a text would keep the whole text in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
