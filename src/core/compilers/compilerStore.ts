import { t } from "@vscode/l10n";
import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, utimes, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LedgerLensError } from "../errors.ts";
import { diskCode, diskError } from "../files/diskError.ts";
import { clearOwnPlace, isStranger, withOwnFile } from "../files/ownFile.ts";
import { foreign } from "../text/shownText.ts";
import type { OfficialBuild } from "./officialBuilds.ts";

/** A compiler that is kept. */
export interface KeptCompiler {
  readonly sha256: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly lastUsed: number;
}

/** What is fetched into, unlike what a fetch left. */
const WORK_NAME = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.unfinished$/;
const FILE_NAME = /^soljson-([0-9a-f]{64})\.js$/;
/** A file that nothing was written to for so long is written by no process: a server that says nothing is left sooner. */
const ABANDONED_MS = 120_000;
/** What was never gone on with in a week is not missed. */
const FORGOTTEN_MS = 7 * 24 * 60 * 60_000;
/** Only its owner may write there: what runs is read from here. */
const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;
/** Follows no link. */
const APPEND_OWN =
  constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Compilers in a folder that only we write to, each under its hash, so that one file serves every release and every window
 * that means it. What is not what its name says is no compiler, and goes when it is met.
 */
export class CompilerStore {
  readonly #folder: string;
  readonly #maxBytes: number;

  /** @param maxBytes of all files together; those that were used longest ago go first */
  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** The path of a file of a release; `undefined` where none is kept. What it holds is not looked at. */
  async fileOf({ sha256 }: OfficialBuild): Promise<string | undefined> {
    for (const hash of sha256) {
      const file = this.#pathOf(hash);
      if (!(await isFile(file))) continue;
      // When it was used last is when it was changed last, as far as the file system is told.
      const now = new Date();
      await utimes(file, now, now).catch(() => undefined);
      return file;
    }
    return undefined;
  }

