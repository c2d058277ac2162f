import { isConcrete } from "../languages/solidity/solidityCompilation.ts";
import { feContractsIn } from "../languages/fe/feInput.ts";
import { scanSolidityInPieces, type SolidityDefinition } from "../languages/solidity/solidityScanner.ts";
import { yulObjectOf } from "../languages/yul/yulInput.ts";
import { decodedInPieces } from "../json/decodedText.ts";
import { atOnce, type Pieces } from "../concurrency/turns.ts";
import type { ContractKind } from "../sources/sourceDeclarations.ts";
import { isVyperContract } from "../languages/vyper/vyperDeclarations.ts";
import { vyperModules, type VyperModules } from "../languages/vyper/vyperModules.ts";

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
export interface PlacedContract {
  readonly name: string;
  /** UTF-16 offset. */
  readonly start: number;
}

/** The endings of sources. */
export const SOURCE_ENDINGS: readonly string[] = ["sol", "vy", "vyi", "yul", "fe"];

/** The sources of a workspace, as a glob relative to an open folder. */
export const SOURCE_GLOB = `**/*.{${SOURCE_ENDINGS.join(",")}}`;

/** Whether a path is that of a source. */
export function isSourcePath(path: string): boolean {
  return /\.(?:sol|vyi?|yul|fe)$/.test(path);
}

/** The contracts of a source file that can be deployed, in the order of the file. */
export function contractsIn(path: string, bytes: Uint8Array): DefinedContract[] {
  return outlineOf(path, bytes)
    .filter(isConcreteContract)
    .map(({ name }) => ({ path, name }));
}

/** The contracts of a source that can be deployed, each with the place of its name: UTF-16 offset into the text. */
export function placedContractsIn(path: string, text: string): PlacedContract[] {
  return atOnce(placedContractsInPieces(path, text));
}

/** The same as {@link placedContractsIn}, in pieces. */
export function* placedContractsInPieces(path: string, text: string): Pieces<PlacedContract[]> {
  return (yield* definitionsIn(path, text)).filter(isConcrete);
}

/** Everything contract-like that a source file defines, in the order of the file. */
export function outlineOf(path: string, bytes: Uint8Array): OutlinedContract[] {
  return atOnce(outlineInPieces(path, bytes));
}

/** The same as {@link outlineOf}, in pieces. */
export function* outlineInPieces(path: string, bytes: Uint8Array): Pieces<OutlinedContract[]> {
  const text = yield* decodedInPieces(bytes);
  const modules = path.endsWith(".vy") ? vyperModules(text) : undefined;
  const needed = modules && modules.uses.length + modules.initializes.length > 0 ? { modules } : {};
  return (yield* definitionsIn(path, text)).map(({ kind, name }) => ({
    path,
    kind,
    name: copyOf(name),
    ...needed,
  }));
}

/**
 * By the file's language. Vyper has one contract a file, which is named after it; a module that has nothing to call from
 * outside counts as abstract. Of a Yul file the outermost object counts.
 */
function* definitionsIn(path: string, text: string): Pieces<readonly SolidityDefinition[]> {
  switch (path.slice(path.lastIndexOf(".") + 1)) {
    case "sol":
      return (yield* scanSolidityInPieces(text)).definitions;
    case "vyi":
      return [{ kind: "interface", name: stemOf(path), start: 0 }];
    case "vy":
      return [{ kind: isVyperAlone(text) ? "contract" : "abstract contract", name: stemOf(path), start: 0 }];
    case "yul": {
      const object = yulObjectOf(text);
      return object ? [{ kind: "contract", ...object }] : [];
    }
    case "fe":
      return feContractsIn(text).map((contract) => ({ kind: "contract", ...contract }));
    default:
      return [];
  }
}

/** False for a Vyper file that nobody could deploy as it is, as far as the file itself tells. */
function isVyperAlone(text: string): boolean {
  const { uses, initializes } = vyperModules(text);
  // What it initializes besides may initialize what it uses.
  const isOpen = initializes.some((path) => !uses.includes(path));
  return isVyperContract(text) && (isOpen || uses.every((path) => initializes.includes(path)));
}

/** Whether a contract can be deployed. */
export function isConcreteContract({ kind, name }: OutlinedContract): boolean {
  return isConcrete({ kind, name, start: 0 });
}

/** A file's name without its ending. */
export function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}

/** A string of its own: a part of a text would keep the whole text in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
