import { t } from "@vscode/l10n";
import { chmod, lstat, mkdir, open, readdir, rename, rm, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Uri } from "vscode";
import { ChangeMark } from "../../core/files/changeMark.ts";
import { diskCode, diskError } from "../../core/files/diskError.ts";
import { withFolderLock } from "../../core/files/folderLock.ts";
import { LARGEST_OWN_FILE, withOwnFile } from "../../core/files/ownFile.ts";
import { isRunning, newSession } from "../../core/files/processSession.ts";
import type { JobStorage, StoredFile } from "../../core/jobs/jobStorage.ts";
import { inPool } from "../../core/concurrency/inPool.ts";
import { otherWindowsStorage, sharedStorage } from "../sharedStorage.ts";
import { adoptJobs } from "./strayJobs.ts";

/** The end of a file's name while it is being written. */
const UNFINISHED = ".new";
/** No write takes so long. */
const LEFT_BEHIND_MS = 60_000;
/** What was submitted is its owner's: sources of a private project. Windows knows no such modes and ignores them. */
const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;
/** So many files are open at once. */
const FILES_AT_ONCE = 32;

/**
 * Keeps jobs as files in the extension's storage folder of this workspace, one for all its windows, which is always on
 * the disk of the extension host: Node reads a thousand small files there in the time in which the editor's file service reads few.
 */
export class JobFiles implements JobStorage {
  readonly session = newSession();
  readonly #folder: string;
  /** Where windows of earlier versions kept jobs for themselves. */
  readonly #strays: readonly string[];
  readonly #mark: ChangeMark;
  #writes = 0;
  #holdsLock = false;
  #isMarked = false;
  #last: Promise<unknown> = Promise.resolve();
  #isTightened = false;
  #hasAdopted = false;

  /** @param folder within the storage */
  constructor(storage: Pick<Uri, "fsPath">, folder = "jobs") {
    this.#folder = join(sharedStorage(storage.fsPath), folder);
    this.#mark = new ChangeMark(this.#folder, this.session);
    this.#strays = otherWindowsStorage(storage.fsPath).map((path) => join(path, folder));
  }

  isRunning(session: string): boolean {
    return isRunning(session);
  }

  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
      try {
        await this.#prepareFolder();
        await withFolderLock(this.#folder, this.session, async () => {
          this.#isMarked = false;
          this.#holdsLock = true;
          await this.#adopt();
          outcome = await work().then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          );
          this.#holdsLock = false;
        });
      } catch (error) {
        this.#holdsLock = false;
        outcome ??= { error: this.#fault(error, t`The list of jobs can't be changed`) };
      }
      if (outcome && "value" in outcome) return outcome.value;
      throw outcome?.error;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async isUntouched(): Promise<boolean> {
    return this.#holdsLock && (await this.#mark.isCurrent());
  }

  async list(): Promise<StoredFile[]> {
    if (this.#holdsLock) await this.#mark.sawAll();
    let names: string[];
    try {
      names = await readdir(this.#folder);
    } catch (error) {
      if (diskCode(error) === "ENOENT") return [];
      throw this.#fault(error, t`The list of jobs can't be read`);
    }
    await this.#tighten(names);
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        // What is a link was not put there by us, and may lead anywhere.
        const found = await lstat(path).catch(() => undefined);
        if (!found?.isFile() || !/\.(?:json|gz|new)$/.test(name)) return [];
        if (!name.endsWith(UNFINISHED))
          return [{ name, bytes: found.size, stamp: `${found.ino} ${found.mtimeMs} ${found.size}` }];
        // A crash left it behind; a young one may be the work of another window.
        if (Date.now() - found.mtimeMs > LEFT_BEHIND_MS)
          await rm(path, { force: true }).catch(() => undefined);
        return [];
      }),
    );
    return files.flat();
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    try {
      return await withOwnFile(this.#path(name), beginningOf);
    } catch (error) {
      throw this.#fault(error, t`${name} can't be read`);
    }
  }

  async write(name: string, content: Uint8Array): Promise<void> {
    // A rename replaces the file as a whole: a crash leaves the old one or the new one.
    const ending = `.${process.pid}-${++this.#writes}${UNFINISHED}`;
    let fresh: string | undefined;
    try {
      const path = this.#path(name);
      fresh = path + ending;
      await this.#prepareFolder();
      await this.#markChange();
      const file = await open(fresh, "wx", OWNER_ONLY_FILE);
      try {
        await file.writeFile(content);
      } finally {
        await file.close();
      }
      await rename(fresh, path);
    } catch (error) {
      if (fresh !== undefined) await rm(fresh, { force: true }).catch(() => undefined);
      throw this.#fault(error, t`${name} can't be kept`);
    }
  }

  async remove(name: string): Promise<void> {
    try {
      const path = this.#path(name);
      await this.#markChange();
      await rm(path, { force: true });
    } catch (error) {
      throw this.#fault(error, t`${name} can't be removed`);
    }
  }

  /** Where a file lies; a name that leads out of the folder, which no id of ours makes, is refused like by a disk. */
  #path(name: string): string {
    const path = join(this.#folder, name);
    if (basename(path) === name && dirname(path) === this.#folder) return path;
    throw Object.assign(new Error(`${name} is no name of a file`), { code: "EINVAL" });
  }

  /** Lets other windows know, once while the lock is held. What is written without it is no record. */
  async #markChange(): Promise<void> {
    if (!this.#holdsLock || this.#isMarked) return;
    this.#isMarked = true;
    await this.#mark.set();
  }

  async #prepareFolder(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  }

  /** Takes in what windows kept for themselves, once in a session. */
  async #adopt(): Promise<void> {
    if (this.#hasAdopted) return;
    this.#hasAdopted = true;
    for (const stray of this.#strays)
      if (await adoptJobs(stray, this.session, this.#folder)) await this.#markChange();
  }

  /** What an earlier version wrote for every user to read becomes its owner's, once in a session. */
  async #tighten(names: readonly string[]): Promise<void> {
    if (this.#isTightened) return;
    this.#isTightened = true;
    // A folder that is a link was arranged by its owner, and what it leads to may be anything.
    const folder = await lstat(this.#folder).catch(() => undefined);
    if (!folder?.isDirectory()) return;
    await chmod(this.#folder, OWNER_ONLY_FOLDER).catch(() => undefined);
    await inPool(names, FILES_AT_ONCE, async (name) => {
      // `chmod` follows links, also to a program or a device: only an opened file is certainly the one that was looked at.
      await withOwnFile(join(this.#folder, name), (file) => file.chmod(OWNER_ONLY_FILE)).catch(
        () => undefined,
      );
    });
  }

  #fault(error: unknown, what: string): Error {
    return diskError(error, what, this.#folder);
  }
}

/** The bytes of a file; of one that is far too large to be ours only the first. */
async function beginningOf(file: FileHandle): Promise<Uint8Array> {
  const { size } = await file.stat();
  if (size <= LARGEST_OWN_FILE) return file.readFile();
  const { buffer } = await file.read(Buffer.alloc(LARGEST_OWN_FILE), 0, LARGEST_OWN_FILE, 0);
  return buffer;
}
