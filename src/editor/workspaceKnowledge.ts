import * as vscode from "vscode";
import { projectDeployments } from "../core/projects/projectDeployments.ts";
import { findProject } from "../core/projects/project.ts";
import { workspaceDeployments, type FoundDeployment } from "../core/projects/workspaceDeployments.ts";
import { WorkspaceIndex } from "../core/workspace/workspaceIndex.ts";
import { workspaceFiles, workspaceFolderReader, workspaceFolders } from "./workspaceFiles.ts";

/** What may change what the workspace knows of contracts and of their deployments. */
const WATCHED = "**/*.{sol,vy,vyi,yul,fe,json,jsonl,toml,txt,yaml,db}";
/** The records of deployments among them. */
const RECORDS = /\/(?:broadcast|deployments|\.build)\/|\/\.deployments\.db$/;
/** A tool writes its records in one go. */
const SETTLE_MS = 500;

/**
 * What the open workspace knows of contracts and deployments, kept up to date as files change. Nothing is read and
 * nothing is watched before somebody asks.
 */
export class WorkspaceKnowledge implements vscode.Disposable {
  #index: WorkspaceIndex | undefined;
  #deployments: Promise<readonly FoundDeployment[]> | undefined;
  #settling: NodeJS.Timeout | undefined;
  #disposables: readonly { dispose(): unknown }[] = [];
  readonly #changed = new vscode.EventEmitter<void>();

  /** Fires after records of deployments changed on disk, and after contracts came or went. */
  readonly onChanged = this.#changed.event;

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
    const changed = ({ path }: vscode.Uri) => {
      index.invalidate(path);
      this.#deployments = undefined;
      if (RECORDS.test(path)) this.#settle();
    };
    const cameOrWent = (uri: vscode.Uri) => {
      changed(uri);
      this.#settle();
    };
    this.#disposables = [
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(cameOrWent),
      watcher.onDidDelete(cameOrWent),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#forget();
        this.#changed.fire();
      }),
    ];
    this.#index = index;
    return index;
  }

  /** What the projects' records say was deployed; records that can't be read offer nothing. */
  deployments(): Promise<readonly FoundDeployment[]> {
    const { index } = this;
    this.#deployments ??= index
      .contracts()
      .then((contracts) => workspaceDeployments(workspaceFolderReader, workspaceFolders(), contracts))
      .catch(() => []);
    return this.#deployments;
  }

  /** Whether the project of a file has any record of a deployment; only its records are read for that. */
  async hasDeployments(folder: string, path: string): Promise<boolean> {
    const project = await findProject(workspaceFolderReader, folder, path);
    return (await projectDeployments(workspaceFolderReader, project).catch(() => [])).length > 0;
  }

  dispose(): void {
    this.#forget();
    this.#changed.dispose();
  }

  #settle(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#changed.fire(), SETTLE_MS);
  }

  #forget(): void {
    clearTimeout(this.#settling);
    for (const disposable of this.#disposables) disposable.dispose();
    this.#disposables = [];
    this.#index = undefined;
    this.#deployments = undefined;
  }
}