  /**
   * Keeps the file of a compiler that `fetch` writes, from where an earlier fetch of it ended.
   *
   * @returns its path
   * @throws LedgerLensError `compiler_refused` for bytes that are not those of the release, of which nothing is kept; those
   * of the disk; and what `fetch` throws
   */
  async keep(
    build: OfficialBuild,
    fetch: (unfinished: UnfinishedCompiler) => Promise<void>,
  ): Promise<string> {
    const work = join(this.#folder, `${build.longVersion}.${randomUUID()}.unfinished`);
    try {
      await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
      await this.#takeUnfinished(build, work);
      const unfinished = await UnfinishedCompiler.open(work, build, (error) => this.#notKept(build, error));
      try {
        await fetch(unfinished);
        await unfinished.touch();
      } finally {
        await unfinished.close();
      }
      const hash = await hashOf(work);
      if (!build.sha256.includes(hash)) {
        await rm(work, { force: true });
        throw refusedFile(build.longVersion, hash);
      }
      const file = this.#pathOf(hash);
      if (await isStranger(file)) await clearOwnPlace(file);
      await rename(work, file);
      await this.#trim(hash);
      return file;
    } catch (error) {
      // What came is where the next fetch goes on.
      await rename(work, this.#restOf(build)).catch(() => undefined);
      throw diskCode(error) === undefined ? error : this.#notKept(build, error);
    }
  }

  #notKept({ longVersion }: OfficialBuild, error: unknown): LedgerLensError {
    return diskError(error, t`solc ${longVersion} can't be kept`, this.#folder);
  }

  /** What an earlier fetch left, or one whose process has ended; only one process gets it. */
  async #takeUnfinished(build: OfficialBuild, work: string): Promise<void> {
    const left = [this.#restOf(build)];
    for (const name of await readdir(this.#folder)) {
      if (!name.endsWith(".unfinished") || join(this.#folder, name) === this.#restOf(build)) continue;
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (!found || Date.now() - found.mtimeMs < ABANDONED_MS) continue;
      if (name.startsWith(`${build.longVersion}.`)) left.push(path);
      else if (Date.now() - found.mtimeMs > FORGOTTEN_MS) await rm(path, { force: true });
    }
    for (const path of left) {
      if (!(await isFile(path))) continue;
      try {
        // Before it has its new name: another window would take it for abandoned until the first bytes come.
        const now = new Date();
        await utimes(path, now, now);
        await rename(path, work);
        return;
      } catch (error) {
        // Another window was sooner.
        if (diskCode(error) !== "ENOENT") throw error;
      }
    }
  }

  /** Whether another window, or this one, may be fetching into a file. */
  async #isBeingWritten(path: string): Promise<boolean> {
    const found = WORK_NAME.test(path) ? await stat(path).catch(() => undefined) : undefined;
    return found !== undefined && Date.now() - found.mtimeMs < ABANDONED_MS;
  }

  #restOf({ longVersion }: OfficialBuild): string {
    return join(this.#folder, `${longVersion}.unfinished`);
  }

  /** Takes away a file that turned out to be no compiler. */
  async drop(file: string): Promise<void> {
    if (dirname(file) === this.#folder) await rm(file, { force: true });
  }

  /** What is kept, the one that was used last first. */
  async list(): Promise<KeptCompiler[]> {
    let names: string[];
    try {
      names = await readdir(this.#folder);
    } catch (error) {
      if (diskCode(error) === "ENOENT") return [];
      throw diskError(error, t`The kept compilers can't be listed`, this.#folder);
    }
    const kept = await Promise.all(
      names.map(async (name) => {
        const sha256 = FILE_NAME.exec(name)?.[1];
        if (sha256 === undefined) return [];
        const found = await stat(join(this.#folder, name)).catch(() => undefined);
        return found?.isFile() ? [{ sha256, bytes: found.size, lastUsed: found.mtimeMs }] : [];
      }),
    );
    return kept.flat().sort((a, b) => b.lastUsed - a.lastUsed);
  }

  /** Removes every compiler, and what is left of those that did not come whole; the number of bytes that became free. */
  async empty(): Promise<number> {
    const kept = await this.list();
    const names = await readdir(this.#folder).catch(() => []);
    await Promise.all(
      names
        .filter((name) => name.endsWith(".unfinished"))
        .map((name) => join(this.#folder, name))
        .map(async (path) => {
          if (!(await this.#isBeingWritten(path))) await rm(path, { force: true });
        }),
    );
    await Promise.all(kept.map(({ sha256 }) => rm(this.#pathOf(sha256), { force: true })));
    return kept.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async #trim(newest: string): Promise<void> {
    let left = this.#maxBytes;
    for (const { sha256, bytes } of await this.list()) {
      left -= bytes;
      if (left < 0 && sha256 !== newest) await rm(this.#pathOf(sha256), { force: true });
    }
  }

  #pathOf(sha256: string): string {
    return join(this.#folder, `soljson-${sha256}.js`);
  }
}

/** The file of a compiler while it comes. */
export class UnfinishedCompiler {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #build: OfficialBuild;
  readonly #inWords: (error: unknown) => LedgerLensError;
  #bytes: number;

  private constructor(
    file: FileHandle,
    path: string,
    build: OfficialBuild,
    bytes: number,
    inWords: (error: unknown) => LedgerLensError,
  ) {
    this.#file = file;
    this.#path = path;
    this.#build = build;
    this.#bytes = bytes;
    this.#inWords = inWords;
  }

  /**
   * @param inWords the sentence for what a disk refuses, which is no fault of the connection that brings the file
   * @throws errors of the file system
   */
  static async open(
    path: string,
    build: OfficialBuild,
    inWords: (error: unknown) => LedgerLensError,
  ): Promise<UnfinishedCompiler> {
    const file = await open(path, APPEND_OWN, OWNER_ONLY_FILE);
    return new UnfinishedCompiler(file, path, build, (await file.stat()).size, inWords);
  }

  /**
   * Tells other windows that the file is being written, also while the server says nothing.
   *
   * @throws LedgerLensError `compiler_missing` where it was taken away, as after a machine was asleep
   */
  async touch(): Promise<void> {
    const now = new Date();
    await this.#file.utimes(now, now).catch(() => undefined);
    const [own, there] = await Promise.all([
      this.#file.stat(),
      stat(this.#path).catch(() => undefined),
    ]).catch((error: unknown) => {
      throw this.#inWords(error);
    });
    if (own.ino !== there?.ino || own.dev !== there.dev) throw takenAway(this.#build);
  }

  /** How much of it is here. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws LedgerLensError of the disk */
  async append(chunk: Uint8Array): Promise<void> {
    try {
      await this.#file.appendFile(chunk);
    } catch (error) {
      throw this.#inWords(error);
    }
    this.#bytes += chunk.length;
  }

  /**
   * Begins again.
   *
   * @throws LedgerLensError of the disk
   */
  async clear(): Promise<void> {
    try {
      await this.#file.truncate();
    } catch (error) {
      throw this.#inWords(error);
    }
    this.#bytes = 0;
  }

  /** What was written is on the disk afterwards. */
  async close(): Promise<void> {
    try {
      await this.#file.sync();
    } finally {
      await this.#file.close();
    }
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  const isRead = await withOwnFile(path, async (file) => {
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Uint8Array);
    return true;
  });
  return isRead === true ? hash.digest("hex") : "";
}

/** Whether a file of that name is there, and no link. */
async function isFile(path: string): Promise<boolean> {
  return (await withOwnFile(path, () => Promise.resolve(true))) === true;
}

/** Another window goes on with it, or the folder was emptied. */
function takenAway({ longVersion }: OfficialBuild): LedgerLensError {
  return new LedgerLensError(
    "compiler_missing",
    t`solc ${foreign(longVersion)} did not arrive: its file was taken away meanwhile, maybe by another window. Try again.`,
    { remedy: { mayPass: true } },
  );
}

/** What came is not what was released. */
function refusedFile(longVersion: string, hash: string): LedgerLensError {
  return new LedgerLensError(
    "compiler_refused",
    t`The file that came as solc ${foreign(longVersion)} is not the one that its makers released, so it was not kept. Check ledgerLens.solcListUrl, then try again.`,
    { detail: `SHA-256 ${hash}`, remedy: { setting: "ledgerLens.solcListUrl", mayPass: true } },
  );
}
