import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import { CommitFiles } from "../../core/deployedCommit/commitFiles.ts";
import { LedgerLensError } from "../../core/errors.ts";
import { openHistory, type GitHistory } from "../../core/git/gitHistory.ts";
import { findWorkTree, type WorkTree } from "../../core/git/repositoryFolders.ts";
import { changeBetween } from "../../core/sources/sourceText.ts";
import type { RecordedDeployment } from "../../core/tools/deployment.ts";
import { uriOf, workspaceFolderReader } from "../workspaceFiles.ts";
import { editorsGit } from "./workspaceHistory.ts";

const PAUSE_MS = 500;
/** A checkout that takes longer is taken for one that was broken off. */
const MAX_WAITING_MS = 30_000;

/**
 * Leaves out what came with a checkout: a record that says what the current commit has it say was written by git, and no
 * tool has deployed anything.
 */
export async function withoutCheckedOut<Found extends RecordedDeployment>(
  deployments: readonly Found[],
  signal: AbortSignal,
): Promise<Found[]> {
  const commits = new Commits(signal);
  try {
    const old = new Set<string>();
    for (const record of new Set(deployments.map(({ record }) => record)))
      if (await isCommitted(record, commits)) old.add(record);
    return deployments.filter(({ record }) => !old.has(record));
  } finally {
    await commits.dispose();
  }
}

async function isCommitted(record: string, commits: Commits): Promise<boolean> {
  try {
    const committed = await (await commits.of(record))?.read(record);
    const present = await workspaceFolderReader.read(record);
    return committed !== undefined && present !== undefined && isSame(committed, present);
  } catch (error) {
    // No git, no repository that is read, no commit in it: nothing is known to be checked out.
    if (error instanceof LedgerLensError) return false;
    throw error;
  }
}

/** The current commits of repositories, each opened once. */
class Commits {
  readonly #signal: AbortSignal;
  readonly #histories: GitHistory[] = [];
  readonly #known = new Map<string, Promise<CommitFiles>>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** That of the repository which a file is in. */
  async of(path: string): Promise<CommitFiles | undefined> {
    const uri = uriOf(path);
    if (uri.scheme !== "file") return undefined;
    const workTree = await findWorkTree(dirname(uri.fsPath));
    if (!workTree) return undefined;
    const commit = this.#known.get(workTree.root) ?? this.#open(workTree);
    this.#known.set(workTree.root, commit);
    return commit;
  }

  async #open(workTree: WorkTree): Promise<CommitFiles> {
    await untilGitIsDone(workTree, this.#signal);
    const history = await openHistory((await editorsGit()).git.path, workTree);
    this.#histories.push(history);
    return new CommitFiles({
      history,
      commit: await history.commit("HEAD"),
      root: vscode.Uri.file(workTree.root).path,
      disk: workspaceFolderReader,
      checkout: "stored",
    });
  }

  async dispose(): Promise<void> {
    for (const history of this.#histories) await history.dispose();
  }
}

/** A checkout names the commit last, after it wrote the files. */
async function untilGitIsDone({ gitFolder }: WorkTree, signal: AbortSignal): Promise<void> {
  for (const end = Date.now() + MAX_WAITING_MS; Date.now() < end;) {
    if (!(await lstat(join(gitFolder, "index.lock")).catch(() => undefined))) return;
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

/** Whatever line ends a checkout writes. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
  return changeBetween(text(one), text(other)) !== "edited";
}
