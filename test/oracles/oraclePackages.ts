import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { cacheFolder, repositoryRoot } from "../rig/paths.ts";
import { npm } from "../rig/npm.ts";

const MANIFESTS = join(repositoryRoot, "test/oracles/packages");

let installed: Promise<string> | undefined;

/**
 * The folder whose `node_modules` holds the contract libraries, compilers and build tools that the product is
 * compared with: installed once from the lock file beside this module, into a folder of the cache named after the
 * lock. No install script runs: forge's and the analyzer's programs come as packages of their own.
 */
export function oraclePackages(): Promise<string> {
  return (installed ??= lockedPackages(MANIFESTS));
}

/**
 * Installs what a folder's `package.json` and its lock file say, once, into the cache.
 *
 * @param args further arguments of `npm install`
 * @returns the folder that holds `node_modules`
 */
export async function lockedPackages(manifests: string, ...args: readonly string[]): Promise<string> {
  const versions = await readFile(join(manifests, "package-lock.json"));
  const hash = createHash("sha256").update(versions).update(process.platform).update(process.arch);
  const folder = join(cacheFolder, `oracle-packages-${hash.digest("hex").slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  await mkdir(cacheFolder, { recursive: true });
  const lock = `${folder}.lock`;
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: "wx" });
      break;
    } catch {
      // Test files run side by side: one installs, the others wait; a lock whose owner is gone is taken over.
      if (existsSync(folder)) return folder;
      const text = await readFile(lock, "utf8").catch(() => "");
      if (text === "" || isRunning(Number(text))) await setTimeout(500);
      else await rm(lock, { force: true });
    }
  }
  try {
    if (!existsSync(folder)) await install(manifests, folder, args);
  } finally {
    await rm(lock, { force: true });
  }
  return folder;
}

async function install(manifests: string, folder: string, args: readonly string[]): Promise<void> {
  console.log("Installing packages to compare with (once, half a minute)…");
  const fresh = await mkdtemp(join(cacheFolder, "oracle-packages-"));
  try {
    for (const name of ["package.json", "package-lock.json"])
      await copyFile(join(manifests, name), join(fresh, name));
    // Not `npm ci`, which refuses a lock without the programs of platforms that a registry does not have.
    await npm(fresh, "install", "--ignore-scripts", ...args);
    // In place as a whole or not at all.
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    throw error;
  }
}

function isRunning(pid: number): boolean {
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
