import { inPool } from "../concurrency/inPool.ts";
import { openSource } from "./openedSources.ts";
import type { SourceReader } from "../files/folderReader.ts";
import { noteSkipped } from "../files/skippedFiles.ts";
import { UnreadableFile } from "../files/unreadableFile.ts";
import { SourceBoundary, type BoundaryFolders, type SourceOrigin } from "./sourceBoundary.ts";

/** So many files are opened together. */
const AT_ONCE = 64;

/** A file that lies outside and may not go. */
export interface ForbiddenSource {
  /** The path behind every link. */
  readonly forbidden: string;
}

/** A file that may go into an input. Only {@link AdmittedSources} can make one. */
class Admitted {
  readonly path: string;
  readonly realPath: string;
  readonly bytes: Uint8Array;
  readonly place: Exclude<SourceOrigin, "outside">;
  /** Keeps an object of the same form from passing for this one. */
  readonly #isAdmitted = true;

  constructor(path: string, realPath: string, bytes: Uint8Array, place: Exclude<SourceOrigin, "outside">) {
    this.path = path;
    this.realPath = realPath;
    this.bytes = bytes;
    this.place = place;
  }

  static has(value: unknown): value is Admitted {
    return typeof value === "object" && value !== null && #isAdmitted in value;
  }
}

export type { Admitted as AdmittedSource };

/**
 * The only way by which a file comes into an input: it is opened once, and what was opened is judged by where it
 * really lies. The same path gives the same bytes as long as the job lasts.
 */
export class AdmittedSources {
  readonly boundary: SourceBoundary;
  readonly #files: SourceReader;
  readonly #sources = new Map<string, Promise<Admitted | ForbiddenSource | undefined>>();
  readonly #admitted = new Map<string, Admitted>();

  constructor(files: SourceReader, boundary: SourceBoundary) {
    this.#files = files;
    this.boundary = boundary;
  }

  /** The sources inside some folders. */
  static async of(files: SourceReader, folders: BoundaryFolders): Promise<AdmittedSources> {
    return new AdmittedSources(files, await SourceBoundary.around(files, folders));
  }

  /** The same with another reader, which is made of the one that there is; nothing is open yet. */
  through(change: (files: SourceReader) => SourceReader): AdmittedSources {
    return new AdmittedSources(change(this.#files), this.boundary);
  }

  /** The file of a path, if there is one and it may go. */
  at(path: string): Promise<Admitted | ForbiddenSource | undefined> {
    let known = this.#sources.get(path);
    if (!known) this.#sources.set(path, (known = this.#open(path)));
    return known;
  }

  /** {@link at}, for a file that can be done without: one that is there and can't be read is noted as skipped. */
  async ifReadable(path: string): Promise<Admitted | ForbiddenSource | undefined> {
    try {
      return await this.at(path);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      noteSkipped(this.#files, path, error.reason);
      return undefined;
    }
  }

  /** The files of many paths that are there, can be read and may go, in the order of the paths. */
  async allReadable(paths: readonly string[]): Promise<Admitted[]> {
    const all = await inPool(paths, AT_ONCE, (path) => this.ifReadable(path));
    return all.filter((source) => Admitted.has(source));
  }

  /** What {@link at} admitted by this path. */
  admitted(path: string): Admitted | undefined {
    return this.#admitted.get(path);
  }

  /** The names in a folder, to save asking for files that can't be there; `undefined` where nothing can be listed. */
  async namesIn(folder: string): Promise<readonly string[] | undefined> {
    if (!this.#files.list) return undefined;
    return ((await this.#files.list(folder)) ?? []).map(({ name }) => name);
  }

  async #open(path: string): Promise<Admitted | ForbiddenSource | undefined> {
    const opened = await openSource(this.#files, path);
    if (!opened) return undefined;
    const found = this.boundary.placeOf(opened.realPath);
    const place = typeof found === "string" ? found : await found;
    if (place === "outside") return { forbidden: opened.realPath };
    const admitted = new Admitted(path, opened.realPath, opened.bytes, place);
    this.#admitted.set(path, admitted);
    return admitted;
  }
}
