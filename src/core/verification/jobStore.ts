import type { StandardJsonInput } from "../compilerInput/standardJsonInput.ts";
import type { JobError, VerificationJob } from "./job.ts";
import { JobAttachments } from "./jobAttachments.ts";
import { isFinished, type JobRecord } from "./jobRecord.ts";
import type { JobStorage } from "./jobStorage.ts";

const RECORD_SUFFIX = ".job.json";
const HISTORY = "history.json";
/** From so many finished jobs in files of their own on, they are moved into the history. */
const MOST_FILES = 40;
/** Older finished jobs are forgotten. */
const MOST_JOBS = 2000;

const CODE_FIELDS = [
  "recompiledCreationCode",
  "recompiledRuntimeCode",
  "onchainCreationCode",
  "onchainRuntimeCode",
] as const;

/** A submitted source: its source unit name, and its absolute path. */
export interface SubmittedFile {
  readonly name: string;
  readonly path: string;
}

type Codes = Pick<JobError, (typeof CODE_FIELDS)[number]>;

/**
 * The jobs of a workspace. Every change is on disk before it is answered, a file for each job that is young, so that
 * neither a crash nor a second window loses one; older ones share the history, which is read in one go. What was
 * submitted and the bytecodes of a failure lie beside it and are read only when asked for.
 */
export class JobStore {
  readonly #storage: JobStorage;
  readonly #attachments: JobAttachments;
  readonly #records = new Map<string, JobRecord>();
  readonly #inHistory = new Set<string>();
  /** Written in this session. */
  readonly #written = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #loading: Promise<void> | undefined;

  constructor(storage: JobStorage) {
    this.#storage = storage;
    this.#attachments = new JobAttachments(storage);
  }

