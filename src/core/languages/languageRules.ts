import type { Pieces } from "../concurrency/turns.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import type { CompilerInput, StandardJsonInput } from "../sources/standardJsonInput.ts";
import type { SourceDeclarations } from "../sources/sourceDeclarations.ts";
import type { CompilerLists } from "./compilerLists.ts";
import type { CompilationContext } from "./compilationContext.ts";
import type { Known } from "./knownSettings.ts";
import type { SettingsShape } from "./settingsShape.ts";
import type { SolidityDefinition } from "./solidity/solidityScanner.ts";
import type { VyperModules } from "./vyper/vyperModules.ts";

/** What is known of where a source is, for a finding about it. */
export type PathOf = (name: string) => { readonly path?: string };

/** How the sources of a language are read and compiled. */
export interface LanguageRules {
  /** Everything contract-like that a file defines, in the order of the file. */
  readonly definitions: (path: string, text: string) => Pieces<readonly SolidityDefinition[]>;
  /** The modules that a file uses and initializes, where that decides whether it can be deployed. */
  readonly modules?: (path: string, text: string) => VyperModules | undefined;
  /** What a file declares that can be called, and its imports; missing where that is not read. */
  readonly declarations?: (path: string, text: string) => Pieces<SourceDeclarations>;
  /** The paths that an import may mean, in the form of Solidity's; its own unless said. */
  readonly importedPaths?: (written: string) => readonly string[];
  /**
   * The full form of a version of its compiler, as the service has it.
   *
   * @param releases Known releases; what ships unless said.
   * @throws LedgerLensError `invalid_compiler_version`
   */
  readonly completeVersion: (version: string, releases?: Partial<CompilerLists>) => string;
  /** The form of its settings. */
  readonly settings: SettingsShape;
  /** The settings that its compiler is known to read, for an input with these sources. */
  readonly knownSettings: (sources: object) => Known;
  /** What is wrong with an input in this language alone. */
  readonly checks?: (input: StandardJsonInput, pathOf: PathOf) => Pieces<InputFinding[]>;
  /** The paths that a source imports as they are written, where an input can be divided by them. */
  readonly imports?: (text: string) => Pieces<string[]>;
  /** Whether a text defines a contract, where a file may define several of any name. */
  readonly defines?: (text: string, contractName: string) => Pieces<boolean>;
  /** @throws LedgerLensError `contract_not_found`, `abstract_contract` */
  readonly requireConcrete?: (sourceName: string, text: string, contractName: string) => Pieces<void>;
  /**
   * The input of a contract where no record of a build gives it. Missing for Solidity, whose input is made from metadata
   * or as the project's tools have it.
   */
  readonly ownInput?: (context: CompilationContext) => Promise<CompilerInput>;
}
