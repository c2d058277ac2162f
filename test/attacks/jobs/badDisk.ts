// A window whose disk is full, read-only or forbidden: run in a mount namespace of its own, it prints what came of it.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LedgerLensError } from "../../../src/core/errors.ts";
import { systemClock } from "../../../src/core/concurrency/clock.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { recordStatus } from "../../../src/core/jobs/jobRecord.ts";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { VerificationJobs } from "../../../src/core/jobs/verificationJobs.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { JobFiles } from "../../../src/editor/verification/jobFiles.ts";
import { submitTo } from "../../unit/jobs/agreed.ts";
import { SUBMISSION } from "../../unit/jobs/jobWorld.ts";

const [folder = "", url = ""] = process.argv.slice(2);

/** What came of the steps, by their names. */
export type BadDiskResult = Readonly<Record<string, string>>;

const result: Record<"full" | "told" | "problem" | "kept" | "readOnly" | "readable" | "forbidden", string> = {
  full: "",
  told: "",
  problem: "",
  kept: "",
  readOnly: "",
  readable: "",
  forbidden: "",
};
const http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
const addressOf = (number: number) => `0x${String(number).padStart(40, "0")}`;
const ballast = join(folder, "ballast");

function fill(): void {
  for (let size = 4096; size >= 1; size /= 2) {
    for (;;) {
      try {
        writeFileSync(ballast, "x".repeat(size), { flag: "a" });
      } catch {
        break;
      }
    }
  }
}

function open(at: string) {
  const store = new JobStore(new JobFiles({ fsPath: at }));
  const jobs = new VerificationJobs({
    store,
    service: (one = url) => new VerificationService(http, one),
    clock: systemClock,
    random: Math.random,
    newId: () => crypto.randomUUID(),
  });
  return { store, jobs };
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    (error: unknown) => `${(error as LedgerLensError).code}: ${(error as Error).message}`,
  );

execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", folder]);

const { store, jobs } = open(folder);
await store.load();
fill();
result.full = await outcome(submitTo(url, jobs, { ...SUBMISSION, address: addressOf(1) }));

rmSync(ballast);
const { id } = await submitTo(url, jobs, { ...SUBMISSION, address: addressOf(2) });
fill();
result.told = recordStatus(await jobs.wait(id, { limitMs: 30_000 }));
result.problem = store.problem?.code ?? "";
rmSync(ballast);
await jobs.check(id);
const again = open(folder);
await again.store.load();
const kept = again.store.get(id);
result.kept = `${kept ? recordStatus(kept) : "lost"} ${store.problem?.code ?? "no problem"}`;

execFileSync("mount", ["-o", "remount,ro", folder]);
const locked = open(folder);
await locked.store.load();
result.readable = String(locked.store.all().length);
result.readOnly = await outcome(submitTo(url, locked.jobs, { ...SUBMISSION, address: addressOf(3) }));

execFileSync("mount", ["-o", "remount,rw", folder]);
const forbidden = join(folder, "forbidden");
mkdirSync(forbidden);
chmodSync(forbidden, 0o555);
process.setgid?.(65534);
process.setuid?.(65534);
result.forbidden = await outcome(
  submitTo(url, open(forbidden).jobs, { ...SUBMISSION, address: addressOf(4) }),
);
await http.dispose();
console.log(JSON.stringify(result));
