import type { FolderReader } from "../files/folderReader.ts";
import type { AdmittedSources } from "../sources/admittedSources.ts";
import type { OpenedContract } from "../sources/contractReference.ts";
import type { InputFinding } from "../sources/inputFinding.ts";
import type { CompilerSettings } from "../sources/standardJsonInput.ts";
import type { CompilerLists } from "./compilerLists.ts";
import type { ChosenCompiler } from "./compilerChoice.ts";

/** Something that asks for a version: a pragma of a file, or a configuration. */
export interface CompilerRequirement {
  /** Its name as a person knows it. */
  readonly file: string;
  /** One-based; a configuration may have none. */
  readonly line?: number | undefined;
  readonly value: string;
  /** A pragma is read by each compiler's own rules, a configuration as Python's tools do. */
  readonly by: "pragma" | "configuration";
}

/** What a project's configuration says of the compiler of a language. */
export interface LanguageConfig {
  readonly version?: CompilerRequirement | undefined;
  readonly settings: CompilerSettings;
  /** Those of them that go by the compiler's version, short or full, and go before. */
  readonly settingsFor?: (version: string) => CompilerSettings;
  readonly findings: readonly InputFinding[];
  /** Whether there is a configuration that could say settings. */
  readonly isSaid: boolean;
}

/** A folder in which absolute imports are looked up, by its name in the input. */
export interface SearchPath {
  readonly name: string;
  readonly folder: string;
}

/** How a project's tool has solc compile a file without imports. */
export interface SolcCompilation {
  /** The source unit name of the file; `undefined` where no tool gives it one. */
  readonly name?: string | undefined;
  readonly compiler: ChosenCompiler;
  /** What the tool sets for Solidity. */
  readonly settings?: CompilerSettings | undefined;
  readonly findings: readonly InputFinding[];
}

/** What a caller may fix or knows of a contract's compiler. */
export interface LanguageOptions {
  /** Short or full: goes before everything that the project says. */
  readonly compilerVersion?: string | undefined;
  /** The version in the auxdata of the deployed code. */
  readonly deployedCompilerVersion?: string | undefined;
  /** Settings for a folder that can't say any. */
  readonly defaultSettings?: CompilerSettings | undefined;
  /** Known releases of each compiler, oldest first; what ships unless said. */
  readonly releases: Partial<CompilerLists>;
}

/** What the input of a contract is made from. The project's tools are asked by the functions, where they are needed. */
export interface CompilationContext {
  readonly files: FolderReader;
  readonly sources: AdmittedSources;
  readonly contract: OpenedContract;
  /** Absolute path of the project's root. */
  readonly root: string;
  readonly options: LanguageOptions;
  /** What the project's configuration says of the language's compiler. */
  readonly configured: () => Promise<LanguageConfig>;
  /** The folders of absolute imports, lowest first. */
  readonly searchPaths: () => Promise<readonly SearchPath[]>;
  /** How the project's tool has solc compile the contract's file. */
  readonly bySolc: () => Promise<SolcCompilation>;
}
