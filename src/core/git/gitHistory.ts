import { t } from "@vscode/l10n";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { plainText } from "./plainText.ts";
import { LedgerLensError } from "../errors.ts";
import { foreign } from "../text/shownText.ts";
import { isObjectId, type GitCommit, type GitObjects } from "./gitObjects.ts";
import { GitProgram, type RepositoryFolders } from "./gitProgram.ts";
import { ObjectReader } from "./objectReader.ts";
import { submoduleAt, submoduleFolder, type WorkTree } from "./repositoryFolders.ts";

/** What the history of a repository is read through. Its work tree and its index are not touched. */
export interface GitHistory {
  /** The top of the work tree, as the system writes it. */
  readonly root: string;
  readonly objects: GitObjects;
  /**
   * The commit that a branch, a tag or an id stands for, which may be shortened.
   *
   * @throws LedgerLensError `unknown_revision`
   */
  commit(revision: string): Promise<GitCommit>;
  /** The commits that can be reached, and whether there are more of them. */
  commits(options?: CommitsOptions): Promise<ReachedCommits>;
  /** What branches stood for before, as the logs of this clone have it, with what came before; as {@link commits}. */
  formerCommits(signal?: AbortSignal): Promise<readonly GitCommit[]>;
  /**
   * The objects of a submodule as they are in this clone, checked out or not; `undefined` where there are none.
   *
   * @param place path in the work tree, `/` between its parts
   * @param name as `.gitmodules` has it
   * @param commit which is wanted: of several places that which has it; the first where none is said
   */
  submodule(place: string, name: string, commit?: string): Promise<GitHistory | undefined>;
  dispose(): Promise<void>;
}

/** Which commits. */
interface CommitsOptions {
  /** A branch, a tag or a commit, by whose history alone is looked; HEAD and all branches and tags unless said. */
  readonly from?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The commits that were reached. */
interface ReachedCommits {
  /**
   * The newest first, by the time that each says; of the same second a commit before its parents, then by id, so that the
   * order is the same from wherever they were reached.
   */
  readonly commits: readonly GitCommit[];
  /** History that this clone does not have: commits whose parents are missing. */
  readonly missingParents: readonly string[];
  /** There are more than were read. */
  readonly isCut: boolean;
}

/** The largest histories of projects with contracts have some 20,000. */
const MAX_COMMITS = 50_000;
/** Logs of branches that are read, their bytes, and the lines of each. */
const MAX_LOGS = 500;
const MAX_LOG_BYTES = 4 * 1024 * 1024;
const MAX_LOG_LINES = 1_000;

/**
 * Opens the history of the repository whose work tree has its top in a folder.
 *
 * @param git the program, from the root of the machine, or a name that is looked for on PATH
 * @throws LedgerLensError `git_failed`, `git_missing`
 */
export async function openHistory(git: string, workTree: WorkTree): Promise<GitHistory> {
  const program = await GitProgram.start(git, await idDigits(workTree));
  const opened: ObjectReader[] = [];
  return historyOf(program, workTree, opened, async () => {
    for (const one of opened) one.dispose();
    await program.dispose();
  });
}

function historyOf(
  program: GitProgram,
  workTree: WorkTree,
  opened: ObjectReader[],
  dispose: () => Promise<void>,
): GitHistory {
  const objects = new ObjectReader(program, join(workTree.commonFolder, "objects"));
  opened.push(objects);
  /** One for each, however many commits have it: each has a process of its own. */
  const submodules = new Map<string, GitHistory>();
  return {
    root: workTree.root,
    objects,
    async commit(revision) {
      const [tip = ""] = await tipsOf(program, workTree, revision, undefined);
      const commit = await objects.commitOf(tip);
      if (!commit) throw unknownRevision(revision);
      return commit;
    },
    async commits({ from, signal } = {}) {
      const tips = await tipsOf(program, workTree, from, signal);
      return reachedCommits(objects, tips, from, signal);
    },
    async formerCommits(signal) {
      const tips = await loggedTips(workTree, signal);
      const { commits } = await reachedCommits(objects, tips, undefined, signal);
      return commits;
    },
    async submodule(place, name, commit) {
      const root = join(workTree.root, ...place.split("/"));
      let first: GitHistory | undefined;
      for await (const known of submodulesOf(workTree, { root, place, name })) {
        const key = `${known.root}\n${known.commonFolder}`;
        const history = submodules.get(key) ?? historyOf(program, known, opened, () => Promise.resolve());
        submodules.set(key, history);
        if (commit === undefined || (await history.objects.commit(commit))) return history;
        first ??= history;
      }
      return first;
    },
    dispose,
  };
}

/** Where the objects of a submodule may be: with those of this work tree, of the repository, and where it is checked out. */
async function* submodulesOf(
  workTree: WorkTree,
  { root, place, name }: { readonly root: string; readonly place: string; readonly name: string },
): AsyncGenerator<WorkTree> {
  for (const folder of new Set([workTree.gitFolder, workTree.commonFolder])) {
    const gitFolder = await submoduleFolder(folder, name);
    if (gitFolder !== undefined) yield { root, gitFolder, commonFolder: gitFolder };
  }
  const checkedOut = await submoduleAt(workTree, place);
  if (checkedOut) yield checkedOut;
}

/** Ids of SHA-256 have more digits; the configuration says so. */
async function idDigits({ commonFolder }: RepositoryFolders): Promise<40 | 64> {
  const text = await plainText(join(commonFolder, "config"));
  return /^\s*objectformat\s*=\s*sha256\s*$/im.test(text) ? 64 : 40;
}

async function reachedCommits(
  objects: ObjectReader,
  tips: readonly string[],
  from: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ReachedCommits> {
  const commits = new Map<string, GitCommit>();
  const missing = new Set<string>();
  const waiting: string[] = [];
  for (const tip of tips) {
    signal?.throwIfAborted();
    const commit = await objects.commitOf(tip);
    if (commit) waiting.push(commit.id);
    else if (isObjectId(tip)) missing.add(tip);
  }
  if (from !== undefined && waiting.length === 0) throw unknownRevision(from);
  let isCut = false;
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    if (commits.has(id) || missing.has(id)) continue;
    signal?.throwIfAborted();
    if (commits.size >= MAX_COMMITS) {
      isCut = true;
      break;
    }
    const commit = await objects.commit(id);
    if (!commit) missing.add(id);
    else {
      commits.set(id, commit);
      for (const parent of commit.parents) waiting.push(parent);
    }
  }
  const depths = depthsOf(commits);
  const depth = ({ id }: GitCommit) => depths.get(id) ?? 0;
  return {
    commits: [...commits.values()].sort(
      (a, b) => b.time - a.time || depth(b) - depth(a) || (a.id < b.id ? -1 : 1),
    ),
    missingParents: [...missing],
    isCut,
  };
}

/** Of each commit how many others follow each other before it, at most. */
function depthsOf(commits: ReadonlyMap<string, GitCommit>): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const { id: start } of commits.values()) {
    const open = [start];
    for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
      const parents = (commits.get(id)?.parents ?? []).filter((parent) => commits.has(parent));
      const unknown = depths.has(id) ? [] : parents.filter((parent) => !depths.has(parent));
      if (unknown.length > 0) {
        for (const parent of unknown) open.push(parent);
        continue;
      }
      open.pop();
      if (!depths.has(id))
        depths.set(
          id,
          parents.reduce((most, parent) => Math.max(most, (depths.get(parent) ?? 0) + 1), 0),
        );
    }
  }
  return depths;
}

