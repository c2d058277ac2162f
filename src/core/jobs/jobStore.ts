import { definedOnly } from "../json/looseData.ts";
import type { StandardJsonInput } from "../sources/standardJsonInput.ts";
import type { LedgerLensError } from "../errors.ts";
import { isDiskError } from "../files/diskError.ts";
import { verificationJob, type JobError, type VerificationJob } from "../service/job.ts";
import { JobAttachments } from "./jobAttachments.ts";
import { JobFolder, type UnreadableJob } from "./jobFolder.ts";
import { isFinished, type JobRecord } from "./jobRecord.ts";
import type { JobStorage } from "./jobStorage.ts";
import { codesOf, isCut, slimRecord } from "./slimRecord.ts";
import type { SubmissionParts, SubmittedFile, WholeSubmission } from "./submissionParts.ts";
import { storedCodes, storedFiles, storedInput, storedWhole } from "./storedJob.ts";

/** From so many finished jobs in files of their own on, they are moved into the history. */
const MAX_FILES = 40;
/** Older finished jobs are forgotten. */
const MAX_JOBS = 2000;

/** A record with changes that the disk did not take. */
interface Unkept {
  readonly record: JobRecord;
  readonly changes: Partial<JobRecord>;
}

/**
 * The jobs of a workspace. Every change is on disk before it is answered, a file for each job that is young, so that
 * neither a crash nor a second window loses one; older ones share the history, which is read in one go. What was
 * submitted and the bytecodes of a failure lie beside it and are read only when asked for.
 *
 * Windows on the same folder see the same jobs: each change is made to what is on disk then, and a job that was removed
 * in another window is not written again.
 */
export class JobStore {
  readonly #storage: JobStorage;
  readonly #attachments: JobAttachments;
  readonly #folder: JobFolder;
  readonly #written = new Set<string>();
  readonly #removed = new Set<string>();
  readonly #unkept = new Map<string, Unkept>();
  readonly #listeners = new Set<() => void>();
  #loading: Promise<void> | undefined;
  #problem: LedgerLensError | undefined;

  constructor(storage: JobStorage) {
    this.#storage = storage;
    this.#attachments = new JobAttachments(storage);
    this.#folder = new JobFolder(storage, slimRecord);
  }

