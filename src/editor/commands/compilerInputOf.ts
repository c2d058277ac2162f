import { findWorkspaceContract } from "../../core/compilerInput/contractReference.ts";
import { plainFolderInput } from "../../core/compilerInput/plainFolder.ts";
import type { CompilerInput, CompilerSettings } from "../../core/compilerInput/standardJsonInput.ts";
import { settings } from "../settings.ts";
import { uriOf, workspaceFiles, workspaceFolders } from "../workspaceFiles.ts";

/** What a person or a caller fixed. */
export interface CompilerChoice {
  readonly compilerVersion?: string | undefined;
  readonly settings?: CompilerSettings | undefined;
}

/** The compiler input of a contract of the open folders, and the file it is in. */
export async function compilerInputOf(
  contract: string,
  choice: CompilerChoice = {},
): Promise<CompilerInput & { readonly path: string; readonly contractName: string }> {
  const found = await findWorkspaceContract(workspaceFiles, workspaceFolders(), contract);
  const input = await plainFolderInput(workspaceFiles, workspaceFolders(), found, {
    settings: { ...settings.compilerSettings(uriOf(found.path)), ...choice.settings },
    ...(choice.compilerVersion && { compilerVersion: choice.compilerVersion }),
  });
  return { ...input, path: found.path, contractName: found.contractName };
}
