import { FileMemory } from "../../../src/core/files/fileMemory.ts";
import type { FileState } from "../../../src/core/files/fileState.ts";
import { parentFolder } from "../../../src/core/files/fileReader.ts";
import type { FolderReader } from "../../../src/core/files/folderReader.ts";

interface Stored {
  readonly text: string;
  readonly state: FileState;
}

/** A disk whose clock goes in steps, and is where a test puts it. */
export class SteppingDisk {
  /** In milliseconds since 1970. */
  clock = Date.now() - 60_000;
  /** What was asked for, the latest last. */
  readonly read: string[] = [];
  readonly reader: FolderReader;
  /** Folders that lead to others. */
  readonly links = new Map<string, string>();
  readonly #files = new Map<string, Stored>();
  #folderChanged = this.clock;

  constructor(files: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    const open = (path: string) => {
      this.read.push(path);
      const found = this.#files.get(this.#real(path));
      if (!found) return Promise.resolve(undefined);
      const bytes = new TextEncoder().encode(found.text);
      return Promise.resolve({ bytes, realPath: this.#real(path), state: found.state });
    };
    this.reader = {
      memory: new FileMemory(),
      open,
      read: async (path) => (await open(path))?.bytes,
      realPath: (path) => Promise.resolve(this.#real(path)),
      list: (path) => {
        const folder = `${this.#real(path)}/`;
        const names = [...this.#files.keys()].flatMap((one) =>
          one.startsWith(folder) && !one.slice(folder.length).includes("/") ? [one.slice(folder.length)] : [],
        );
        return Promise.resolve(
          names.length === 0 ? undefined : names.map((name) => ({ name, kind: "file" })),
        );
      },
      state: (path) => {
        const file = this.#files.get(this.#real(path));
        if (file) return Promise.resolve(file.state);
        const isThere = [...this.#files.keys()].some((one) => one.startsWith(`${this.#real(path)}/`));
        const isLink = this.links.has(path);
        return Promise.resolve(
          isThere ? { ...this.#stateNow(0, this.#folderChanged, 2), isLink } : undefined,
        );
      },
    };
  }

  /** Writes a file, which stays the same one where it is there already. */
  write(path: string, text: string): void {
    if (!this.#files.has(path)) this.#folderChanged = this.clock;
    this.#files.set(path, { text, state: this.#stateNow(text.length, this.clock, 1) });
  }

  delete(path: string): void {
    this.#files.delete(path);
    this.#folderChanged = this.clock;
  }

  #stateNow(size: number, at: number, inode: number): FileState {
    return { device: 1, inode, size, modified: at, changed: at, isLink: false };
  }

  #real(path: string): string {
    const target = this.links.get(parentFolder(path));
    return target === undefined
      ? (this.links.get(path) ?? path)
      : target + path.slice(parentFolder(path).length);
  }
}
