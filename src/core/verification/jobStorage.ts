/** Where jobs are kept: a folder of files. Writing replaces a file as a whole or not at all. */
export interface JobStorage {
  /** The files there are, with their sizes in bytes. */
  list(): Promise<{ readonly name: string; readonly bytes: number }[]>;
  read(name: string): Promise<Uint8Array | undefined>;
  write(name: string, content: Uint8Array): Promise<void>;
  /** Nothing happens when there is no such file. */
  remove(name: string): Promise<void>;
}
