// A window whose disk is full while a compiler comes: run in a mount namespace of its own, it prints what came of it.
import { execFileSync } from "node:child_process";
import { CompilerDownloads } from "../../../src/core/compilers/compilerDownloads.ts";
import { CompilerStore } from "../../../src/core/compilers/compilerStore.ts";
import type { LedgerLensError } from "../../../src/core/errors.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";

const [folder = "", listUrl = "", longVersion = "", sha256 = ""] = process.argv.slice(2);

/** What came of the steps. */
export interface FullDiskResult {
  readonly full: string;
  readonly listed: number;
  readonly readOnly: string;
  readonly again: string;
}

execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
const store = new CompilerStore(folder, 1024 ** 3);
const downloads = new CompilerDownloads(client, store, () => listUrl);
const outcome = () =>
  downloads.fetch({ longVersion, sha256: [sha256] }).then(
    (file) => file.slice(folder.length + 1),
    (error: unknown) => `${(error as LedgerLensError).code}: ${(error as Error).message}`,
  );
const full = await outcome();
const listed = (await store.list()).length;
execFileSync("mount", ["-o", "remount,ro", folder]);
const readOnly = await outcome();
execFileSync("mount", ["-o", "remount,rw,size=64m", folder]);
const again = await outcome();
await client.dispose();
console.log(JSON.stringify({ full, listed, readOnly, again } satisfies FullDiskResult));
