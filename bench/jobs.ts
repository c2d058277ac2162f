import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JobStore } from "../src/core/jobs/jobStore.ts";
import { verificationRows } from "../src/core/jobs/verificationRows.ts";
import { JobFiles } from "../src/editor/verification/jobFiles.ts";
import { keepManyJobs } from "../test/unit/jobs/manyJobs.ts";
import { fastestInTurns, printRatio } from "./ratio.ts";

const JOBS = 1000;

/** The rows of a thousand jobs from the disk on, against parsing the file that holds them. */
export async function benchJobs(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "ledger-lens-bench-"));
  const files = new JobFiles({ fsPath: folder });
  await keepManyJobs(files, JOBS);
  await new JobStore(files).load();
  const history = join(folder, "jobs/history.json");
  const open = async () => {
    const store = new JobStore(new JobFiles({ fsPath: folder }));
    await store.load();
    return verificationRows({
      records: store.all(),
      deployments: [],
      stateOf: () => undefined,
      isWaitedFor: () => false,
      now: Date.now(),
    });
  };
  const [ours = 0, raw = 1] = await fastestInTurns([
    open,
    async () => JSON.parse(await readFile(history, "utf8")) as unknown,
  ]);
  const bytes = (await files.list()).reduce((sum, file) => sum + file.bytes, 0);
  printRatio(
    `view of ${JOBS.toLocaleString("en-US")} jobs (${(bytes / 1e6).toFixed(1)} MB kept)`,
    ours,
    raw,
    "reading and parsing their history raw",
  );
  await rm(folder, { recursive: true, force: true });
}
