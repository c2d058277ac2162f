import { inPool } from "../concurrency/inPool.ts";
import { BoundedMemory } from "../files/boundedMemory.ts";
import { joinPath, openFile } from "../files/fileReader.ts";
import { isSameState, isSettled, type FileState } from "../files/fileState.ts";
import { collectSkipped } from "../files/skippedFiles.ts";
import type { AdmittedSources } from "./admittedSources.ts";
import { rememberingReader, type FolderReader, type SourceReader } from "../files/folderReader.ts";

/** What was made, and the files by which it stands. */
interface Remembered<T> {
  readonly value: T;
  /** Of everything that was asked for; `undefined` for what is not there. */
  readonly states: ReadonlyMap<string, FileState | undefined>;
}

const MAX_KNOWN = 8;
/** So many projects of a workspace are asked about a file that none of them holds. */
export const MAX_PROJECTS = 64;
/** So many files are looked at together; see {@link isUnchanged}. */
const AT_ONCE = 64;

/**
 * Remembers what was made of many files from one command to the next, as long as none of them is changed, comes or goes.
 * Only where the file system can tell two states of a file apart, and nothing was left out that would have to be told of
 * again; the last few jobs, since a person works on one project at a time.
 */
export class RememberedResults<T> {
  readonly #kind: () => BoundedMemory<Remembered<T>>;

  /** @param most of how many jobs */
  constructor(most = MAX_KNOWN) {
    this.#kind = () => new BoundedMemory(most);
  }

  /**
   * @param key Everything that the value depends on but for the files and what the reader may see.
   * @param make The value, made of what is read through these and of nothing else.
   */
  async get(files: FolderReader, key: string, make: (asked: AskedFiles) => Promise<T>): Promise<T> {
    const place = JSON.stringify([files.scope, key]);
    const memory = files.memory?.of(this.#kind);
    const known = memory?.get(place);
    if (known && (await isUnchanged(files, known.states))) return known.value;
    const begun = files.since ?? Date.now();
    const leftOut = files.leftOut?.();
    const asked = new AskedFiles(files);
    const value = await make(asked);
    memory?.delete(place);
    const states = memory && files.leftOut?.() === leftOut ? await asked.states(begun) : undefined;
    if (states) memory?.set(place, { value, states });
    return value;
  }
}

/** Reads for a job, and keeps account of what it was asked for. */
class AskedFiles {
  readonly files: FolderReader;
  readonly #files: FolderReader;
  /** By path, whether there was anything. */
  readonly #asked = new Map<string, boolean>();

  constructor(files: FolderReader) {
    this.#files = files;
    this.files = rememberingReader(this.#noting(files));
  }

  /** The same sources, read once more for this job. */
  sources(of: AdmittedSources): AdmittedSources {
    return of.through((files) => this.#noting(files));
  }

  #noting<Reader extends SourceReader>(files: Reader): Reader {
    const noted = async <V>(path: string, answer: Promise<V>): Promise<V> => {
      this.#asked.set(path, this.#asked.get(path) ?? false);
      const value = await answer;
      if (value !== undefined) this.#asked.set(path, true);
      return value;
    };
    const reader: Reader = {
      ...files,
      read: (path, largest) => noted(path, files.read(path, largest)),
      open: (path, largest) => noted(path, openFile(files, path, largest)),
      realPath: (path) => noted(path, files.realPath(path)),
      // What was opened before is not opened again, and only its state is asked for.
      ...(files.state && {
        state: (path) => noted(path, files.state?.(path) ?? Promise.resolve(undefined)),
      }),
      ...(files.list && {
        list: async (path) => {
          const entries = await noted(path, files.list?.(path) ?? Promise.resolve(undefined));
          // What a link leads to is no matter of the folder.
          for (const { name, link } of entries ?? []) if (link) this.#asked.set(joinPath(path, name), true);
          return entries;
        },
      }),
      ...(files.namesInDiskOrder && {
        namesInDiskOrder: (path) => noted(path, files.namesInDiskOrder?.(path) ?? Promise.resolve(undefined)),
      }),
    };
    collectSkipped(reader, files);
    return reader;
  }

  /** The states of all of it, if they are what was read after `begun`. */
  async states(begun: number): Promise<ReadonlyMap<string, FileState | undefined> | undefined> {
    if (!this.#files.state) return undefined;
    const states = new Map<string, FileState | undefined>();
    await inPool([...this.#asked.keys()], AT_ONCE, async (path) => {
      states.set(path, await this.#files.state?.(path));
    });
    const isCertain = ([path, wasThere]: [string, boolean]) => {
      const one = states.get(path);
      return one ? isSettled(one, begun) : !wasThere;
    };
    return [...this.#asked].every(isCertain) ? states : undefined;
  }
}

async function isUnchanged(
  files: FolderReader,
  states: ReadonlyMap<string, FileState | undefined>,
): Promise<boolean> {
  const all = [...states];
  // What has changed is found among a few most of the time, since people change a few files that belong together.
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const same = await Promise.all(
      all
        .slice(from, from + AT_ONCE)
        .map(async ([path, state]) => isSameState(await files.state?.(path), state)),
    );
    if (same.includes(false)) return false;
  }
  return true;
}
