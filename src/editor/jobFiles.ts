import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Uri } from "vscode";
import type { JobStorage } from "../core/verification/jobStorage.ts";

/** The end of a file's name while it is being written. */
const UNFINISHED = ".new";
/** No write takes so long. */
const LEFT_BEHIND_MS = 60_000;

/**
 * Keeps jobs as files in the extension's storage folder of this workspace, which is always on the disk of the
 * extension host: Node reads a thousand small files there in the time in which the editor's file service reads few.
 */
export class JobFiles implements JobStorage {
  readonly #folder: string;
  #writes = 0;

  constructor(storage: Pick<Uri, "fsPath">) {
    this.#folder = join(storage.fsPath, "jobs");
  }

  async list(): Promise<{ name: string; bytes: number }[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        const found = await stat(path).catch(() => undefined);
        if (!found?.isFile()) return [];
        if (!name.endsWith(UNFINISHED)) return [{ name, bytes: found.size }];
        // A crash left it behind; a young one may be the work of another window.
        if (Date.now() - found.mtimeMs > LEFT_BEHIND_MS) await rm(path, { force: true });
        return [];
      }),
    );
    return files.flat();
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    return readFile(join(this.#folder, name)).catch(() => undefined);
  }

  async write(name: string, content: Uint8Array): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    // A rename replaces the file as a whole: a crash leaves the old one or the new one.
    const fresh = join(this.#folder, `${name}.${process.pid}-${++this.#writes}${UNFINISHED}`);
    await writeFile(fresh, content);
    await rename(fresh, join(this.#folder, name));
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }
}
