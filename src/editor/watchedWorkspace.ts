import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { Settling } from "../core/concurrency/settling.ts";
import { isInside, parentFolder, relativePath } from "../core/files/fileReader.ts";
import { globCovers } from "../core/files/globPattern.ts";
import { collectSkipped, type SkippedFile } from "../core/files/skippedFiles.ts";
import { projectDeployments } from "../core/tools/projectDeployments.ts";
import { isToolConfiguration } from "../core/tools/tool.ts";
import { findProject } from "../core/tools/project.ts";
import { rememberingReader } from "../core/files/folderReader.ts";
import { unreadableRecords, type UnreadableRecords } from "../core/tools/unreadableRecords.ts";
import { workspaceDeployments, type FoundDeployment } from "../core/workspace/workspaceDeployments.ts";
import { DividedFinder, type FileSearch } from "../core/workspace/dividedFinder.ts";
import { WorkspaceIndex } from "../core/workspace/workspaceIndex.ts";
import { watchFolders } from "./changedFolders.ts";
import { globBelow, hidesByPath } from "../core/workspace/hiddenFiles.ts";
import { SCRIPT_GLOB, WATCHED_GLOB } from "../core/workspace/watchedFiles.ts";
import { uriOf, workspaceFolderReader, workspaceFolders } from "./workspaceFiles.ts";

/** Where it says what it could not read. */
interface Reports {
  error(said: unknown): void;
  warn(said: string): void;
}

/** A tool writes its records in one go. */
const SETTLE_MS = 500;
/** What is written all the time is looked at in between. */
const LONGEST_MS = 5_000;

/** What may change what is known, of a folder that came as a whole; nothing in the repository's own data does. */
const FILES_OF_FOLDER = { include: WATCHED_GLOB, exclude: "**/.git/**", most: 100_000 };

/** Files that can't be read, in one entry of the log. */
const MAX_LOGGED = 50;

/** What the records of deployments came to; never a rejection. */
export interface KnownDeployments {
  readonly found: readonly FoundDeployment[];
  /** What could not be read, which the log has too. */
  readonly unreadable?: UnreadableRecords | undefined;
  /** An error of ours, for which nothing was found; the log has it. */
  readonly fault?: Error;
}

/**
 * What the open workspace knows of contracts and deployments, kept up to date as files change. Nothing is read and
 * nothing is watched before something is asked for.
 */
export class WatchedWorkspace implements vscode.Disposable {
  #index: WorkspaceIndex | undefined;
  #deployments: Promise<KnownDeployments> | undefined;
  /** Whether the project of the files in a folder has records. */
  readonly #haveDeployments = new Map<string, Promise<boolean>>();
  /** Where records of deployments were looked for last. */
  #places: readonly string[] = [];
  readonly #settling = new Settling(() => this.#changed.fire(), SETTLE_MS, LONGEST_MS);
  #disposables: readonly { dispose(): unknown }[] = [];
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #log: Reports;
  /** What the log said last of records that can't be read. */
  #logged = "";

  constructor(log: Reports) {
    this.#log = log;
  }

  /** Fires after records of deployments changed on disk, and after contracts came or went. */
  readonly onChanged = this.#changed.event;

  get index(): WorkspaceIndex {
    this.#watch();
    this.#index ??= this.#newIndex();
    return this.#index;
  }

