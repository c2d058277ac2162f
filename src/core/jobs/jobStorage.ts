/** A file of a {@link JobStorage}. */
export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  /** Another text after every write, by any session. */
  readonly stamp: string;
}

/**
 * Where jobs are kept: a folder of files, which windows of the same workspace share. Writing replaces a file as a whole
 * or not at all.
 *
 * Faults of the disk are errors of {@link diskError}.
 */
export interface JobStorage {
  /** Names this session among those that share the folder. */
  readonly session: string;
  isRunning(session: string): boolean;
  /** Runs work while no other session does so for the same folder. Work must not ask for it again. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  list(): Promise<StoredFile[]>;
  /**
   * Whether no other session has changed a record since this one listed the files; `false` where that is not known. Asked
   * within {@link exclusively}.
   */
  isUntouched(): Promise<boolean>;
  /** `undefined` where there is no such file. */
  read(name: string): Promise<Uint8Array | undefined>;
  write(name: string, content: Uint8Array): Promise<void>;
  /** Nothing happens when there is no such file. */
  remove(name: string): Promise<void>;
}
