import type { CodeLanguage } from "../evm/auxdata.ts";

/** A language, as far as nothing has to be loaded to know it: this is read when the extension is activated. */
export interface Language {
  /** The endings of the files that may hold a contract, without a dot. */
  readonly endings: readonly string[];
  /** Those of sources that only others import. */
  readonly otherEndings?: readonly string[];
  /** The endings of what an input in this language may hold besides. */
  readonly alsoTakes?: readonly string[];
  /** Files that configure the language itself, by name; tools have their own. */
  readonly configurations?: readonly string[];
  /** Its ids in the editor, as the extensions for it declare them. */
  readonly editorIds: readonly string[];
  /** Its compiler, as people call it. */
  readonly compiler: string;
  /** The language whose compiler makes its code, as codes and metadata name it; missing where none of these does. */
  readonly madeAs?: CodeLanguage;
  /** Its compiler writes metadata for a contract that tells compiler, settings and sources, and whose hash the code has. */
  readonly hasMetadata?: boolean;
  /** The list of releases that its compilers are on; missing where there is none. */
  readonly releaseList?: "solc" | "vyper";
  /** The hash of its sources and settings stands in the creation code alone. */
  readonly hasHashInCreationCode?: boolean;
  /** Data of the deployment may stand behind its deployed code. */
  readonly hasDataBehindCode?: boolean;
  /** What its optimizer is set to: one of these, instead of on or off and a number of runs. */
  readonly optimizerModes?: readonly string[];
  /** A contract may have any text for its name, not an identifier alone. */
  readonly hasFreeNames?: boolean;
  /** The fields of its standard JSON input besides those that all languages have. */
  readonly inputFields?: readonly string[];
  /** The names of files to which its compiler writes a contract's input, where it is told to. */
  readonly bundlesOf?: (contractName: string) => readonly string[];
}
