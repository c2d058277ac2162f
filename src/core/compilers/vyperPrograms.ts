import { isInSystemFolder } from "../files/systemFolder.ts";
import { t } from "@vscode/l10n";
import { execFile, type ExecFileException } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { foreign } from "../text/shownText.ts";
import { LedgerLensError } from "../errors.ts";

/** An installed Vyper, which says of itself that it is of some version. */
export interface VyperProgram {
  /** From the root of the machine. */
  readonly file: string;
  /** As it says it, such as "0.4.3+commit.bff19ea2". */
  readonly version: string;
}

/** Where a program is looked for. */
export interface VyperPlaces {
  /** What the user set, from the root of the machine; nothing else is looked at then. */
  readonly path: string | undefined;
  /** The folders of PATH, as the environment has them. */
  readonly searchPath: string | undefined;
  /** Folders whose programs do not run: what lies in a workspace was not installed by its user. */
  readonly workspace: readonly string[];
}

const NAMES = process.platform === "win32" ? ["vyper.exe"] : ["vyper"];
/** Python starts slowly on a busy machine. */
const VERSION_MS = 30_000;
const COMPILE_MS = 10 * 60_000;
/** Fewer digits name no commit. */
const MIN_COMMIT_DIGITS = 7;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/**
 * The files that may be Vyper, by their places alone: nothing is run. A link counts by where it leads to.
 */
export async function vyperFiles({ path, searchPath, workspace }: VyperPlaces): Promise<string[]> {
  const files =
    path !== undefined
      ? [path]
      : (searchPath ?? "")
          .split(delimiter)
          .filter(isAbsolute)
          .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const roots = await Promise.all(workspace.map((folder) => realpath(folder).catch(() => folder)));
  const found: string[] = [];
  for (const file of files) {
    if (!isAbsolute(file) || !(await stat(file).catch(() => undefined))?.isFile()) continue;
    // A link that leads out of the workspace lies in it all the same: a program reads what lies beside its name.
    const places = [file, await realpath(file), join(await realpath(dirname(file)), basename(file))];
    // What the user set, the user meant.
    if (path === undefined && places.some((one) => roots.some((root) => isInSystemFolder(one, root))))
      continue;
    if (!found.includes(file)) found.push(file);
  }
  return found;
}

/**
 * What tells a program from another one that lies at its place later: the SHA-256 of its file.
 *
 * @returns `undefined` where it can't be read
 */
export async function programHash(file: string, signal?: AbortSignal): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(file, { signal })) hash.update(chunk as Uint8Array);
    return hash.digest("hex");
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

/**
 * The first of some programs that says of itself that it is a release. This runs them.
 *
 * @param release such as "0.4.3+commit.bff19ea2", or "0.4.3"
 * @returns what all of them say that they are where none is it
 */
export async function installedRelease(
  files: readonly string[],
  release: string,
  signal?: AbortSignal,
): Promise<VyperProgram | readonly string[]> {
  const said: string[] = [];
  for (const file of files) {
    const version = await vyperVersion(file, signal);
    if (version === undefined) continue;
    if (isVyperRelease(version, release)) return { file, version };
    said.push(version);
  }
  return said;
}

/**
 * What a program says that it is. This runs it.
 *
 * @returns `undefined` where it says nothing like a version
 */
export async function vyperVersion(file: string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    const { stdout } = await run(file, ["--version"], "", VERSION_MS, signal);
    return /^\d+\.\d+\.\d+\S*/.exec(stdout.trim())?.[0];
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof LedgerLensError) return undefined;
    throw error;
  }
}

/**
 * Whether a program is the release that is meant: the same number, and the same commit as far as both name it, since a
 * package of Python names seven digits of it and a release eight.
 *
 * @param wanted such as "0.4.3+commit.bff19ea2", or "0.4.3"
 */
export function isVyperRelease(said: string, wanted: string): boolean {
  const [number = "", commit] = said.split("+commit.");
  const [wantedNumber = "", wantedCommit] = wanted.split("+commit.");
  if (number !== wantedNumber) return false;
  if (commit === undefined || wantedCommit === undefined) return true;
  const digits = Math.min(commit.length, wantedCommit.length);
  return digits >= MIN_COMMIT_DIGITS && commit.slice(0, digits) === wantedCommit.slice(0, digits);
}

/**
 * Compiles standard JSON input. The program runs in an empty folder, so that it finds no file beside the input's.
 *
 * @returns standard JSON output
 * @throws LedgerLensError `compiler_failed`
 */
export async function compileVyper(
  { file, version }: VyperProgram,
  input: string,
  signal?: AbortSignal,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ledger-lens-vyper-"));
  try {
    const { stdout, stderr } = await run(
      file,
      ["--standard-json"],
      inAscii(input),
      COMPILE_MS,
      signal,
      folder,
    );
    if (stdout.trimStart().startsWith("{")) return stdout;
    throw failed(t`Vyper ${foreign(version)}`, stderr || stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** JSON as any code page reads it: Python takes what comes through a pipe on Windows for the system's own. */
function inAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function run(
  file: string,
  args: readonly string[],
  input: string,
  timeout: number,
  signal: AbortSignal | undefined,
  cwd: string = tmpdir(),
): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd,
      timeout,
      // A program that would not end for less runs on without one who waits for it.
      killSignal: "SIGKILL" as const,
      maxBuffer: MAX_OUTPUT_BYTES,
      windowsHide: true,
    };
    const begin = (ended: (error: ExecFileException | null, stdout: string, stderr: string) => void) => {
      try {
        return execFile(file, args, options, ended);
      } catch (error) {
        // Most of why a program can't begin is told to the callback, but not that it is just being written.
        throw failed(file, error instanceof Error ? error.message : "");
      }
    };
    const child = begin((error, stdout, stderr) => {
      signal?.removeEventListener("abort", stop);
      if (signal?.aborted) reject(signal.reason as Error);
      // It ends with an error where the input does not compile, and says so in its output; what was cut off says nothing.
      else if (error && (wasEnded(error) || !stdout.trimStart().startsWith("{")))
        reject(failed(file, stderr || error.message));
      else resolve({ stdout, stderr });
    });
    // Not by the signal that Node takes, which asks a program to end.
    const stop = () => {
      child.kill(options.killSignal);
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
    // A program that ends before it has read all says so by its output.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

/** By us: for its time, or for the length of what it wrote. */
function wasEnded({ killed, code }: ExecFileException): boolean {
  return killed === true || code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
}

function failed(name: string, detail: string): LedgerLensError {
  return new LedgerLensError(
    "compiler_failed",
    t`${name} broke down while it compiled. Try it in a terminal, or install it again.`,
    { detail },
  );
}
