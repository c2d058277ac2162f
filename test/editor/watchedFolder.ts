import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually } from "../rig/eventually.ts";

/** So often a file is written into the folder before it is made anew. */
const TRIES = 10;
const PAUSE_MS = 200;

/**
 * Makes a folder, in one that the editor watches, and waits until the editor watches it, too. On a busy machine its watcher
 * may come to a new folder when others were made in it already, and never hears of what is in these.
 */
export async function watchedFolder(path: string): Promise<void> {
  const heard = new Set<string>();
  const watcher = vscode.workspace.createFileSystemWatcher("**/probe-of-the-watcher-*");
  watcher.onDidCreate(({ fsPath }) => heard.add(fsPath));
  let probes = 0;
  try {
    await eventually(async () => {
      await mkdir(path, { recursive: true });
      for (let tries = 0; tries < TRIES; tries++) {
        const probe = join(path, `probe-of-the-watcher-${++probes}`);
        await writeFile(probe, "");
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        await rm(probe);
        if ([...heard].some((one) => one.startsWith(path))) return;
      }
      await rm(path, { recursive: true });
      throw new Error(`The editor does not watch ${path}.`);
    });
  } finally {
    watcher.dispose();
  }
}
