import { t } from "@vscode/l10n";
import { anyJson, isObject, Misfit } from "../json/shape.ts";
import { inPool } from "../concurrency/inPool.ts";
import type { JobRecord } from "./jobRecord.ts";
import type { JobStorage, StoredFile } from "./jobStorage.ts";
import { storedJob } from "./storedJob.ts";

export const RECORD_SUFFIX = ".job.json";
/** What can't be read and stood where something had to be written. */
export const ASIDE_SUFFIX = ".aside.json";
export const HISTORY = "history.json";
/** A hundred times what a record has. */
const MAX_RECORD_BYTES = 16 * 1024 * 1024;
/** So many files are open at once. */
const FILES_AT_ONCE = 32;

/** Something that an earlier session stored and that can't be read. */
export interface UnreadableJob {
  /** Names it, for {@link JobFolder.unreadableText}. */
  readonly key: string;
  readonly file: string;
  /** Why it can't be read: "job.id: expected a text". */
  readonly reason: string;
}

/**
 * The records of jobs in their files: one for each job that is young, and the history for older ones. Other windows
 * write the same files. So every call stands under the storage's lock, and nothing is written that was not read right
 * before; what can't be read stays as it is, or is put beside the file that has to be written in its place.
 */
export class JobFolder {
  readonly #storage: JobStorage;
  readonly #slim: (record: JobRecord) => JobRecord;
  /** With a file of their own; such a job was changed after it went into the history, if it is there too. */
  readonly #young = new Map<string, JobRecord>();
  #old = new Map<string, JobRecord>();
  /** Entries of the history that can't be read, as they came. */
  #strange: unknown[] = [];
  /** The history, where it is none. */
  #broken: Uint8Array | undefined;
  readonly #unreadable = new Map<string, UnreadableJob>();
  readonly #stamps = new Map<string, string>();

  /** @param slim a record as it is written */
  constructor(storage: JobStorage, slim: (record: JobRecord) => JobRecord) {
    this.#storage = storage;
    this.#slim = slim;
  }

  get(id: string): JobRecord | undefined {
    return this.#young.get(id) ?? this.#old.get(id);
  }

