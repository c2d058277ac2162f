import { copyFile, constants, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withFolderLock } from "../core/files/folderLock.ts";
import { isObject } from "../core/json/shape.ts";

const HISTORY = "history.json";

/**
 * Takes the jobs that a window kept for itself into the folder that all windows share, and leaves what is there already.
 * What can't be moved stays where it is, for the next time. Stands under the lock of `to`.
 *
 * @param session of processSession.ts
 * @returns whether there were any
 */
export async function adoptJobs(from: string, session: string, to: string): Promise<boolean> {
  const names = await readdir(from).catch(() => []);
  if (!names.some((name) => /\.(?:json|gz)$/.test(name))) return false;
  // A disk that refuses is met again by the first change, which says so.
  await withFolderLock(from, session, async () => {
    for (const name of await readdir(from)) {
      if (name === HISTORY) await splitHistory(join(from, name), to);
      else if (/\.(?:json|gz)$/.test(name)) await move(join(from, name), join(to, name));
    }
  }).catch(() => undefined);
  // The folder of a window that is open is not empty.
  await rmdir(from).catch(() => undefined);
  return true;
}

/** The older jobs, each into a file of its own, as which they are read; what has no id is put aside. */
async function splitHistory(path: string, to: string): Promise<void> {
  const bytes = await readFile(path, "utf8");
  for (const entry of entriesOf(bytes)) {
    const id = isObject(entry) ? entry["id"] : undefined;
    const isNamed = typeof id === "string" && /^[\w-]{1,100}$/.test(id);
    const name = isNamed ? `${id}.job.json` : `history.${crypto.randomUUID()}.aside.json`;
    const content = typeof entry === "string" ? entry : JSON.stringify(entry);
    await unlessThere(writeFile(join(to, name), content, { flag: "wx", mode: 0o600 }));
  }
  await rm(path, { force: true });
}

/** The entries of a history; the text itself where it is none. */
function entriesOf(text: string): unknown[] {
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) ? (entries as unknown[]) : [text];
  } catch {
    return [text];
  }
}

async function move(from: string, to: string): Promise<void> {
  await unlessThere(copyFile(from, to, constants.COPYFILE_EXCL));
  await rm(from, { force: true });
}

async function unlessThere(creation: Promise<void>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  });
}
