import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { JobFiles } from "../../../src/editor/verification/jobFiles.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { finishedJob } from "./manyJobs.ts";

const JOBS = proofSize({ sample: 60, whole: 1_000 });

class CountedFiles extends JobFiles {
  lists = 0;

  override list() {
    this.lists++;
    return super.list();
  }
}

describe("A new job", () => {
  let folder = "";

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "ledger-lens-adds-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const window = () => {
    const files = new CountedFiles({ fsPath: folder });
    return { files, store: new JobStore(files) };
  };

  it("costs no look at all the others", async () => {
    const { files, store } = window();
    await store.load();
    for (let number = 0; number < JOBS; number++) await store.add(finishedJob(number));
    assert.equal(store.all().length, JOBS);
    // At the start, and until the mark of the first change was seen.
    assert.ok(files.lists <= 3, `${files.lists} looks at the folder for ${JOBS} jobs`);
  });

  it("knows what another window has added, changed and removed by then", async () => {
    const [first, second] = [window(), window()];
    await first.store.load();
    await second.store.load();
    const [a, b, c, d, e] = Array.from({ length: 5 }, (_, number) => finishedJob(2000 + number));
    assert.ok(a && b && c && d && e);
    await first.store.add(a);
    await second.store.add(b);
    await first.store.add(c);
    assert.ok(first.store.get(b.id) && second.store.get(a.id));
    const looks = first.files.lists;
    await first.store.add(d);
    assert.equal(first.files.lists, looks, "nothing was changed elsewhere");
    await second.store.update(c.id, { checkedAt: 5 });
    await second.store.remove(b.id);
    await first.store.add(e, {}, (records) => {
      assert.equal(records.find(({ id }) => id === c.id)?.checkedAt, 5);
      assert.ok(records.every(({ id }) => id !== b.id));
      return undefined;
    });
  });
});
