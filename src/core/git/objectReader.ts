import { t } from "@vscode/l10n";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { LedgerLensError } from "../errors.ts";
import { BoundedMemory } from "../files/boundedMemory.ts";
import {
  isObjectId,
  readCommit,
  readTree,
  taggedObject,
  type GitCommit,
  type GitEntry,
  type GitObjects,
} from "./gitObjects.ts";
import { gitError, type GitProgram } from "./gitProgram.ts";

/** An object as it is stored. */
interface StoredObject {
  readonly id: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Trees and commits are not larger: a folder of a hundred thousand files has some 5 MB. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** Of a disk that does not answer no more is waited for. */
const ANSWER_MS = 60_000;
/** The line before an object: id, type and size. */
const MAX_HEADER_BYTES = 512;
/** Trees that are kept, in entries: the next commit has nearly all of them. */
const MAX_KEPT_ENTRIES = 400_000;
const MAX_KEPT_BLOB_BYTES = 64 * 1024 * 1024;
/** A larger one is not worth the place of so many others. */
const LARGEST_KEPT_BLOB_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;

/** Reads objects through `git cat-file --batch`, one after the other; what never changes under its id is remembered. */
export class ObjectReader implements GitObjects {
  readonly #program: GitProgram;
  readonly #objects: string;
  readonly #trees = new BoundedMemory<readonly GitEntry[]>(MAX_KEPT_ENTRIES, (entries) => entries.length + 1);
  readonly #blobs = new BoundedMemory<Uint8Array>(MAX_KEPT_BLOB_BYTES, (bytes) => bytes.length + 1);
  #process: ChildProcessWithoutNullStreams | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  /** @param objects the folder of the objects, as the system writes it */
  constructor(program: GitProgram, objects: string) {
    this.#program = program;
    this.#objects = objects;
  }

  async commit(id: string): Promise<GitCommit | undefined> {
    const object = await this.#read(id, MAX_LIST_BYTES);
    return object?.type === "commit" ? readCommit(object.id, object.bytes) : undefined;
  }

  /** The commit that an id stands for, that of an annotated tag included; the id may be shortened. */
  async commitOf(id: string): Promise<GitCommit | undefined> {
    // A tag may name a tag.
    for (let [at, left] = [id, 8]; left > 0; left--) {
      const object = await this.#read(at, MAX_LIST_BYTES).catch((error: unknown) => {
        // A tag of a file that is larger than any commit names none.
        if (error instanceof LedgerLensError && error.code === "git_object_too_large") return undefined;
        throw error;
      });
      if (object?.type !== "tag")
        return object?.type === "commit" ? readCommit(object.id, object.bytes) : undefined;
      const tagged = taggedObject(object.bytes);
      if (tagged === undefined) return undefined;
      at = tagged;
    }
    return undefined;
  }

  async tree(id: string): Promise<readonly GitEntry[] | undefined> {
    const known = this.#trees.get(id);
    if (known) return known;
    const object = await this.#read(id, MAX_LIST_BYTES);
    if (object?.type !== "tree") return undefined;
    const entries = readTree(object.bytes, object.id.length / 2);
    this.#trees.set(id, entries);
    return entries;
  }

  async blob(id: string, largest: number): Promise<Uint8Array | undefined> {
    const known = this.#blobs.get(id);
    if (known && known.length <= largest) return known;
    const object = await this.#read(id, largest);
    if (object?.type !== "blob") return undefined;
    if (object.bytes.length <= LARGEST_KEPT_BLOB_BYTES) this.#blobs.set(id, object.bytes);
    return object.bytes;
  }

  dispose(): void {
    this.#isOver = true;
    this.#stop();
  }

  #read(id: string, largest: number): Promise<StoredObject | undefined> {
    const next = this.#last.then(() => this.#ask(id, largest));
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #ask(id: string, largest: number): Promise<StoredObject | undefined> {
    if (this.#isOver) throw new LedgerLensError("cancelled", t`Reading the repository was cancelled.`);
    // Anything else is an expression, which may stand for many objects.
    if (!isObjectId(id) && !/^[0-9a-f]{7,40}$/.test(id)) return undefined;
    const git = (this.#process ??= this.#started());
    try {
      return await answerOf(git, id, largest);
    } catch (error) {
      // What is left of the answer would be taken for the next one.
      this.#stop();
      throw error;
    }
  }

  #started(): ChildProcessWithoutNullStreams {
    const git = this.#program.readObjects(this.#objects);
    // Both say by the end of the output what happened.
    git.on("error", () => undefined);
    // Without a place for its output, as where too many files are open, nothing was begun.
    if ((git as Partial<typeof git>).stdin === undefined) throw gitError(new Error("git can't be started."));
    git.stdin.on("error", () => undefined);
    git.stderr.resume();
    return git;
  }

  #stop(): void {
    this.#process?.kill("SIGKILL");
    this.#process = undefined;
  }
}

/** Asks for one object, and takes exactly its answer from the output. */
function answerOf(
  git: ChildProcessWithoutNullStreams,
  id: string,
  largest: number,
): Promise<StoredObject | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let header: Header | undefined;
    const timer = setTimeout(() => end(() => reject(gitError(new Error("git does not answer.")))), ANSWER_MS);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      git.stdout.off("data", take);
      git.off("error", fail);
      git.off("close", closed);
      settle();
    };
    const fail = (error: Error) => end(() => reject(gitError(error)));
    const closed = () => fail(new Error("git ended before it answered."));
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (!header) {
        const all = Buffer.concat(chunks);
        const lineEnd = all.indexOf(LINE_FEED);
        if (lineEnd < 0) {
          if (length > MAX_HEADER_BYTES) fail(new Error("git answers in another form."));
          return;
        }
        header = headerOf(all.subarray(0, lineEnd).toString());
        if (!header) {
          end(() => resolve(undefined));
          return;
        }
        if (header.size > largest) {
          end(() => reject(tooLarge(id)));
          return;
        }
        chunks.splice(0, chunks.length, all.subarray(lineEnd + 1));
        length = all.length - lineEnd - 1;
      }
      // A line feed follows the bytes.
      if (length <= header.size) return;
      const { size, ...rest } = header;
      end(() => resolve({ ...rest, bytes: Buffer.concat(chunks).subarray(0, size) }));
    };
    git.stdout.on("data", take);
    git.once("error", fail);
    git.once("close", closed);
    git.stdin.write(`${id}\n`);
  });
}

interface Header {
  readonly id: string;
  readonly type: string;
  readonly size: number;
}

/** `<id> <type> <size>`; what is missing or ambiguous has none. */
function headerOf(line: string): Header | undefined {
  const [, id, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? [];
  return id !== undefined && type !== undefined ? { id, type, size: Number(size) } : undefined;
}

function tooLarge(id: string): LedgerLensError {
  return new LedgerLensError(
    "git_object_too_large",
    t`The object ${id} of the repository is too large to be read.`,
  );
}
