import * as vscode from "vscode";
import { parentFolder } from "../core/files.ts";
import { projectDeployments } from "../core/projects/projectDeployments.ts";
import { findProject } from "../core/projects/project.ts";
import { workspaceDeployments, type FoundDeployment } from "../core/projects/workspaceDeployments.ts";
import { WorkspaceIndex } from "../core/workspace/workspaceIndex.ts";
import { workspaceFiles, workspaceFolderReader, workspaceFolders } from "./workspaceFiles.ts";

/** What may change what the workspace knows of contracts and of their deployments. */
const WATCHED = "**/*.{sol,vy,vyi,yul,fe,json,jsonl,toml,txt,yaml,db}";
/** The records of deployments among them. */
const RECORDS = /\/(?:broadcast|deployments|\.build)\/|\/\.deployments\.db$/;
/** Links in circles show the editor one file under many names. */
const MOST_FILES = 200_000;
/** A tool writes its records in one go. */
const SETTLE_MS = 500;

/**
 * What the open workspace knows of contracts and deployments, kept up to date as files change. Nothing is read and
 * nothing is watched before somebody asks.
 */
export class WorkspaceKnowledge implements vscode.Disposable {
  #index: WorkspaceIndex | undefined;
  #deployments: Promise<readonly FoundDeployment[]> | undefined;
  /** Whether the project of the files in a folder has records. */
  readonly #haveDeployments = new Map<string, Promise<boolean>>();
  #settling: NodeJS.Timeout | undefined;
  #disposables: readonly { dispose(): unknown }[] = [];
  readonly #changed = new vscode.EventEmitter<void>();

  /** Fires after records of deployments changed on disk, and after contracts came or went. */
  readonly onChanged = this.#changed.event;

  get index(): WorkspaceIndex {
    this.#watch();
    this.#index ??= new WorkspaceIndex({
      files: workspaceFiles,
      finder: {
        async find(include, exclude) {
          const found = await vscode.workspace.findFiles(include, exclude, MOST_FILES);
          return found.map(({ path }) => path);
        },
      },
      folders: workspaceFolders,
    });
    return this.#index;
  }

  /** What the projects' records say was deployed, as it was when a change on disk was last heard of. */
  deployments(): Promise<readonly FoundDeployment[]> {
    return this.#deployments ?? this.readDeployments();
  }

  /** The same, read now: word of a change may be half a second behind a tool that has just deployed. */
  readDeployments(): Promise<readonly FoundDeployment[]> {
    this.#haveDeployments.clear();
    // Records that can't be read offer nothing.
    this.#deployments = this.index
      .contracts()
      .then((contracts) => workspaceDeployments(workspaceFolderReader, workspaceFolders(), contracts))
      .catch(() => []);
    return this.#deployments;
  }

  /** Whether the project of a file has any record of a deployment; only its records are read for that. */
  hasDeployments(folder: string, path: string): Promise<boolean> {
    this.#watch();
    const place = parentFolder(path);
    const known =
      this.#haveDeployments.get(place) ??
      findProject(workspaceFolderReader, folder, path)
        .then((project) => projectDeployments(workspaceFolderReader, project))
        .then((found) => found.length > 0)
        .catch(() => false);
    this.#haveDeployments.set(place, known);
    return known;
  }

  dispose(): void {
    this.#forget();
    this.#changed.dispose();
  }

  #watch(): void {
    if (this.#disposables.length > 0) return;
    const watcher = vscode.workspace.createFileSystemWatcher(WATCHED);
    const changed = ({ path }: vscode.Uri) => {
      this.#index?.invalidate(path);
      this.#deployments = undefined;
      this.#haveDeployments.clear();
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
    this.#haveDeployments.clear();
  }
}
