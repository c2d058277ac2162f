import * as vscode from "vscode";
import { WorkspaceIndex } from "../core/workspace/workspaceIndex.ts";
import { workspaceFiles, workspaceFolders } from "./workspaceFiles.ts";

/** What may change what the workspace knows of contracts. */
const WATCHED = "**/*.{sol,vy,vyi,json,toml,txt}";

/**
 * What the open workspace knows of contracts, kept up to date as files change. Nothing is read and nothing is watched
 * before somebody asks.
 */
export class WorkspaceKnowledge implements vscode.Disposable {
  #index: WorkspaceIndex | undefined;
  #disposables: readonly { dispose(): unknown }[] = [];

  get index(): WorkspaceIndex {
    if (this.#index) return this.#index;
    const index = new WorkspaceIndex({
      files: workspaceFiles,
      finder: {
        async find(include, exclude) {
          const found = await vscode.workspace.findFiles(include, exclude);
          return found.map(({ path }) => path);
        },
      },
      folders: workspaceFolders,
    });
    const watcher = vscode.workspace.createFileSystemWatcher(WATCHED);
    const changed = ({ path }: vscode.Uri) => index.invalidate(path);
    this.#disposables = [
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.dispose()),
    ];
    this.#index = index;
    return index;
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
    this.#disposables = [];
    this.#index = undefined;
  }
}
