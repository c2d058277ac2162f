import type { StandardJsonInput } from "../compilerInput/standardJsonInput.ts";
import type { JobError, VerificationJob } from "./job.ts";
import { JobAttachments } from "./jobAttachments.ts";
import { isFinished, type JobRecord } from "./jobRecord.ts";
import type { JobStorage } from "./jobStorage.ts";
import type { FilePlace } from "./publishReview.ts";

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

/** A submitted source: its source unit name, its absolute path, and where it is from as the review showed it. */
export interface SubmittedFile {
  readonly name: string;
  readonly path: string;
  /** Absent in what an earlier version kept. */
  readonly place?: FilePlace;
}

/** What belongs to a submission and is kept beside its record. */
export interface SubmissionParts {
  readonly input?: StandardJsonInput | undefined;
  /** Where the sources are on disk. */
  readonly files?: readonly SubmittedFile[] | undefined;
  /** All that the build compiled, for a second try. */
  readonly whole?: WholeSubmission | undefined;
}

/** All that a build compiled, where that is more than what was submitted. */
export interface WholeSubmission {
  readonly stdJsonInput: StandardJsonInput;
  readonly files: readonly SubmittedFile[];
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
  /** The last write of each file, so that an older state never overtakes a newer one. */
  readonly #writes = new Map<string, Promise<void>>();
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

  /**
   * Keeps a new record, then what belongs to it: of what belongs to nobody nothing would be known. The input comes last,
   * so that where it is there, everything is.
   */
  async add(record: JobRecord, { input, files, whole }: SubmissionParts = {}): Promise<void> {
    await this.#put(record);
    const parts = [
      ["whole", whole],
      ["files", files?.length ? files : undefined],
      ["input", input],
    ] as const;
    for (const [kind, content] of parts)
      if (content) await this.#attachments.write(record.id, kind, content, () => this.#oldestFirst());
  }

  /** Changes a record; answers it as it is now. A record that was removed meanwhile stays removed. */
  async update(id: string, change: Partial<JobRecord>): Promise<JobRecord | undefined> {
    await this.#refresh(id);
    const before = this.#records.get(id);
    if (!before) return undefined;
    // As it will be read again: what is undefined is not there.
    const after = Object.fromEntries(
      Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined),
    ) as unknown as JobRecord;
    await this.#put(after);
    return after;
  }

  async remove(id: string): Promise<void> {
    this.#records.delete(id);
    this.#changed();
    await this.#writes.get(id + RECORD_SUFFIX)?.catch(() => undefined);
    await this.#storage.remove(id + RECORD_SUFFIX);
    if (this.#inHistory.delete(id)) await this.#writeHistory();
    await this.#attachments.remove(id);
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

  /** All that the build compiled, as long as it may be needed for a second try. */
  async whole(id: string): Promise<WholeSubmission | undefined> {
    await this.load();
    return (await this.#attachments.read(id, "whole")) as WholeSubmission | undefined;
  }

  /** Whether a job may have a second try with all that the build compiled. */
  hasWhole(id: string): boolean {
    return this.#attachments.has(id, "whole");
  }

  /** Makes room: the second try of a job will not be needed, or was made. */
  async forgetWhole(id: string): Promise<void> {
    if (this.#attachments.has(id, "whole")) await this.#attachments.remove(id, "whole");
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
    if (!names.includes(HISTORY) || Array.isArray(history))
      await this.#attachments.removeOrphans(
        (id) => this.#records.has(id) || names.includes(id + RECORD_SUFFIX),
      );
    await this.#compact(records.filter(isRecord).map(({ id }) => id));
  }

  /**
   * Another window may have changed a record since it was read, and may have got the id of a job that is in doubt
   * here.
   */
  async #refresh(id: string): Promise<void> {
    const isOurs = this.#written.has(id);
    const known = this.#records.get(id);
    if (!known || (isOurs && (known.verificationId !== undefined || known.stage === "prepared"))) return;
    const found = parsed(await this.#storage.read(id + RECORD_SUFFIX));
    if (!isRecord(found) || this.#records.get(id) !== known) return;
    if (!isOurs || found.verificationId !== undefined) this.#records.set(id, found);
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
    await this.#write(HISTORY, bytesOf(records.map((record) => withoutCodes(record).slim)));
  }

  /** One write of a file after the other. */
  #write(name: string, content: Uint8Array): Promise<void> {
    const before = this.#writes.get(name) ?? Promise.resolve();
    const write = before.catch(() => undefined).then(() => this.#storage.write(name, content));
    this.#writes.set(name, write);
    const forget = () => {
      if (this.#writes.get(name) === write) this.#writes.delete(name);
    };
    write.then(forget, forget);
    return write;
  }

  async #put(record: JobRecord): Promise<void> {
    this.#records.set(record.id, record);
    this.#written.add(record.id);
    this.#changed();
    const { slim, codes } = withoutCodes(record);
    if (codes && !this.#attachments.has(record.id, "codes"))
      await this.#attachments.write(record.id, "codes", codes, () => this.#oldestFirst());
    await this.#write(record.id + RECORD_SUFFIX, bytesOf(slim));
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
