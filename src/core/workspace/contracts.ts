import { isConcrete } from "../compilerInput/plainFolder.ts";
import { scanSolidity } from "../compilerInput/solidityScanner.ts";

/** A contract that a file defines and that can be deployed. */
export interface DefinedContract {
  /** Absolute path of the file. */
  readonly path: string;
  readonly name: string;
}

/** Folders that hold other people's code or what tools made. */
export const IGNORED_FOLDERS: readonly string[] = [
  "node_modules",
  "lib",
  "out",
  "artifacts",
  "cache",
  "broadcast",
  "build",
  "dist",
  ".deps",
  ".git",
];

/** The contracts of a Solidity file in the order of the file. */
export function contractsIn(path: string, bytes: Uint8Array): DefinedContract[] {
  const { definitions } = scanSolidity(new TextDecoder().decode(bytes));
  return definitions.filter(isConcrete).map(({ name }) => ({ path, name }));
}
