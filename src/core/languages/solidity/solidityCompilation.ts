import { t } from "@vscode/l10n";
import { LedgerLensError } from "../../errors.ts";
import { inputFileOf } from "../../sources/inputFile.ts";
import type { InputFinding } from "../../sources/inputFinding.ts";
import type { SourceUnit } from "./solidityClosure.ts";
import { atOnce, type Pieces } from "../../concurrency/turns.ts";
import { solidityOutlineInPieces, type SolidityDefinition } from "./solidityScanner.ts";
import type { CompilerSettings, InputFile, StandardJsonInput } from "../../sources/standardJsonInput.ts";

/**
 * What the service must be asked for: everything that tells one compilation from another. The service
 * chooses its own outputs; a person who compiles an exported input wants these.
 */
const OUTPUT_SELECTION = { "*": { "*": ["abi", "evm.bytecode", "evm.deployedBytecode", "metadata"] } };

/** Standard JSON input of a set of sources, the sources in the order of their names. */
export function solidityInput(
  closure: readonly Pick<SourceUnit, "name" | "content">[],
  settings: CompilerSettings,
): StandardJsonInput {
  return {
    language: "Solidity",
    sources: Object.fromEntries(
      closure
        .map(({ name, content }) => [name, { content }] as const)
        .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
    ),
    settings: { ...settings, outputSelection: OUTPUT_SELECTION },
  };
}

/** The files of a closure for the list a person sees. */
export function inputFilesOf(closure: readonly SourceUnit[]): InputFile[] {
  return closure.map(({ name, source, bytes }) => inputFileOf(name, source, bytes));
}

/** A finding for every file whose byte-order mark is left out. */
export function byteOrderMarks(closure: readonly SourceUnit[]): InputFinding[] {
  return closure
    .filter(({ hadByteOrderMark }) => hadByteOrderMark)
    .map(({ name, path }) => ({
      code: "byte_order_mark",
      severity: "warning",
      sentence: t`${name} begins with a byte-order mark, which solc rejects; it is left out.`,
      path,
    }));
}

/**
 * Makes sure that a file defines the contract and that it can be deployed.
 *
 * @throws LedgerLensError `contract_not_found`, `abstract_contract`.
 */
export function requireConcrete(name: string, content: string, contractName: string): void {
  atOnce(requireConcreteInPieces(name, content, contractName));
}

/** The same as {@link requireConcrete}, in pieces. */
export function* requireConcreteInPieces(name: string, content: string, contractName: string): Pieces<void> {
  const { definitions } = yield* solidityOutlineInPieces(content);
  const found = definitions.find((definition) => definition.name === contractName);
  const concrete = definitions.filter(isConcrete).map((definition) => definition.name);
  const offer =
    concrete.length > 0 ? t`It has ${concrete.join(", ")}.` : t`It has no contract that can be deployed.`;
  if (!found) {
    throw new LedgerLensError("contract_not_found", t`${name} has no contract ${contractName}. ${offer}`);
  }
  if (!isConcrete(found)) {
    const article = /^[aei]/.test(found.kind) ? "an" : "a";
    throw new LedgerLensError(
      "abstract_contract",
      t`${contractName} in ${name} is ${article} ${found.kind}, which has no code of its own to verify. ${offer}`,
    );
  }
}

/** True for a file with a definition of this name, in pieces. */
export function* defines(content: string, contractName: string): Pieces<boolean> {
  return (yield* solidityOutlineInPieces(content)).definitions.some(({ name }) => name === contractName);
}

/** True for what can be deployed. */
export function isConcrete({ kind }: SolidityDefinition): boolean {
  return kind === "contract" || kind === "library";
}
