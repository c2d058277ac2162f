import { isConcrete } from "../compilerInput/solidityCompilation.ts";
import { scanSolidity } from "../compilerInput/solidityScanner.ts";
import type { ContractKind } from "./sourceDeclarations.ts";
import { isVyperContract } from "./vyperDeclarations.ts";

/** A contract that a file defines and that can be deployed. */
export interface DefinedContract {
  /** Absolute path of the file. */
  readonly path: string;
  readonly name: string;
}

/** A contract, interface or library that a file defines. */
export interface OutlinedContract extends DefinedContract {
  readonly kind: ContractKind;
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

/** The sources of a workspace, as globs relative to an open folder: what counts, and what does not. */
export const SOURCE_GLOB = "**/*.{sol,vy,vyi}";
export const NO_SOURCE_GLOB = `**/{${IGNORED_FOLDERS.join(",")}}/**`;

/** Whether a path is that of a source. */
export function isSourcePath(path: string): boolean {
  return /\.(?:sol|vyi?)$/.test(path);
}

/** The contracts of a source file that can be deployed, in the order of the file. */
export function contractsIn(path: string, bytes: Uint8Array): DefinedContract[] {
  return outlineOf(path, bytes)
    .filter(isConcreteContract)
    .map(({ name }) => ({ path, name }));
}

/** The contracts of a source that can be deployed, each with the place of its name: UTF-16 offset into the text. */
export function placedContractsIn(
  path: string,
  text: string,
): { readonly name: string; readonly start: number }[] {
  if (path.endsWith(".sol")) return scanSolidity(text).definitions.filter(isConcrete);
  return contractsIn(path, new TextEncoder().encode(text)).map(({ name }) => ({ name, start: 0 }));
}

/**
 * Everything contract-like that a source file defines, in the order of the file. Vyper has one contract a file, which is
 * named after it; a module that has nothing to call from outside counts as abstract.
 */
export function outlineOf(path: string, bytes: Uint8Array): OutlinedContract[] {
  const text = new TextDecoder().decode(bytes);
  if (!path.endsWith(".sol")) {
    const kind = path.endsWith(".vyi")
      ? "interface"
      : isVyperContract(text)
        ? "contract"
        : "abstract contract";
    return [{ path, name: stemOf(path), kind }];
  }
  return scanSolidity(text).definitions.map(({ kind, name }) => ({ path, kind, name: copyOf(name) }));
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
