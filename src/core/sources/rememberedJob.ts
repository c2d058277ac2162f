import type { FolderReader } from "../files/folderReader.ts";

/** What a job came to, and the files by which it stands. */
interface Remembered<T> {
  readonly value: T;
  /** When each file was last written; `undefined` for one that is not there. */
  readonly written: ReadonlyMap<string, number | undefined>;
}

/** A file that was written so shortly before it was read may be written again without a later time. */
const SETTLED_AFTER_MS = 100;
const MOST_KNOWN = 8;

/**
 * Remembers what was made of many files from one command to the next, as long as none of them is written. Only where
 * the file system says when that was; the last few jobs, since a person works on one project at a time.
 */
export class RememberedJobs<T> {
  readonly #known = new Map<string, Remembered<T>>();

  /**
   * @param key Everything that the value depends on but for the files.
   * @param make The value, and the paths of the files that it was made of.
   */
  async get(
    files: FolderReader,
    key: string,
    make: () => Promise<{ readonly value: T; readonly paths: Iterable<string> }>,
  ): Promise<T> {
    const known = this.#known.get(key);
    if (known && (await isUnchanged(files, known.written))) {
      this.#known.delete(key);
      this.#known.set(key, known);
      return known.value;
    }
    const begun = Date.now();
    const { value, paths } = await make();
    this.#known.delete(key);
    const written = new Map(
      await Promise.all(
        [...new Set(paths)].map(async (path) => [path, await files.modified?.(path)] as const),
      ),
    );
    const times = [...written.values()].filter((time) => time !== undefined);
    if (times.length > 0 && times.every((time) => time < begun - SETTLED_AFTER_MS)) {
      this.#known.set(key, { value, written });
      for (const oldest of [...this.#known.keys()].slice(0, -MOST_KNOWN)) this.#known.delete(oldest);
    }
    return value;
  }
}

async function isUnchanged(
  files: FolderReader,
  written: ReadonlyMap<string, number | undefined>,
): Promise<boolean> {
  const same = await Promise.all(
    [...written].map(async ([path, time]) => (await files.modified?.(path)) === time),
  );
  return !same.includes(false);
}
