import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { jobFacts, verificationRows } from "../../../src/core/jobs/verificationRows.ts";
import { keepManyJobs } from "./manyJobs.ts";
import { MemoryStorage } from "./memoryStorage.ts";

class CountingStorage extends MemoryStorage {
  reads = 0;
  lists = 0;
  writes = 0;

  override list() {
    this.lists++;
    return super.list();
  }

  override read(name: string) {
    this.reads++;
    return super.read(name);
  }

  override write(name: string, content: Uint8Array) {
    this.writes++;
    return super.write(name, content);
  }
}

describe("A thousand jobs", () => {
  it("are shown after one look at the folder and one file, and stay under 20 MB", async () => {
    const storage = new CountingStorage();
    await keepManyJobs(storage, 1000);
    console.log(`1,000 jobs: ${(storage.bytes / 1e6).toFixed(1)} MB`);
    assert.ok(storage.bytes < 20e6, `${storage.bytes} bytes`);
    // The session after moves them into the history.
    await new JobStore(storage).load();

    Object.assign(storage, { reads: 0, lists: 0, writes: 0 });
    const store = new JobStore(storage);
    await store.load();
    const records = store.all();
    const rows = verificationRows({
      records,
      deployments: [],
      stateOf: () => undefined,
      isWaitedFor: () => false,
      now: Date.UTC(2026, 10, 21),
    });
    assert.equal(rows.length, 1000);
    assert.deepEqual(
      { reads: storage.reads, lists: storage.lists, writes: storage.writes },
      { reads: 1, lists: 1, writes: 0 },
    );
    assert.ok(
      rows.every(({ children }) => children === undefined),
      "facts are made when a job is opened",
    );
    const failed = records.find(({ explanation }) => explanation);
    assert.ok(failed && jobFacts(failed).length > 5);
    assert.notEqual((await store.wholeJob(failed.id))?.error?.onchainRuntimeCode, undefined);
    assert.ok(storage.bytes < 20e6);
  });
});