  /** Each job once, in no order. */
  all(): JobRecord[] {
    return [...new Map([...this.#old, ...this.#young]).values()];
  }

  /** The jobs that have a file of their own. */
  youngIds(): string[] {
    return [...this.#young.keys()];
  }

  unreadable(): UnreadableJob[] {
    const reason = String(new Misfit(() => t`a job`));
    return [
      ...this.#unreadable.values(),
      ...this.#strange.map((entry, at) => ({
        key: `${HISTORY} ${at}`,
        file: HISTORY,
        reason: whyNot(entry),
      })),
      ...(this.#broken ? [{ key: HISTORY, file: HISTORY, reason }] : []),
    ];
  }

  /** Whether what belongs to a job may go: it is neither there, nor may it be what can't be read. */
  isUnknown(id: string): boolean {
    if (this.get(id) || this.#broken || this.#unreadable.has(id + RECORD_SUFFIX)) return false;
    return this.#strange.every(
      (entry) => isObject(entry) && typeof entry["id"] === "string" && entry["id"] !== id,
    );
  }

  /**
   * Reads what was changed by other sessions since the last time.
   *
   * @returns the files that there are, and whether anything is different
   */
  async sync(): Promise<{ readonly files: readonly StoredFile[]; readonly isChanged: boolean }> {
    const files = await this.#storage.list();
    const names = new Set(files.map(({ name }) => name));
    const isNew = ({ name, stamp }: StoredFile) => this.#stamps.get(name) !== stamp;
    const isRecordFile = ({ name }: StoredFile) =>
      name.endsWith(RECORD_SUFFIX) || name.endsWith(ASIDE_SUFFIX);
    const changed = files.filter((file) => isNew(file) && (isRecordFile(file) || file.name === HISTORY));
    const gone = [...this.#stamps.keys()].filter((name) => !names.has(name));
    await inPool(changed, FILES_AT_ONCE, async ({ name, bytes }) => {
      if (name === HISTORY) await this.#readHistory();
      else if (bytes > MAX_RECORD_BYTES) this.#leave(name, t`expected at most 16 MB`);
      else this.#take(name, await this.#storage.read(name));
    });
    if (gone.includes(HISTORY)) await this.#readHistory();
    for (const name of gone) this.#forget(name);
    for (const id of this.#young.keys()) if (!names.has(id + RECORD_SUFFIX)) this.#forget(id + RECORD_SUFFIX);
    for (const { name, stamp } of changed) this.#stamps.set(name, stamp);
    return { files, isChanged: changed.length > 0 || gone.length > 0 };
  }

  /** A record as it is on disk now; `undefined` for one that was removed. */
  async reread(id: string): Promise<JobRecord | undefined> {
    const name = id + RECORD_SUFFIX;
    const bytes = await this.#storage.read(name);
    if (bytes) {
      const known = this.#young.get(id);
      this.#take(name, bytes);
      if (this.#unreadable.has(name)) {
        // It was good, and something else has written it since.
        await this.#putAside(name, bytes);
        return known;
      }
    } else {
      this.#forget(name);
      await this.#readHistory();
    }
    return this.get(id);
  }

  async put(record: JobRecord): Promise<void> {
    await this.#storage.write(record.id + RECORD_SUFFIX, bytesOf(this.#slim(record)));
    this.#young.set(record.id, record);
  }

  async remove(id: string): Promise<void> {
    await this.#readHistory();
    // The history first: if it ends here, the job is there as it was, and not in an older state.
    if (this.#old.delete(id)) await this.#writeHistory();
    await this.#storage.remove(id + RECORD_SUFFIX);
    this.#forget(id + RECORD_SUFFIX);
  }

  /**
   * Moves jobs from files of their own into the history, which is written first, so that a crash only leaves copies.
   *
   * @param mayMove whether a record that was just read may be moved
   * @param mayGo ids of jobs that are too old, given all
   */
  async compact(
    mayMove: (record: JobRecord) => boolean,
    mayGo: (records: readonly JobRecord[]) => readonly string[],
  ): Promise<readonly string[]> {
    await this.sync();
    const moved = [...this.#young.values()].filter(mayMove);
    for (const record of moved) this.#old.set(record.id, record);
    const surplus = mayGo(this.all());
    for (const id of surplus) this.#old.delete(id);
    await this.#writeHistory();
    for (const id of [...moved.map((record) => record.id), ...surplus]) {
      await this.#storage.remove(id + RECORD_SUFFIX);
      this.#forget(id + RECORD_SUFFIX);
    }
    return surplus;
  }

  /** What can't be read, as text; `undefined` when it is no longer there. */
  async unreadableText(key: string): Promise<string | undefined> {
    const found = this.unreadable().find((one) => one.key === key);
    const entry = key.startsWith(`${HISTORY} `)
      ? this.#strange[Number(key.slice(HISTORY.length + 1))]
      : undefined;
    if (entry !== undefined) return JSON.stringify(entry);
    const bytes = found && (await this.#storage.read(found.file));
    return bytes && new TextDecoder().decode(bytes);
  }

  /** Removes what can't be read, for a person who decided so. */
  async removeUnreadable(key: string): Promise<void> {
    const text = await this.unreadableText(key);
    if (text === undefined) return;
    if (key !== HISTORY && !key.startsWith(`${HISTORY} `)) {
      await this.#storage.remove(key);
      this.#forget(key);
      return;
    }
    await this.#readHistory();
    this.#strange = this.#strange.filter((entry) => JSON.stringify(entry) !== text);
    this.#broken = undefined;
    await this.#writeHistory();
  }

  #take(name: string, bytes: Uint8Array | undefined): void {
    this.#unreadable.delete(name);
    if (!bytes) {
      this.#forget(name);
      return;
    }
    const value = name.endsWith(ASIDE_SUFFIX) ? undefined : parsed(bytes);
    const record = value === undefined ? new Misfit(() => t`a job`) : storedJob(value);
    const misfit =
      record instanceof Misfit
        ? record
        : record.id + RECORD_SUFFIX === name
          ? undefined
          : new Misfit(() => t`the id of its file`, ["id"]);
    if (misfit || record instanceof Misfit) {
      this.#leave(name, String(misfit));
    } else {
      this.#young.set(record.id, withKnownJob(record, this.#young.get(record.id)));
    }
  }

  #forget(name: string): void {
    this.#stamps.delete(name);
    this.#unreadable.delete(name);
    if (name.endsWith(RECORD_SUFFIX)) this.#young.delete(name.slice(0, -RECORD_SUFFIX.length));
  }

  #leave(name: string, reason: string): void {
    this.#young.delete(name.slice(0, -RECORD_SUFFIX.length));
    this.#unreadable.set(name, { key: name, file: name, reason });
  }

  async #readHistory(): Promise<void> {
    const bytes = await this.#storage.read(HISTORY);
    const entries = bytes ? parsed(bytes) : [];
    const before = this.#old;
    this.#old = new Map();
    this.#strange = [];
    this.#broken = Array.isArray(entries) ? undefined : bytes;
    for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
      const record = storedJob(entry);
      // What is nested too deeply can't be written again: the file as a whole is put beside the next one.
      if (anyJson(entry) instanceof Misfit) this.#broken = bytes;
      else if (record instanceof Misfit) this.#strange.push(entry);
      else this.#old.set(record.id, withKnownJob(record, before.get(record.id)));
    }
  }

  async #writeHistory(): Promise<void> {
    if (this.#broken) await this.#putAside(HISTORY, this.#broken);
    this.#broken = undefined;
    const newestFirst = [...this.#old.values()].sort((a, b) => b.submittedAt - a.submittedAt);
    await this.#storage.write(HISTORY, bytesOf([...newestFirst.map(this.#slim), ...this.#strange]));
  }

  async #putAside(name: string, bytes: Uint8Array): Promise<void> {
    const aside = `${name.replace(/\.json$/, "")}.${crypto.randomUUID()}${ASIDE_SUFFIX}`;
    await this.#storage.write(aside, bytes);
    this.#forget(name);
    this.#take(aside, bytes);
  }
}

/** The record of a disk, with the whole job that this session knows of it, where the disk's is that job cut down. */
function withKnownJob(record: JobRecord, known: JobRecord | undefined): JobRecord {
  const isSame =
    known?.job?.error &&
    record.job?.error?.errorId === known.job.error.errorId &&
    record.job?.verificationId === known.job.verificationId &&
    record.checkedAt === known.checkedAt;
  return isSame ? { ...record, job: known.job } : record;
}

function whyNot(entry: unknown): string {
  const read = storedJob(entry);
  return read instanceof Misfit ? String(read) : "";
}

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
