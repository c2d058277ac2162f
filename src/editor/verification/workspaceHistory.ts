import * as vscode from "vscode";
import { CommitFiles } from "../../core/deployedCommit/commitFiles.ts";
import type { Checkout } from "../../core/deployedCommit/lineEndings.ts";
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
export interface WorkspaceHistory {
  readonly history: GitHistory;
  /** The top of the work tree, as core names it. */
  readonly root: string;
}

/**
 * Works with the history of the repository that a contract of the open folders is in, which is closed afterwards.
 *
 * @param contract `path/to/File.sol:Name`, of a file that may be gone
 * @throws LedgerLensError `not_trusted`, `git_disabled`, `no_repository`, and those of opening the history
 */
export async function withHistory<T>(
  contract: string,
  work: (opened: WorkspaceHistory) => Promise<T>,
): Promise<T> {
  if (!vscode.workspace.isTrusted) {
    throw new LedgerLensError(
      "not_trusted",
      "git runs only in a workspace that is trusted. Trust the workspace to look through its history.",
    );
  }
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  const git = extension && (await extension.activate());
  if (!git?.enabled) {
    throw new LedgerLensError(
      "git_disabled",
      "The editor's Git extension is disabled or found no git. Set git.enabled, or install git, to look through the history.",
    );
  }
  const [place] = placesNamed(workspaceFolders(), contract);
  const api = git.getAPI(1);
  const workTree = await workTreeOf(uriOf(place.folder), (uri) => api.getRepository(uri)?.rootUri);
  if (!workTree) {
    throw new LedgerLensError(
      "no_repository",
      "The open folder is in no git repository, so it has no history. Open the folder of a clone.",
    );
  }
  const history = await openHistory(api.git.path, workTree);
  try {
    return await work({ history, root: vscode.Uri.file(workTree.root).path });
  } finally {
    await history.dispose();
  }
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
  return withHistory(contract, async ({ history, root }) => {
    const commit = await history.commit(revision);
    return work(new CommitFiles({ history, commit, root, disk: workspaceFolderReader, checkout }));
  });
}