  #newIndex(): WorkspaceIndex {
    const files = { ...workspaceFolderReader };
    collectSkipped(files, undefined, ({ path, reason }) =>
      this.#log.warn(`${path} ${reason}; its contracts have no names.`),
    );
    return new WorkspaceIndex({
      files,
      finder: new DividedFinder({ search, files, folders: workspaceFolders }),
      folders: workspaceFolders,
    });
  }

  /** What the projects' records say was deployed, as it was when a change on disk was last seen. */
  deployments(): Promise<KnownDeployments> {
    return this.#deployments ?? this.readDeployments();
  }

  /** The same, read now: word of a change may be half a second behind a tool that has just deployed. */
  readDeployments(): Promise<KnownDeployments> {
    this.#haveDeployments.clear();
    this.#deployments = this.#readDeployments();
    return this.#deployments;
  }

  async #readDeployments(): Promise<KnownDeployments> {
    const folders = workspaceFolders();
    try {
      const contracts = await this.index.contracts();
      const { found, skipped, places } = await workspaceDeployments(
        workspaceFolderReader,
        folders,
        contracts,
      );
      this.#places = places;
      this.#logSkipped(skipped);
      return { found, unreadable: unreadableRecords(skipped, folders) };
    } catch (error) {
      const fault = error instanceof Error ? error : new Error(String(error));
      this.#log.error("The records of deployments could not be read.");
      this.#log.error(fault);
      return { found: [], fault };
    }
  }

  /** The same is said once, however often it is read. */
  #logSkipped(skipped: readonly SkippedFile[]): void {
    const named = skipped.slice(0, MAX_LOGGED).map(({ path, reason }) => `${path} ${reason}`);
    const rest = skipped.length - named.length;
    const said = [...named, ...(rest > 0 ? [t`and ${rest.toLocaleString("en-US")} more`] : [])].join("; ");
    if (said !== "" && said !== this.#logged) this.#log.warn(`Deployments are looked for without: ${said}.`);
    this.#logged = said;
  }

  /** Whether the project of a file has any record of a deployment; only its records are read for that. */
  hasDeployments(folder: string, path: string): Promise<boolean> {
    this.#watch();
    const place = parentFolder(path);
    const known = this.#haveDeployments.get(place) ?? this.#lookForDeployments(folder, path);
    this.#haveDeployments.set(place, known);
    return known;
  }

  async #lookForDeployments(folder: string, path: string): Promise<boolean> {
    // What can't be read is skipped by this reader; the reader of the records themselves says so.
    const files = rememberingReader(workspaceFolderReader);
    try {
      const project = await findProject(files, folder, path);
      return (await projectDeployments(files, project, workspaceFolders())).length > 0;
    } catch (fault) {
      this.#log.error(`The records of deployments of ${path} could not be looked for.`);
      this.#log.error(fault);
      return false;
    }
  }

  dispose(): void {
    this.#forget();
    this.#changed.dispose();
  }

  #watch(): void {
    if (this.#disposables.length > 0) return;
    const watcher = vscode.workspace.createFileSystemWatcher(WATCHED_GLOB);
    const scripts = vscode.workspace.createFileSystemWatcher(SCRIPT_GLOB);
    const changed = ({ path }: Pick<vscode.Uri, "path">) => {
      const isConfiguration = this.#index?.isConfiguredBy(path) ?? isToolConfiguration(path);
      this.#index?.invalidate(path);
      this.#deployments = undefined;
      this.#haveDeployments.clear();
      // Where records are is said by configurations.
      if (isConfiguration || this.#places.some((place) => isInside(path, place))) this.#settling.hear();
    };
    const cameOrWent = (uri: Pick<vscode.Uri, "path">) => {
      changed(uri);
      this.#settling.hear();
    };
    // A build writes many of them, which must cost nothing.
    const changedScript = (uri: vscode.Uri) => {
      if (!this.#index) this.#haveDeployments.clear();
      else if (this.#index.isConfiguredBy(uri.path)) changed(uri);
    };
    const movedFolder = (folder: string) => {
      const hadRecords = this.#places.some((place) => isInside(place, folder) || isInside(folder, place));
      if (this.#index?.invalidateFolder(folder) !== true && !hadRecords) return;
      this.#deployments = undefined;
      this.#haveDeployments.clear();
      this.#settling.hear();
    };
    const folders = watchFolders({
      came: async (folder) => {
        movedFolder(folder);
        for (const path of await search({ ...FILES_OF_FOLDER, below: folder })) cameOrWent({ path });
      },
      went: movedFolder,
      changed: (path) => {
        if (globCovers(WATCHED_GLOB, path) || this.#index?.isConfiguredBy(path)) cameOrWent({ path });
      },
    });
    this.#disposables = [
      folders,
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(cameOrWent),
      watcher.onDidDelete(cameOrWent),
      scripts,
      scripts.onDidChange(changedScript),
      scripts.onDidCreate(changedScript),
      scripts.onDidDelete(changedScript),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#forget();
        this.#changed.fire();
      }),
    ];
  }

  #forget(): void {
    this.#settling.stop();
    for (const disposable of this.#disposables) disposable.dispose();
    this.#disposables = [];
    this.#index = undefined;
    this.#places = [];
    this.#deployments = undefined;
    this.#haveDeployments.clear();
  }
}

async function search({ include, exclude, below, most }: FileSearch): Promise<readonly string[]> {
  const pattern = below === undefined ? include : patternBelow(below, include);
  const found = await vscode.workspace.findFiles(pattern, exclude, most);
  return found.map(({ path }) => path);
}

/**
 * A pattern for what lies below a folder. The editor takes every pattern of hidden files from the folder on that is
 * searched, so that one that is meant from an open folder on needs a search from there, which takes longer.
 */
function patternBelow(folder: string, include: string): vscode.RelativePattern {
  const opened = workspaceFolders().find((one) => isInside(folder, one)) ?? folder;
  const inner = relativePath(folder, opened);
  const hidden = vscode.workspace.getConfiguration("files", uriOf(opened)).get<unknown>("exclude");
  return inner === undefined || !hidesByPath(hidden)
    ? new vscode.RelativePattern(uriOf(folder), include)
    : new vscode.RelativePattern(uriOf(opened), globBelow(inner, include));
}