/** What the history is read from: ids, also those of tags. */
async function tipsOf(
  program: GitProgram,
  workTree: WorkTree,
  from: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const refs = new Map<string, string>();
  for (const line of (await program.listRefs(workTree, signal)).split("\n")) {
    const [id = "", name = ""] = line.trim().split(" ");
    if (isObjectId(id)) refs.set(name, id);
  }
  const head = await headOf(workTree, refs);
  if (from === undefined) return [...new Set([...(head === undefined ? [] : [head]), ...refs.values()])];
  if (from === "HEAD" && head !== undefined) return [head];
  const named = ["", "refs/heads/", "refs/tags/", "refs/remotes/"]
    .map((before) => refs.get(`${before}${from}`))
    .find((id) => id !== undefined);
  return [named ?? from.toLowerCase()];
}

/** The ids in the logs of HEAD, the branches and the stash (git help reflog), the newest of each. */
async function loggedTips(
  { gitFolder, commonFolder }: RepositoryFolders,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const branches = await logsIn(join(commonFolder, "logs/refs/heads"), signal);
  const logs = [join(gitFolder, "logs/HEAD"), join(commonFolder, "logs/refs/stash")];
  const tips = new Set<string>();
  for (const log of [...logs, ...branches]) {
    signal?.throwIfAborted();
    const lines = (await plainText(log, MAX_LOG_BYTES)).split("\n");
    for (const line of lines.slice(-MAX_LOG_LINES))
      for (const id of line.split(" ").slice(0, 2)) if (isObjectId(id) && /[^0]/.test(id)) tips.add(id);
  }
  return [...tips];
}

/** The logs of branches, whose names may have folders. What a link leads to is none of them. */
async function logsIn(heads: string, signal: AbortSignal | undefined): Promise<string[]> {
  const logs: string[] = [];
  const folders = [heads];
  for (let read = 0; read < MAX_LOGS && logs.length < MAX_LOGS; read++) {
    signal?.throwIfAborted();
    const folder = folders.shift();
    if (folder === undefined) break;
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
      else if (entry.isFile() && logs.length < MAX_LOGS) logs.push(join(folder, entry.name));
    }
  }
  return logs;
}

/** What is checked out: a branch, or a commit without one. */
async function headOf(
  { gitFolder }: RepositoryFolders,
  refs: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const text = (await plainText(join(gitFolder, "HEAD"))).trim();
  const branch = /^ref: (\S+)$/.exec(text)?.[1];
  if (branch !== undefined) return refs.get(branch);
  return isObjectId(text) ? text : undefined;
}

function unknownRevision(from: string): LedgerLensError {
  return new LedgerLensError(
    "unknown_revision",
    t`${foreign(from)} is no branch, tag or commit of this repository. Give a name that git branch --all or git tag lists, or the id of a commit.`,
  );
}
