// A session of the editor without the editor: it submits what has no job yet and looks after all jobs, with the store on
// disk, until every contract is verified or it is killed.
import { LedgerLensError } from "../../../src/core/errors.ts";
import type { Clock } from "../../../src/core/concurrency/clock.ts";
import { systemClock } from "../../../src/core/concurrency/clock.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { JobFollower } from "../../../src/core/jobs/jobFollower.ts";
import { isFinished, isInDoubt, recordStatus } from "../../../src/core/jobs/jobRecord.ts";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { retryOffer } from "../../../src/core/jobs/retryOffer.ts";
import { VerificationJobs } from "../../../src/core/jobs/verificationJobs.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { submitTo, type TestSubmission } from "../../unit/jobs/agreed.ts";
import { JobFiles } from "../../../src/editor/verification/jobFiles.ts";

const [folder = "", url = "", ...addresses] = process.argv.slice(2);

/** Pauses pass a hundred times as fast. */
const clock: Clock = {
  now: () => systemClock.now(),
  sleep: (milliseconds, signal) => systemClock.sleep(milliseconds / 100, signal),
};
/** After so long a person submits again what stays in doubt. */
const PATIENCE_MS = 400;

const http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", clock });
const jobs = new VerificationJobs({
  store: new JobStore(new JobFiles({ fsPath: folder })),
  service: (at = url) => new VerificationService(http, at),
  clock,
  random: Math.random,
  newId: () => crypto.randomUUID(),
});
const { store } = jobs;
await store.load();
const follower = new JobFollower({
  jobs,
  clock,
  random: Math.random,
  isSomebodyThere: () => true,
  onFinished: () => undefined,
});
follower.start();

const source = (name: string) => ({ [name]: { content: `contract ${name.replace(".sol", "")} {}` } });

function submissionFor(address: string): TestSubmission {
  return {
    chainId: "296",
    address,
    input: {
      compilerVersion: "0.8.28+commit.7893614a",
      contractIdentifier: "A.sol:A",
      contractName: "A",
      path: "/w/A.sol",
      fileCount: 1,
      source: "build-info",
      stdJsonInput: { language: "Solidity", sources: source("A.sol"), settings: {} },
      files: [{ name: "A.sol", path: "/w/A.sol" }],
      wholeBuild: {
        stdJsonInput: {
          language: "Solidity",
          sources: { ...source("A.sol"), ...source("B.sol") },
          settings: {},
        },
        files: [
          { name: "A.sol", path: "/w/A.sol" },
          { name: "B.sol", path: "/w/B.sol" },
        ],
      },
    },
  };
}

console.log("ready");
const failed = () => undefined;
const waiting = addresses.filter((address) => !store.all().some((record) => record.address === address));
const work = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
    await submitTo(url, jobs, submissionFor(next)).catch(failed);
};
await Promise.all([work(), work()]);

for (;;) {
  const records = store.all();
  const open = records.filter(
    (record) => !isFinished(record) || (recordStatus(record) === "failed" && !record.secondTry),
  );
  if (open.length === 0 && waiting.length === 0) break;
  for (const record of open) {
    const isPatient = isInDoubt(record) && clock.now() - record.submittedAt < PATIENCE_MS;
    if (!retryOffer(record, clock.now()) || isPatient) continue;
    await jobs.retry(record.id).catch(async (error: unknown) => {
      if (!(error instanceof LedgerLensError) || error.code !== "input_forgotten") return;
      // The session ended before the input was kept, and so before anything was sent: it is verified anew.
      await store.remove(record.id);
      waiting.push(record.address);
      await work();
    });
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
}
console.log("done");
follower.dispose();
await http.dispose();
