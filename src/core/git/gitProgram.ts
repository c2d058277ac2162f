import { t } from "@vscode/l10n";
import { execFile, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { LedgerLensError } from "../errors.ts";

/** The folders of a repository that are read, from the root of the machine, as the system writes them. */
export interface RepositoryFolders {
  /** Where its `HEAD` is. */
  readonly gitFolder: string;
  /** Where its branches, its objects and its `modules` are; the same but for a second work tree. */
  readonly commonFolder: string;
}

/** Names of thousands of branches have a few hundred kilobytes. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;
const LIST_MS = 30_000;
/** An empty file: git for Windows ends where it is to read its configuration from the null device. */
const NO_CONFIGURATION = "no-configuration";

/**
 * Runs git where nothing of a repository can make it run anything else or go to a network. Objects are read through an
 * empty repository of our own that borrows nothing but the folder of the objects: no configuration, no hook, no
 * attribute and no remote of the other one is there, so that an object that a partial clone lacks is lacking, whichever
 * git runs. Names of branches are the only thing that is asked of the repository itself.
 */
export class GitProgram {
  readonly #git: string;
  /** Our own empty repository, which is also the home and the working folder of all that runs. */
  readonly #folder: string;

  private constructor(git: string, folder: string) {
    this.#git = git;
    this.#folder = folder;
  }

  /**
   * @param git the program, from the root of the machine, or a name that is looked for on PATH
   * @param idDigits of the ids in the repositories that are read: 40, or 64
   */
  static async start(git: string, idDigits: number): Promise<GitProgram> {
    const folder = await mkdtemp(join(tmpdir(), "ledger-lens-git-"));
    await mkdir(join(folder, "objects"));
    await mkdir(join(folder, "refs"));
    await writeFile(join(folder, "HEAD"), "ref: refs/heads/none\n");
    const format =
      idDigits === 64 ? "\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n" : "";
    await writeFile(join(folder, "config"), `[core]\n\tbare = true\n${format}`);
    await writeFile(join(folder, NO_CONFIGURATION), "");
    return new GitProgram(git, folder);
  }

  /** Starts the program that reads objects by their ids, of the objects in a folder. */
  readObjects(objects: string): ChildProcessWithoutNullStreams {
    // A list of packs can name one that lies in another folder.
    const args = ["--no-pager", "-c", "core.multiPackIndex=false", "cat-file", "--batch"];
    return spawn(this.#git, args, {
      cwd: this.#folder,
      env: this.#environment({ GIT_DIR: this.#folder, GIT_OBJECT_DIRECTORY: objects }),
      windowsHide: true,
    });
  }

  /**
   * The branches, remote branches and tags of a repository with what they stand for, a line for each: id, space, name.
   *
   * @throws LedgerLensError `git_failed`, `git_missing`
   */
  listRefs({ gitFolder }: RepositoryFolders, signal?: AbortSignal): Promise<string> {
    const args = [
      "--no-pager",
      "-c",
      "core.fsmonitor=false",
      "-c",
      `core.hooksPath=${devNull}`,
      "for-each-ref",
      "--format=%(objectname) %(refname)",
      "refs/heads",
      "refs/remotes",
      "refs/tags",
    ];
    const options = {
      cwd: this.#folder,
      env: this.#environment({ GIT_DIR: gitFolder }),
      maxBuffer: MAX_LIST_BYTES,
      timeout: LIST_MS,
      killSignal: "SIGKILL" as const,
      windowsHide: true,
      ...(signal && { signal }),
    };
    return new Promise((resolve, reject) => {
      execFile(this.#git, args, options, (error, stdout, stderr) => {
        if (signal?.aborted) reject(signal.reason as Error);
        else if (error) reject(gitError(error, stderr));
        else resolve(stdout);
      });
    });
  }

  async dispose(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  #environment(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
    // What is set for git in the editor's own environment may name programs, too.
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(?:GIT_|SSH_ASKPASS$|PAGER$)/i.test(name),
    );
    return {
      ...Object.fromEntries(inherited),
      HOME: this.#folder,
      USERPROFILE: this.#folder,
      XDG_CONFIG_HOME: this.#folder,
      LC_ALL: "C",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_SYSTEM: join(this.#folder, NO_CONFIGURATION),
      GIT_CONFIG_GLOBAL: join(this.#folder, NO_CONFIGURATION),
      GIT_ATTR_NOSYSTEM: "1",
      GIT_NO_LAZY_FETCH: "1",
      GIT_NO_REPLACE_OBJECTS: "1",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      GIT_ALLOW_PROTOCOL: "none",
      // A branch whose commit is missing is told all the same, so that git asks no remote for it.
      GIT_REF_PARANOIA: "1",
      ...own,
    };
  }
}

/** Why git did not do what it was asked. */
export function gitError(error: Error, said = ""): LedgerLensError {
  if ("code" in error && error.code === "ENOENT")
    return new LedgerLensError("git_missing", t`git is not installed. Install it, or set git.path.`, {
      cause: error,
    });
  return new LedgerLensError("git_failed", t`git can't read the repository. Try git log in a terminal.`, {
    detail: said.trim() === "" ? error.message : said,
    cause: error,
  });
}
