import type { Pieces } from "../concurrency/turns.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import type { CompilerInput, CompilerSettings, StandardJsonInput } from "../sources/standardJsonInput.ts";
import type { SourceDeclarations } from "../sources/sourceDeclarations.ts";
import type { CodeRules } from "./codeRules.ts";
import type { CompilerLists } from "./compilerLists.ts";
import type { CompilationContext } from "./compilationContext.ts";
import type { Known } from "./knownSettings.ts";
import type { FindRevertStatement } from "./reverted.ts";
import type { SettingsShape } from "./settingsShape.ts";
import type { SolidityDefinition } from "./solidity/solidityScanner.ts";
import type { VyperModules } from "./vyper/vyperModules.ts";

/** What is known of where a source is, for a finding about it. */
export type PathOf = (name: string) => { readonly path?: string };

/**
 * Where a code carries the hash of its sources and settings. Without one, a match is the most that a verification
 * can come to; Vyper writes it into the creation code alone, so that an exact match needs the creation transaction
 * (argotorg/sourcify, packages/lib-sourcify/src/Verification/Verification.ts, `auxdataLacksMetadataOrIntegrityHash`).
 */
export type MetadataHashPlace = "runtime code" | "creation code" | "none";

/** How files of a language are written, as far as a place in one is told by it. */
export interface SourceWriting {
  /** With the flag `g`, as {@link functionHead}. */
  readonly comment: RegExp;
  readonly declarationEnd: string;
  /** Where a function begins; its first group is the name, or else the second. */
  readonly functionHead: RegExp;
  /** Whether what stands behind the head of a function is all of it. */
  readonly isInFunction: (behindHead: string) => boolean;
}

/** How the sources of a language are read and compiled, and what its code tells. */
export interface LanguageRules {
  /** Everything contract-like that a file defines, in the order of the file. */
  readonly definitions: (path: string, text: string) => Pieces<readonly SolidityDefinition[]>;
  /** The modules that a file uses and initializes, where that decides whether it can be deployed. */
  readonly modules?: (path: string, text: string) => VyperModules | undefined;
  /** What a file declares that can be called, and its imports; missing where that is not read. */
  readonly declarations?: (path: string, text: string) => Pieces<SourceDeclarations>;
  /** How a file is written around what it declares; Solidity's comments and semicolons unless said. */
  readonly writing?: SourceWriting;
  /** The paths that an import may mean, in the form of Solidity's; its own unless said. */
  readonly importedPaths?: (written: string) => readonly string[];
  /**
   * The full form of a version of its compiler, as the service has it.
   *
   * @param releases Known releases; what ships unless said.
   * @throws LedgerLensError `invalid_compiler_version`
   */
  readonly completeVersion: (version: string, releases?: Partial<CompilerLists>) => string;
  /** The releases of its compiler that ship, full form, oldest first, none of them a prerelease. */
  readonly releases?: readonly string[];
  /** Whether the pragmas of all sources allow a compiler's short version; any is allowed unless said. */
  readonly allowedBy?: (contents: readonly string[]) => (version: string) => boolean;
  /**
   * The releases, in words, that made a code without auxdata in the place of one that leaves it behind every runtime code;
   * `undefined` where this one, short or full, may leave none.
   */
  readonly releasesWithoutMetadata?: (compilerVersion: string) => string | undefined;
  /** What its compiler does by itself; taken for solc's unless said. */
  readonly code?: CodeRules;
  /** Where a code carries its metadata hash, by the settings and the version, short or full; nowhere unless said. */
  readonly metadataHashPlace?: (settings: CompilerSettings, compilerVersion: string) => MetadataHashPlace;
  /** Solc's `debug.revertStrings` and `optimizer.details`, which hardly show in a code, are settings of it. */
  readonly hasHiddenSettings?: boolean;
  /**
   * That a contract may not be reproducible, and why, a sentence; `undefined` where every run of its compiler makes the
   * same code.
   *
   * @param sources all that are compiled together
   */
  readonly chanceInWords?: (sources: Iterable<string>, compilerVersion: string) => string | undefined;
  /** Finds the statement that reverted a call; missing where that is not looked for. */
  readonly revertStatement?: FindRevertStatement;
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
