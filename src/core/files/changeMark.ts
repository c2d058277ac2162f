import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clearOwnPlace, REPLACE_OWN, withOwnFile } from "./ownFile.ts";

const MARK = "changes";

/**
 * Tells sessions that share a folder whether another one has changed anything in it since they looked: listing a folder
 * of thousands of files for every new one would take time that grows with the square of their number. The mark is a file
 * that names the last change; a folder without one may have been changed by any session.
 *
 * Everything stands under the folder's lock.
 */
export class ChangeMark {
  readonly #path: string;
  readonly #session: string;
  #changes = 0;
  /** The mark as it was when this session knew what is in the folder. */
  #known: string | undefined;

  constructor(folder: string, session: string) {
    this.#path = join(folder, MARK);
    this.#session = session;
  }

  /** Takes note that this session knows what is in the folder now. */
  async sawAll(): Promise<void> {
    this.#known = await this.#read();
  }

  /** Whether this session still knows what is in the folder. */
  async isCurrent(): Promise<boolean> {
    return this.#known !== undefined && (await this.#read()) === this.#known;
  }

  /** Call it before a change: one that is cut off then looks as if it had been made. */
  async set(): Promise<void> {
    const knows = await this.isCurrent();
    const mark = `${this.#session} ${++this.#changes}`;
    this.#known = knows ? mark : undefined;
    try {
      await writeFile(this.#path, mark, { flag: REPLACE_OWN, mode: 0o600 });
    } catch {
      this.#known = undefined;
      // A full disk lets files go all the same, and without a mark every session looks.
      await clearOwnPlace(this.#path);
    }
  }

  #read(): Promise<string | undefined> {
    return withOwnFile(this.#path, (file) => file.readFile("utf8")).catch(() => undefined);
  }
}
