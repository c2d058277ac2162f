import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { CommitFiles } from "../../core/deployedCommit/commitFiles.ts";
import type { Checkout } from "../../core/deployedCommit/gitAttributes.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { openHistory, type GitHistory } from "../../core/git/gitHistory.ts";
import { findWorkTree, workTreeAt, type WorkTree } from "../../core/git/repositoryFolders.ts";
import { placesNamed } from "../../core/languages/workspaceContract.ts";
import { uriOf, workspaceFolderReader, workspaceFolders } from "../workspaceFiles.ts";

/** What the editor's own git extension tells, of version 1 of what it exports (microsoft/vscode, extensions/git/src/api/git.d.ts). */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): {
    readonly git: { readonly path: string };
    getRepository(uri: vscode.Uri): { readonly rootUri: vscode.Uri } | null;
  };
}

/** The history of an open folder. */
interface WorkspaceHistory {
  readonly history: GitHistory;
  /** The top of the work tree, as core names it. */
  readonly root: string;
}

/** The history of the repository that a contract of the open folders, `path/to/File.sol:Name`, is in; its file may be gone. */
export type HistoryOf = (contract: string) => Promise<WorkspaceHistory>;

/**
 * Works with the histories of the repositories that contracts are in, each opened once and closed afterwards. Asked for
 * one, it throws LedgerLensError `not_trusted`, `git_disabled`, `no_repository`, and those of opening the history.
 */
export async function withHistories<T>(work: (historyOf: HistoryOf) => Promise<T>): Promise<T> {
  const opened = new Map<string, Promise<WorkspaceHistory>>();
  try {
    return await work(async (contract) => {
      const [program, workTree] = await repositoryOf(contract);
      const known = opened.get(workTree.root);
      if (known) return known;
      const opening = openHistory(program, workTree).then((history) => ({
        history,
        root: vscode.Uri.file(workTree.root).path,
      }));
      opened.set(workTree.root, opening);
      return opening;
    });
  } finally {
    for (const opening of opened.values())
      await opening.then(
        ({ history }) => history.dispose(),
        () => undefined,
      );
  }
}

/**
 * The editor's own git extension.
 *
 * @throws LedgerLensError `not_trusted`, `git_disabled`
 */
export async function editorsGit(): Promise<ReturnType<GitExtension["getAPI"]>> {
  if (!vscode.workspace.isTrusted) {
    throw new LedgerLensError(
      "not_trusted",
      t`git runs only in a workspace that is trusted. Trust the workspace to look through its history.`,
    );
  }
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  const git = extension && (await extension.activate());
  if (!git?.enabled) {
    throw new LedgerLensError(
      "git_disabled",
      t`The editor's Git extension is disabled or found no git. Set git.enabled, or install git, to look through the history.`,
    );
  }
  return git.getAPI(1);
}

/** The program that reads the repository of a contract, and the repository's work tree. */
async function repositoryOf(contract: string): Promise<readonly [program: string, WorkTree]> {
  const api = await editorsGit();
  const [place] = placesNamed(workspaceFolders(), contract);
  const workTree = await workTreeOf(uriOf(place.folder), (uri) => api.getRepository(uri)?.rootUri);
  if (workTree) return [api.git.path, workTree];
  throw new LedgerLensError(
    "no_repository",
    t`The open folder is in no git repository, so it has no history. Open the folder of a clone.`,
  );
}

/** The repository that the editor knows, else the one that is found: a moment after the start it knows none. */
async function workTreeOf(
  folder: vscode.Uri,
  rootOf: (uri: vscode.Uri) => vscode.Uri | undefined,
): Promise<WorkTree | undefined> {
  if (folder.scheme !== "file") return undefined;
  const root = rootOf(folder);
  return (root && (await workTreeAt(root.fsPath))) ?? findWorkTree(folder.fsPath);
}

/** Works with the files of a commit. */
export async function withCommitFiles<T>(
  contract: string,
  revision: string,
  checkout: Checkout,
  work: (files: CommitFiles) => Promise<T>,
): Promise<T> {
  return withHistories(async (historyOf) => {
    const { history, root } = await historyOf(contract);
    const commit = await history.commit(revision);
    return work(new CommitFiles({ history, commit, root, disk: workspaceFolderReader, checkout }));
  });
}
