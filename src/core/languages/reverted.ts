import type { DefinitionPlace } from "../text/definitionPlace.ts";

/** What a call was reverted with. */
export type RevertCause =
  /** A custom error, with the types of its arguments as the ABI has them. */
  | { readonly kind: "error"; readonly name: string; readonly types: readonly string[] }
  | { readonly kind: "reason"; readonly reason: string }
  /** Solidity's `Panic(uint256)`, by its code. */
  | { readonly kind: "panic"; readonly code: number };

/** What was called. */
export interface RevertedCall {
  /** Of the function's name. */
  readonly called: DefinitionPlace;
  /** Of the name of the contract that ran it, which may override what is called; `undefined` where it is not known. */
  readonly contract?: DefinitionPlace | undefined;
}

/** How the files of a project are read. */
export interface ProjectCode {
  /** Text of a file, `undefined` where there is none or it can't be read. */
  read(path: string): Promise<string | undefined>;
  /** The absolute path to which an import leads; `undefined` where it leads nowhere. */
  resolve(importPath: string, importer: string): Promise<string | undefined>;
}

/** The statement that reverted a call; `undefined` where it is not certain which one it was. */
export type FindRevertStatement = (
  call: RevertedCall,
  cause: RevertCause,
  reader: ProjectCode,
) => Promise<DefinitionPlace | undefined>;
