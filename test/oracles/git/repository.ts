import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** When a commit is made, unless said: each an hour after the one before. */
const FIRST_TIME = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

/** A repository that real git makes in a folder of its own, by no configuration but its own. */
export class TestRepository {
  readonly root: string;
  #time = FIRST_TIME;

  constructor(root: string = realpathSync(mkdtempSync(join(tmpdir(), "repository-")))) {
    this.root = root;
    mkdirSync(root, { recursive: true });
    this.git("init", "-q", "-b", "main");
  }

  /** Runs git, and answers what it wrote. */
  git(...args: readonly string[]): string {
    return gitAt(this.root, { author: Math.floor(this.#time / 1000) }, ...args);
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
  }

  /** Commits all that is there; the id of the commit. */
  commit(subject: string, files: Readonly<Record<string, string>> = {}): string {
    this.write(files);
    this.#time += HOUR;
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", subject);
    return this.head;
  }

  /** Merges a branch into what is checked out; the id of the merge. */
  merge(branch: string): string {
    this.#time += HOUR;
    this.git("merge", "-q", "--no-ff", "-m", `Merge ${branch}`, branch);
    return this.head;
  }

  get head(): string {
    return this.git("rev-parse", "HEAD");
  }

  /** When the last commit was made, in milliseconds since 1970. */
  get time(): number {
    return this.#time;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/**
 * Runs git in a folder, by no configuration but that of the repository, and answers what it wrote.
 *
 * @param times that a commit gets, in seconds since 1970
 */
export function gitAt(
  root: string,
  { author, committer = author }: { readonly author: number; readonly committer?: number },
  ...args: readonly string[]
): string {
  return execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: root,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: devNull,
      GIT_AUTHOR_NAME: "A",
      GIT_AUTHOR_EMAIL: "a@example.org",
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@example.org",
      GIT_AUTHOR_DATE: `${author} +0000`,
      GIT_COMMITTER_DATE: `${committer} +0000`,
      GIT_ALLOW_PROTOCOL: "file",
    },
  }).trim();
}
