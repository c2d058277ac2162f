import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import type { StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { longIt } from "../../rig/longTest.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { MemoryStorage } from "./memoryStorage.ts";

const ID = "11111111-2222-4333-8444-555555555555";

function record(at: number, change: Partial<JobRecord> = {}): JobRecord {
  return {
    id: `job-${at}`,
    stage: "submitted",
    service: "http://service",
    chainId: "296",
    address: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    verificationId: ID,
    submittedAt: at,
    job: { isJobCompleted: true, verificationId: ID, contract: { match: "exact_match" } },
    ...change,
  };
}

const hex = (bytes: number) => `0x${randomBytes(bytes).toString("hex")}`;

const failed = () => ({
  isJobCompleted: true,
  verificationId: ID,
  error: {
    customCode: "no_match",
    message: "no",
    recompiledCreationCode: hex(400),
    recompiledRuntimeCode: hex(300),
    onchainCreationCode: null,
    onchainRuntimeCode: hex(300),
  },
});

const input = (content: string): StandardJsonInput => ({
  language: "Solidity",
  sources: { "A.sol": { content } },
  settings: {},
});

async function reopened(storage: MemoryStorage): Promise<JobStore> {
  const store = new JobStore(new MemoryStorage(storage.files));
  await store.load();
  return store;
}

describe("The jobs of a workspace on disk", () => {
  it("keep what was submitted, and the bytecodes that a service forgets", async () => {
    const storage = new MemoryStorage();
    const store = new JobStore(storage);
    const first = record(1, { job: failed() });
    await store.add(first, { input: input("contract A {}") });
    assert.doesNotMatch(storage.text("job-1.job.json"), /recompiledRuntimeCode/);
    const again = await reopened(storage);
    assert.deepEqual(await again.input("job-1"), input("contract A {}"));
    assert.deepEqual(await again.wholeJob("job-1"), {
      ...first.job,
      error: { ...first.job?.error, onchainCreationCode: null },
    });
    // The service answers without them later on.
    await again.update("job-1", {
      job: {
        isJobCompleted: true,
        verificationId: ID,
        error: { customCode: "no_match", message: "no", recompiledRuntimeCode: null },
      },
    });
    const whole = await again.wholeJob("job-1");
    assert.equal(whole?.error?.recompiledRuntimeCode, first.job?.error?.recompiledRuntimeCode);
  });

  it("move into one file when they are many, and none is lost on the way", async () => {
    const storage = new MemoryStorage();
    const store = new JobStore(storage);
    for (let at = 1; at <= 60; at++) await store.add(record(at));
    const { job, ...open } = record(61);
    assert.ok(job);
    await store.add(open);
    const second = new JobStore(storage);
    await second.load();
    assert.deepEqual(second.all(), store.all());
    assert.deepEqual([...storage.files.keys()].sort(), ["history.json", "job-61.job.json"]);
    await second.update("job-7", { checkedAt: 5 });
    await second.remove("job-8");
    const third = await reopened(storage);
    assert.equal(third.get("job-7")?.checkedAt, 5);
    assert.equal(third.get("job-8"), undefined);
    assert.equal(third.all().length, 60);
  });

  it("survive a crash at every step of that", async () => {
    const start = new MemoryStorage();
    const store = new JobStore(start);
    for (let at = 1; at <= 50; at++) await store.add(record(at));
    for (let steps = 0; steps < 52; steps++) {
      const storage = new MemoryStorage(start.files);
      let left = steps;
      const dies =
        <Args extends unknown[]>(work: (...args: Args) => Promise<void>) =>
        (...args: Args) =>
          left-- > 0 ? work(...args) : Promise.reject(new Error("The extension host was killed."));
      const dying = new JobStore({
        session: storage.session,
        isRunning: (session) => storage.isRunning(session),
        exclusively: (work) => storage.exclusively(work),
        isUntouched: () => start.isUntouched(),
        list: () => storage.list(),
        read: (name) => storage.read(name),
        write: dies((name: string, content: Uint8Array) => storage.write(name, content)),
        remove: dies((name: string) => storage.remove(name)),
      });
      await dying.load().catch(() => undefined);
      assert.deepEqual((await reopened(storage)).all(), store.all(), `killed after ${steps} steps`);
    }
  });

  const jobs = proofSize({ sample: 60, whole: 1_000 });
  // As many bytes in all, whatever the jobs: more than are kept.
  const large = () => input(randomBytes(15e6 / jobs).toString("hex"));

  it(`stay below 20 MB with ${jobs.toLocaleString("en")} large failures, and keep the newest inputs`, async () => {
    const storage = new MemoryStorage();
    const store = new JobStore(storage);
    await store.add(record(0, { job: undefined }), { input: large() });
    for (let at = 1; at <= jobs; at++) await store.add(record(at, { job: failed() }), { input: large() });
    assert.equal((await reopened(storage)).all().length, jobs + 1);
    console.log(`${jobs} failed jobs: ${(storage.bytes / 1e6).toFixed(1)} MB`);
    assert.ok(storage.bytes < 20e6, `${storage.bytes} bytes`);
    assert.equal(await store.input("job-1"), undefined);
    assert.notEqual(await store.input(`job-${jobs}`), undefined);
    assert.notEqual(await store.input("job-0"), undefined, "an unfinished job needs its input");
  });

  longIt("never give up what an unfinished job needs, beside jobs that did not fail", async () => {
    const storage = new MemoryStorage();
    const store = new JobStore(storage);
    await store.add(record(0, { job: undefined }), { input: large() });
    for (let at = 1; at <= 1.1 * jobs; at++) await store.add(record(at), { input: large() });
    assert.equal(await store.input("job-1"), undefined);
    assert.notEqual(await store.input("job-0"), undefined);
  });

  it("leave files alone that can't be read", async () => {
    const storage = new MemoryStorage();
    storage.put("history.json", "[{");
    storage.put("broken.job.json", "{");
    storage.put("job-5.input.json.gz", "no gzip");
    storage.put("job-5.job.json", JSON.stringify(record(5)));
    const store = new JobStore(storage);
    await store.load();
    assert.equal(store.all().length, 1);
    assert.equal(await store.input("job-5"), undefined);
    assert.equal(storage.files.size, 4);
  });
});