  /** Reads what an earlier session kept; a file that can't be read is left where it is. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Newest first. */
  all(): JobRecord[] {
    return [...this.#records.values()].sort((a, b) => b.submittedAt - a.submittedAt);
  }

  get(id: string): JobRecord | undefined {
    return this.#records.get(id);
  }

  byVerificationId(verificationId: string): JobRecord | undefined {
    return this.all().find((record) => record.verificationId === verificationId);
  }

  /** @param files where the sources are on disk */
  async add(
    record: JobRecord,
    input?: StandardJsonInput,
    files: readonly SubmittedFile[] = [],
  ): Promise<void> {
    if (input) await this.#attachments.write(record.id, "input", input, () => this.#oldestFirst());
    if (files.length > 0) await this.#attachments.write(record.id, "files", files, () => this.#oldestFirst());
    await this.#put(record);
  }

  /** Changes a record; answers it as it is now. A record that was removed meanwhile stays removed. */
  async update(id: string, change: Partial<JobRecord>): Promise<JobRecord | undefined> {
    const before = this.#records.get(id);
    if (!before) return undefined;
    const after = { ...before, ...change };
    await this.#put(after);
    return after;
  }

  async remove(id: string): Promise<void> {
    this.#records.delete(id);
    this.#changed();
    await Promise.all([this.#storage.remove(id + RECORD_SUFFIX), this.#attachments.remove(id)]);
    if (this.#inHistory.delete(id)) await this.#writeHistory();
  }

  /** The input as it was submitted; `undefined` when it had to make room for newer ones. */
  async input(id: string): Promise<StandardJsonInput | undefined> {
    await this.load();
    return (await this.#attachments.read(id, "input")) as StandardJsonInput | undefined;
  }

  /** Where the submitted sources were on disk. */
  async files(id: string): Promise<readonly SubmittedFile[]> {
    await this.load();
    const files = await this.#attachments.read(id, "files");
    return Array.isArray(files) ? (files as SubmittedFile[]) : [];
  }

  /** The last job status with the bytecodes of its error, also those that the service has forgotten since. */
  async wholeJob(id: string): Promise<VerificationJob | undefined> {
    await this.load();
    const job = this.#records.get(id)?.job;
    if (!job?.error) return job;
    const kept = (await this.#attachments.read(id, "codes")) as Codes | undefined;
    const own = Object.fromEntries(Object.entries(job.error).filter(([, value]) => value !== null));
    return { ...job, error: { ...kept, ...(own as unknown as JobError) } };
  }

  /** Calls `listener` after every change until the answered function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #load(): Promise<void> {
    const files = await this.#storage.list();
    for (const { name, bytes } of files) this.#attachments.found(name, bytes);
    const names = files.map(({ name }) => name);
    const [history, ...records] = await Promise.all(
      [HISTORY, ...names.filter((name) => name.endsWith(RECORD_SUFFIX))].map(async (name) =>
        names.includes(name) ? parsed(await this.#storage.read(name)) : undefined,
      ),
    );
    for (const one of Array.isArray(history) ? (history as unknown[]) : []) {
      if (this.#take(one)) this.#inHistory.add((one as JobRecord).id);
    }
    // A job that has a file of its own was changed after it went into the history.
    for (const one of records) this.#take(one);
    this.#changed();
    await this.#compact(records.filter(isRecord).map(({ id }) => id));
  }

  /** What this session wrote meanwhile is newer than what is read. */
  #take(one: unknown): boolean {
    if (!isRecord(one) || this.#written.has(one.id)) return false;
    this.#records.set(one.id, one);
    return true;
  }

  /** Moves finished jobs out of their files: the history is written first, so that a crash only leaves copies. */
  async #compact(ids: readonly string[]): Promise<void> {
    const finished = ids.filter((id) => {
      const record = this.#records.get(id);
      return record && isFinished(record) && !this.#written.has(id);
    });
    if (finished.length <= MOST_FILES) return;
    for (const id of finished) this.#inHistory.add(id);
    const surplus = this.all().filter(isFinished).slice(MOST_JOBS);
    for (const { id } of surplus) {
      this.#records.delete(id);
      this.#inHistory.delete(id);
    }
    await this.#writeHistory();
    await Promise.all([
      ...finished.map((id) => this.#storage.remove(id + RECORD_SUFFIX)),
      ...surplus.map(({ id }) => this.#attachments.remove(id)),
    ]);
  }

  async #writeHistory(): Promise<void> {
    const records = this.all().filter(({ id }) => this.#inHistory.has(id));
    await this.#storage.write(HISTORY, bytesOf(records.map((record) => withoutCodes(record).slim)));
  }

  async #put(record: JobRecord): Promise<void> {
    this.#records.set(record.id, record);
    this.#written.add(record.id);
    this.#changed();
    const { slim, codes } = withoutCodes(record);
    if (codes && !this.#attachments.has(record.id, "codes"))
      await this.#attachments.write(record.id, "codes", codes, () => this.#oldestFirst());
    await this.#storage.write(record.id + RECORD_SUFFIX, bytesOf(slim));
  }

  /** Jobs whose attachments may make room for newer ones. */
  #oldestFirst(): string[] {
    return this.all()
      .filter(isFinished)
      .map(({ id }) => id)
      .reverse();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function parsed(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as unknown);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is JobRecord {
  const record = value as Partial<JobRecord> | null | undefined;
  return typeof record?.id === "string" && typeof record.submittedAt === "number";
}

/** A record as it is written: bytecodes go into an attachment of their own. */
function withoutCodes(record: JobRecord): { readonly slim: JobRecord; readonly codes?: Codes } {
  const error = record.job?.error;
  if (!error || !CODE_FIELDS.some((field) => error[field])) return { slim: record };
  const codes = Object.fromEntries(CODE_FIELDS.map((field) => [field, error[field] ?? null]));
  const rest = Object.fromEntries(
    Object.entries(error).filter(([name]) => !(CODE_FIELDS as readonly string[]).includes(name)),
  ) as unknown as JobError;
  return { slim: { ...record, job: { ...record.job, error: rest } }, codes };
}
