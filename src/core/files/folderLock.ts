import { t } from "@vscode/l10n";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { clearOwnPlace, createOwnFile, isStranger, withOwnFile } from "./ownFile.ts";
import { isRunning } from "./processSession.ts";

const LOCK = "lock";
/** Held only while a dead owner's lock is taken away. */
const TAKEOVER = "lock.takeover";
/** Work under a lock takes milliseconds; an owner that runs but does not move for so long has been suspended. */
const STALLED_MS = 60_000;
/** Who waits so long for an owner that lives and moves is told. */
const MAX_WAITING_MS = 90_000;
const LONGEST_PAUSE_MS = 25;

/**
 * Runs work while no other process does so for the same folder. The lock is a file that can be created only once and
 * names its owner; that of a process that has ended is taken away. Two that take it away at once would be a danger: the
 * second would take that of a new owner. So they take turns, by a file of their own, and look again before they do.
 *
 * @param session who takes the lock: of processSession.ts
 * @throws errors of the file system; `ETIMEDOUT` when the owner lives and does not let go
 */
export async function withFolderLock<T>(folder: string, session: string, work: () => Promise<T>): Promise<T> {
  const path = join(folder, LOCK);
  const started = Date.now();
  for (let pause = 1; !(await created(path, session)); pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    await takeAwayDead(folder);
    if (Date.now() - started > MAX_WAITING_MS)
      throw Object.assign(new Error(t`${path} is held by another window`), { code: "ETIMEDOUT" });
    await sleep(pause * (0.5 + Math.random()));
  }
  try {
    return await work();
  } finally {
    // A session that took this one for stalled may be the owner by now.
    if ((await ownerOf(path)) === session) await rm(path, { force: true });
  }
}

async function takeAwayDead(folder: string): Promise<void> {
  const path = join(folder, LOCK);
  if (!(await isDead(path))) return;
  const turn = join(folder, TAKEOVER);
  // Who died in its turn was about to do what we do.
  if (!(await created(turn, ""))) {
    if ((await ageOf(turn)) > STALLED_MS || (await isStranger(turn))) await clearOwnPlace(turn);
    return;
  }
  try {
    if (await isDead(path)) await clearOwnPlace(path);
  } finally {
    await rm(turn, { force: true });
  }
}

async function isDead(path: string): Promise<boolean> {
  const owner = await ownerOf(path);
  // A link, a pipe or a folder of that name is no lock, and would be one for ever.
  if (owner === undefined) return isStranger(path);
  const age = await ageOf(path);
  // A lock that names no owner yet is being written, or its owner died in between.
  return owner === "" ? age > 1_000 : !isRunning(owner) || age > STALLED_MS;
}

/** Creates a file, if there is none. */
async function created(path: string, content: string): Promise<boolean> {
  if (!(await createOwnFile(path, content))) return false;
  // Who was suspended before it wrote its name may have lost it.
  return (await ownerOf(path)) === content;
}

/** `undefined` where there is no lock. */
async function ownerOf(path: string): Promise<string | undefined> {
  return withOwnFile(path, (file) => file.readFile("utf8")).catch(() => undefined);
}

async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found ? Date.now() - found.mtimeMs : 0;
}
