import { ASIDE_SUFFIX, HISTORY, RECORD_SUFFIX } from "../../core/jobs/jobFolder.ts";
import { parseJson } from "../../core/json/looseData.ts";
import { lstat, readdir, rm, rmdir, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { withFolderLock } from "../../core/files/folderLock.ts";
import { createOwnFile, LARGEST_OWN_FILE, withOwnFile } from "../../core/files/ownFile.ts";
import { JOB_ID } from "../../core/jobs/jobId.ts";
import { isObject } from "../../core/json/shape.ts";

/**
 * Takes the jobs that a window kept for itself into the folder that all windows share, and leaves what is there already.
 * What can't be moved stays where it is, for the next time; so does what is no file of ours, such as a link or a pipe.
 * Stands under the lock of `to`.
 *
 * @param session of processSession.ts
 * @returns whether there were any
 */
export async function adoptJobs(from: string, session: string, to: string): Promise<boolean> {
  // What a link leads to is not the window's.
  if (!(await lstat(from).catch(() => undefined))?.isDirectory()) return false;
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
  const bytes = await withOwnFile(path, contentOf);
  if (!bytes) return;
  for (const entry of entriesOf(bytes.toString("utf8"))) {
    const id = isObject(entry) ? entry["id"] : undefined;
    const isNamed = typeof id === "string" && JOB_ID.test(id);
    const name = isNamed ? `${id}${RECORD_SUFFIX}` : `history.${crypto.randomUUID()}${ASIDE_SUFFIX}`;
    const content = typeof entry === "string" ? entry : JSON.stringify(entry);
    await createOwnFile(join(to, name), content);
  }
  await rm(path, { force: true });
}

/** The entries of a history; the text itself where it is none. */
function entriesOf(text: string): readonly unknown[] {
  const entries = parseJson(text);
  return Array.isArray(entries) ? (entries as unknown[]) : [text];
}

/** Also between two disks, which a rename can't do. */
async function move(from: string, to: string): Promise<void> {
  const bytes = await withOwnFile(from, contentOf);
  if (!bytes) return;
  await createOwnFile(to, bytes);
  await rm(from, { force: true });
}

/** The bytes of a file; `undefined` for one that is far too large to be ours, which stays where it is. */
async function contentOf(file: FileHandle): Promise<Buffer | undefined> {
  return (await file.stat()).size <= LARGEST_OWN_FILE ? file.readFile() : undefined;
}
