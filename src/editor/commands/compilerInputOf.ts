import * as vscode from "vscode";
import { contractInput } from "../../core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../core/compilerInput/contractReference.ts";
import type { CompilerInput, CompilerSettings } from "../../core/compilerInput/standardJsonInput.ts";
import type { FolderEntry, FolderReader } from "../../core/projects/folderReader.ts";
import { settings } from "../settings.ts";
import { uriOf, workspaceFiles, workspaceFolders } from "../workspaceFiles.ts";

/** What a person or a caller fixed. */
export interface CompilerChoice {
  readonly compilerVersion?: string | undefined;
  readonly settings?: CompilerSettings | undefined;
  /** What to do with a build that is older than the files; it is used, and the files are named, unless said. */
  readonly staleBuild?: "use" | "refuse" | undefined;
}

/** The compiler input of a contract of the open folders, and the file it is in. */
export async function compilerInputOf(
  contract: string,
  choice: CompilerChoice = {},
): Promise<CompilerInput & { readonly path: string; readonly contractName: string }> {
  const found = await findWorkspaceContract(workspaceFiles, workspaceFolders(), contract);
  const input = await contractInput(workspaceFolderReader, workspaceFolders(), found, {
    defaultSettings: settings.compilerSettings(uriOf(found.path)),
    settings: choice.settings,
    compilerVersion: choice.compilerVersion,
    staleBuild: choice.staleBuild,
  });
  return { ...input, path: found.path, contractName: found.contractName };
}

/** The open folders with what is in each of them. */
export const workspaceFolderReader: FolderReader = {
  ...workspaceFiles,
  async list(path) {
    let entries: [string, vscode.FileType][];
    try {
      entries = await vscode.workspace.fs.readDirectory(uriOf(path));
    } catch (error) {
      if (error instanceof vscode.FileSystemError) return undefined;
      throw error;
    }
    return entries.flatMap(([name, type]): FolderEntry[] => {
      const link = (type & vscode.FileType.SymbolicLink) !== 0;
      if (type & vscode.FileType.Directory) return [{ name, kind: "folder", link }];
      return type & vscode.FileType.File ? [{ name, kind: "file", link }] : [];
    });
  },
};