  /** Reads what earlier sessions kept; what can't be read is left where it is, see {@link unreadable}. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  get isLoaded(): boolean {
    return this.#loading !== undefined;
  }

  /** Reads what other windows changed since. */
  async refresh(): Promise<void> {
    await this.load();
    await this.#noting(async () => {
      const isChanged = await this.#storage.exclusively(() => this.#sync());
      if (isChanged) this.#changed();
    });
  }

  /** Newest first. */
  all(): JobRecord[] {
    const records = new Map(this.#folder.all().map((record) => [record.id, record]));
    for (const [id, { record }] of this.#unkept) records.set(id, record);
    for (const id of this.#removed) records.delete(id);
    return [...records.values()].sort((a, b) => b.submittedAt - a.submittedAt);
  }

  get(id: string): JobRecord | undefined {
    if (this.#removed.has(id)) return undefined;
    return this.#unkept.get(id)?.record ?? this.#folder.get(id);
  }

  byVerificationId(verificationId: string): JobRecord | undefined {
    return this.all().find((record) => record.verificationId === verificationId);
  }

  /** Why the disk did not take the last change or could not be read; `undefined` since it did. */
  get problem(): LedgerLensError | undefined {
    return this.#problem;
  }

  /** What earlier sessions stored and can't be read. */
  unreadable(): UnreadableJob[] {
    return this.#folder.unreadable();
  }

  /** What can't be read, as text. */
  unreadableText(key: string): Promise<string | undefined> {
    return this.#storage.exclusively(() => this.#folder.unreadableText(key));
  }

  /** Removes what can't be read, for a person who decided so. */
  async removeUnreadable(key: string): Promise<void> {
    await this.#storage.exclusively(() => this.#folder.removeUnreadable(key));
    this.#changed();
  }

  /** Names this session in records; see `sender` there. */
  get session(): string {
    return this.#storage.session;
  }

  /** Whether another session runs that names itself so. */
  isOther(session: string): boolean {
    return session !== this.#storage.session && this.#storage.isRunning(session);
  }

  /** Whether a record was written by this session. */
  isOurs(id: string): boolean {
    return this.#written.has(id);
  }

  /**
   * Keeps a new record, then what belongs to it: of what belongs to no job nothing would be known. The input comes last,
   * so that where it is there, everything is.
   *
   * @param conflict finds a job, also one that another window began just now, that stands against a new one: it is
   * answered and nothing is kept
   */
  async add(
    record: JobRecord,
    { input, files, whole }: SubmissionParts = {},
    conflict: (records: readonly JobRecord[]) => JobRecord | undefined = () => undefined,
  ): Promise<JobRecord> {
    const other = await this.#storage.exclusively(async () => {
      if (!(await this.#storage.isUntouched())) await this.#sync();
      const found = this.#folder.get(record.id) ?? conflict(this.all());
      if (!found) await this.#put(record, true);
      return found;
    });
    this.#changed();
    if (other) return other;
    const parts = [
      ["whole", whole],
      ["files", files?.length ? files : undefined],
      ["input", input],
    ] as const;
    try {
      for (const [kind, content] of parts)
        if (content) await this.#attachments.write(record.id, kind, content, () => this.#oldestFirst());
    } catch (error) {
      // Nothing was sent, and what could not be sent again is not begun.
      await this.remove(record.id).catch(() => undefined);
      throw error;
    }
    return record;
  }

  /**
   * Changes a record as it is on disk now; answers it as it is then. A record that was removed meanwhile stays removed.
   *
   * @throws LedgerLensError of the disk; the change counts in this session all the same, and is written with the next one
   */
  async update(id: string, change: Partial<JobRecord>): Promise<JobRecord | undefined> {
    return this.#change(id, () => change);
  }

  /**
   * Changes a record by what it and the others are on disk now.
   *
   * @param change gets all records, too, those that another window began just now included; answers `undefined` to leave it
   * @throws LedgerLensError as {@link update}
   */
  async changeIf(
    id: string,
    change: (record: JobRecord, all: readonly JobRecord[]) => Partial<JobRecord> | undefined,
  ): Promise<JobRecord | undefined> {
    return this.#change(
      id,
      (record) => change(record, this.all()),
      () => this.#sync(),
    );
  }

  /** @param before what is done under the lock before the record is read again */
  async #change(
    id: string,
    change: (record: JobRecord) => Partial<JobRecord> | undefined,
    before: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<JobRecord | undefined> {
    try {
      const after = await this.#storage.exclusively(async () => {
        await before();
        const found = this.#removed.has(id) ? undefined : await this.#folder.reread(id);
        if (!found) return undefined;
        const base = { ...found, ...this.#unkept.get(id)?.changes };
        const changes = change(base);
        if (!changes) return base;
        const record = changed(base, changes);
        await this.#put(record, "job" in changes);
        return record;
      });
      if (!after) this.#unkept.delete(id);
      this.#problem = undefined;
      this.#changed();
      return after;
    } catch (error) {
      const known = this.get(id);
      const changes = known && isDiskError(error) ? change(known) : undefined;
      if (known && changes) {
        this.#unkept.set(id, {
          record: changed(known, changes),
          changes: { ...this.#unkept.get(id)?.changes, ...changes },
        });
      }
      this.#note(error);
      throw error;
    }
  }

  async remove(id: string): Promise<void> {
    this.#removed.add(id);
    this.#changed();
    try {
      await this.#storage.exclusively(async () => {
        await this.#folder.remove(id);
        this.#unkept.delete(id);
        this.#written.delete(id);
        await this.#attachments.remove(id);
      });
    } catch (error) {
      this.#removed.delete(id);
      this.#note(error);
      throw error;
    }
    this.#removed.delete(id);
  }

  /** The input as it was submitted; `undefined` when it had to make room for newer ones. */
  async input(id: string): Promise<StandardJsonInput | undefined> {
    await this.load();
    return this.#attachments.read(id, "input", storedInput);
  }

  /** Where the submitted sources were on disk. */
  async files(id: string): Promise<readonly SubmittedFile[]> {
    await this.load();
    return (await this.#attachments.read(id, "files", storedFiles)) ?? [];
  }

  /** All that the build compiled, as long as it may be needed for a second try. */
  async whole(id: string): Promise<WholeSubmission | undefined> {
    await this.load();
    return this.#attachments.read(id, "whole", storedWhole);
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
    const kept = this.get(id)?.job;
    const job = kept && ((await this.#attachments.read(id, "answer", verificationJob)) ?? kept);
    if (!job?.error) return job;
    const codes = await this.#attachments.read(id, "codes", storedCodes);
    const own = Object.fromEntries(Object.entries(job.error).filter(([, value]) => value !== null));
    return { ...job, error: { ...codes, ...(own as unknown as JobError) } };
  }

  /** Calls `listener` after every change until the answered function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #load(): Promise<void> {
    await this.#noting(async () => {
      await this.#storage
        .exclusively(async () => {
          await this.#sync();
          await this.#attachments.removeOrphans((id) => !this.#folder.isUnknown(id));
          await this.#compact();
        })
        .catch(async (error: unknown) => {
          // A folder that can't be written can still be read.
          await this.#sync();
          throw error;
        });
    });
    this.#changed();
  }

  /** Under the lock, where it can be had. */
  async #sync(): Promise<boolean> {
    const { files, isChanged } = await this.#folder.sync();
    this.#attachments.found(files);
    return isChanged;
  }

  /** Under the lock. */
  async #compact(): Promise<void> {
    const mayMove = (record: JobRecord) => isFinished(record) && !this.#written.has(record.id);
    const young = this.#folder.youngIds().flatMap((id) => this.#folder.get(id) ?? []);
    if (young.filter(mayMove).length <= MAX_FILES) return;
    const surplus = await this.#folder.compact(mayMove, (records) =>
      records
        .filter(isFinished)
        .sort((a, b) => b.submittedAt - a.submittedAt)
        .slice(MAX_JOBS)
        .map(({ id }) => id),
    );
    for (const id of surplus) await this.#attachments.remove(id);
  }

  /** Under the lock. */
  async #put(record: JobRecord, isNewJob: boolean): Promise<void> {
    const { id } = record;
    const codes = codesOf(record);
    if (codes && !this.#attachments.has(id, "codes"))
      await this.#attachments.write(id, "codes", codes, () => this.#oldestFirst());
    const { job } = slimRecord(record);
    if (isNewJob && job && isCut(job))
      await this.#attachments.write(id, "answer", record.job, () => this.#oldestFirst());
    else if (isNewJob && this.#attachments.has(id, "answer")) await this.#attachments.remove(id, "answer");
    await this.#folder.put(record);
    this.#written.add(id);
    this.#unkept.delete(id);
    this.#problem = undefined;
  }

  /** Jobs whose attachments may make room for newer ones. */
  #oldestFirst(): string[] {
    return this.all()
      .filter(isFinished)
      .map(({ id }) => id)
      .reverse();
  }

  /** Does work whose failure is shown in the list and nowhere else. */
  async #noting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#problem = undefined;
    } catch (error) {
      this.#note(error);
      if (!isDiskError(error)) throw error;
    }
  }

  #note(error: unknown): void {
    if (isDiskError(error)) this.#problem = error;
    this.#changed();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** A record after a change, as it will be read again: what is undefined is not there. */
function changed(record: JobRecord, change: Partial<JobRecord>): JobRecord {
  return definedOnly({ ...record, ...change }) as JobRecord;
}
