import type { StandardJsonInput } from "../compilerInput/standardJsonInput.ts";
import type { JobRecord } from "./jobRecord.ts";

/** Where records are kept: a folder of small files. Writing replaces a file as a whole or not at all. */
export interface JobStorage {
  /** Names of the files there are. */
  list(): Promise<string[]>;
  read(name: string): Promise<string | undefined>;
  write(name: string, content: string): Promise<void>;
  remove(name: string): Promise<void>;
}

const RECORD_SUFFIX = ".job.json";
const INPUT_SUFFIX = ".input.json";

/**
 * The jobs of a workspace. Every change is on disk before it is answered, one file a job, so that neither a
 * crash nor a second window loses one; the submitted input lies in a file of its own, read only when asked for.
 */
export class JobStore {
  readonly #storage: JobStorage;
  readonly #records = new Map<string, JobRecord>();
  readonly #listeners = new Set<() => void>();
  #loading: Promise<void> | undefined;

  constructor(storage: JobStorage) {
    this.#storage = storage;
  }

  /** Reads what an earlier session kept; a file that can't be read is left where it is. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    const names = (await this.#storage.list()).filter((name) => name.endsWith(RECORD_SUFFIX));
    for (const text of await Promise.all(names.map((name) => this.#storage.read(name)))) {
      const record = text === undefined ? undefined : parseRecord(text);
      // What this session wrote meanwhile is newer.
      if (record && !this.#records.has(record.id)) this.#records.set(record.id, record);
    }
    this.#changed();
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

  async add(record: JobRecord, input?: StandardJsonInput): Promise<void> {
    if (input) await this.#storage.write(record.id + INPUT_SUFFIX, JSON.stringify(input));
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
    await Promise.all([this.#storage.remove(id + RECORD_SUFFIX), this.#storage.remove(id + INPUT_SUFFIX)]);
  }

  /** The input as it was submitted. */
  async input(id: string): Promise<StandardJsonInput | undefined> {
    const text = await this.#storage.read(id + INPUT_SUFFIX);
    return text === undefined ? undefined : (JSON.parse(text) as StandardJsonInput);
  }

  /** Calls `listener` after every change until the answered function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #put(record: JobRecord): Promise<void> {
    this.#records.set(record.id, record);
    this.#changed();
    await this.#storage.write(record.id + RECORD_SUFFIX, JSON.stringify(record));
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function parseRecord(text: string): JobRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<JobRecord> | null;
    return typeof record?.id === "string" && typeof record.submittedAt === "number"
      ? (record as JobRecord)
      : undefined;
  } catch {
    return undefined;
  }
}
