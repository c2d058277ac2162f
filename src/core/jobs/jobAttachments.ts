import { jsonInPieces, textParts } from "../json/jsonPieces.ts";
import { frozenInPieces } from "../json/deepFrozen.ts";
import { decodedInPieces } from "../json/decodedText.ts";
import { parsedInPieces } from "../json/parsedPieces.ts";
import { inTurns, Turns, type Pieces } from "../concurrency/turns.ts";
import { readInPieces, type Shape } from "../json/shape.ts";
import type { JobStorage, StoredFile } from "./jobStorage.ts";

const SUFFIX = ".json.gz";
/** What all attachments together may take; the oldest go first. */
const MAX_BYTES = 14 * 1024 * 1024;
/** What an attachment may unpack to: twice the largest input. A packed kilobyte can be a gigabyte of blanks. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

/** What belongs to a job and is too large for its record. */
type AttachmentKind =
  | "input"
  | "files"
  | "whole"
  /** The bytecodes of a failure. */
  | "codes"
  /** The job status as a whole, where a record keeps less of it. */
  | "answer";

/**
 * Compressed JSON beside the records: what was submitted, and the bytecodes of a failure, which services forget.
 * They are read only when they are shown, and the oldest make room for new ones.
 */
export class JobAttachments {
  readonly #storage: JobStorage;
  readonly #sizes = new Map<string, number>();
  /** Of all sizes. */
  #total = 0;

  constructor(storage: JobStorage) {
    this.#storage = storage;
  }

  /** Takes note of what there is: earlier runs and other windows left it. */
  found(files: readonly StoredFile[]): void {
    this.#sizes.clear();
    this.#total = 0;
    for (const { name, bytes } of files) if (name.endsWith(SUFFIX)) this.#keepSize(name, bytes);
  }

  /**
   * Keeps an attachment.
   *
   * @param oldestFirst ids of the jobs whose attachments may go, when there is no room
   */
  async write(
    id: string,
    kind: AttachmentKind,
    content: unknown,
    oldestFirst: () => Iterable<string>,
  ): Promise<void> {
    const name = nameOf(id, kind);
    const bytes = await gzip(await inTurns(jsonInPieces(content)));
    await this.#storage.write(name, bytes);
    this.#keepSize(name, bytes.length);
    if (this.#total <= MAX_BYTES) return;
    for (const old of oldestFirst()) {
      if (this.#total <= MAX_BYTES) return;
      if (old !== id) await this.remove(old);
    }
  }

  /** `undefined` for one that is not there, or can't be read; that one stays where it is. */
  async read<T>(id: string, kind: AttachmentKind, shape: Shape<T>): Promise<T | undefined> {
    const name = nameOf(id, kind);
    // Asked of the disk: another window may have written it since.
    const bytes = await this.#storage.read(name);
    try {
      return bytes && (await inTurns(frozenReading(shape, await gunzip(bytes))));
    } catch {
      return undefined;
    }
  }

  has(id: string, kind: AttachmentKind): boolean {
    return this.#sizes.has(nameOf(id, kind));
  }

  /** Removes what belongs to a job, or one kind of it. */
  async remove(id: string, kind?: AttachmentKind): Promise<void> {
    const names = (kind ? [kind] : KINDS)
      .map((one) => nameOf(id, one))
      .filter((name) => this.#forgetSize(name));
    await Promise.all(names.map((name) => this.#storage.remove(name)));
  }

  /** Removes what belongs to no job: a crash came between the removal of a job and of what belongs to it. */
  async removeOrphans(hasJob: (id: string) => boolean): Promise<void> {
    const orphans = [...this.#sizes.keys()].filter((name) => !hasJob(name.slice(0, name.indexOf("."))));
    for (const name of orphans) {
      this.#forgetSize(name);
      await this.#storage.remove(name);
    }
  }

  #keepSize(name: string, bytes: number): void {
    this.#total += bytes - (this.#sizes.get(name) ?? 0);
    this.#sizes.set(name, bytes);
  }

  #forgetSize(name: string): boolean {
    this.#total -= this.#sizes.get(name) ?? 0;
    return this.#sizes.delete(name);
  }
}

const KINDS: readonly AttachmentKind[] = ["input", "files", "whole", "codes", "answer"];

function nameOf(id: string, kind: AttachmentKind): string {
  return `${id}.${kind}${SUFFIX}`;
}

function gzip(text: string): Promise<Uint8Array> {
  return through(encodedInTurns(text), new CompressionStream("gzip"));
}

async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const unpacked = await through([bytes], new DecompressionStream("gzip"), MAX_UNPACKED_BYTES);
  // To put 25 MB together takes some milliseconds: others come in between.
  await new Turns().next();
  return unpacked;
}

/** Frozen, so that what was submitted stays what it was without being gone through again. */
function* frozenReading<T>(shape: Shape<T>, json: Uint8Array): Pieces<T | undefined> {
  const text = yield* decodedInPieces(json);
  yield;
  const value = yield* parsedInPieces(text);
  return yield* frozenInPieces(yield* readInPieces(shape, value));
}

async function through(
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  transform: CompressionStream | DecompressionStream,
  most = Infinity,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const source = ReadableStream.from<Uint8Array>(parts);
  for await (const chunk of source.pipeThrough(transform)) {
    length += (chunk as Uint8Array).length;
    if (length > most) throw new RangeError("It unpacks to more than is read.");
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

/** A text in UTF-8, in parts, with turns for others in between. */
async function* encodedInTurns(text: string): AsyncGenerator<Uint8Array> {
  const turns = new Turns();
  for (const part of textParts(text)) {
    if (turns.isOver) await turns.next();
    yield Buffer.from(part);
  }
}
