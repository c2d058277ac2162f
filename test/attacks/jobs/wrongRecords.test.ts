import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { JobFollower } from "../../../src/core/jobs/jobFollower.ts";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { recordStatus, type JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { outcomeSentence } from "../../../src/core/jobs/jobWords.ts";
import { jobFacts, verificationRows, type VerificationRow } from "../../../src/core/jobs/verificationRows.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../../unit/random.ts";
import { FULL } from "../../unit/jobs/fullRecord.ts";
import { ADDRESS, codeOf, finished, ID, stopWorlds, world } from "../../unit/jobs/jobWorld.ts";
import { MemoryStorage } from "../../unit/jobs/memoryStorage.ts";
import { nested, placesIn, replaced, WRONG_VALUES } from "./wrongValues.ts";

afterEach(stopWorlds);

const GOOD: JobRecord = {
  id: "good",
  stage: "submitted",
  service: "http://127.0.0.1:9",
  chainId: "296",
  address: ADDRESS,
  verificationId: ID,
  submittedAt: 5,
  job: { isJobCompleted: true, verificationId: ID, contract: { match: "exact_match" } },
};

/** So many wrong records stand beside a good one that is followed. */
const FOLLOWED = proofSize({ sample: 30, whole: 600 });
/** One of so many cells is tried. */
const ONE_OF = proofSize({ sample: 9, whole: 1 });

const picture = (store: JobStore) => ({
  records: store.all(),
  unreadable: store.unreadable(),
  deployments: [],
  stateOf: () => undefined,
  isWaitedFor: () => false,
  now: 1_000_000,
});

const flat = (rows: readonly VerificationRow[]): VerificationRow[] =>
  rows.flatMap((row) => [row, ...flat(row.children ?? [])]);

/** Draws everything; no row may stand for one that could not be drawn. */
function drawAll(store: JobStore): VerificationRow[] {
  const rows = flat(verificationRows(picture(store)));
  const facts = store.all().flatMap((record) => jobFacts(record));
  for (const row of [...rows, ...facts]) {
    assert.equal(row.fault, undefined, `${row.id}: ${String(row.fault)}`);
    assert.equal(typeof row.label, "string");
    assert.ok(row.description === undefined || typeof row.description === "string");
    assert.doesNotMatch(`${row.label} ${row.description ?? ""}`, /undefined|NaN|\[object|Invalid Date/);
  }
  return rows;
}

describe("A stored record with a wrong value", () => {
  const places = placesIn(FULL);
  let cells = 0;

  it("neither stops loading, recovery, drawing, following nor a retry, nor takes another record with it", async () => {
    const chance = random("wrong stored records");
    for (const place of places) {
      for (const wrong of WRONG_VALUES) {
        for (const stage of place.length === 1 && place[0] === "stage"
          ? ["x"]
          : ["submitted", "submitting"]) {
          if (chance.below(ONE_OF) > 0) continue;
          cells++;
          const record = replaced({ ...FULL, stage }, place, wrong);
          const text = JSON.stringify(record) as string | undefined;
          if (text === undefined) continue;
          const where = `${place.join(".")} = ${JSON.stringify(wrong ?? null).slice(0, 60)}, ${stage}`;
          const storage = new MemoryStorage();
          storage.put("hostile.job.json", text);
          storage.put("good.job.json", JSON.stringify(GOOD));
          storage.put("history.json", JSON.stringify([record, { ...GOOD, id: "older" }]));
          const store = new JobStore(storage);
          await store.load();
          assert.ok(store.get("good") && store.get("older"), where);
          const known = store.get("hostile");
          if (!known) assert.equal(storage.text("hostile.job.json"), text, `${where}: kept as it was`);
          const rows = drawAll(store);
          if (!known)
            assert.ok(
              rows.some(({ label }) => /stored jobs? can't be read/.test(label)),
              where,
            );
          if (known) outcomeSentence(known);
          await store.update("good", { checkedAt: 7 });
          await store.remove("older");
          const again = new JobStore(new MemoryStorage(storage.files));
          await again.load();
          assert.equal(again.get("good")?.checkedAt, 7, where);
          assert.equal(again.get("older"), undefined, where);
          assert.equal(
            again.unreadable().length,
            store.unreadable().length,
            `${where}: nothing was written over`,
          );
          drawAll(again);
        }
      }
    }
    console.log(`${cells} wrong stored records`);
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  });

  it("does not stop recovery, following and retrying of the others", async () => {
    const storage = new MemoryStorage();
    const server = await world(() => finished("match"), storage);
    const chance = random("records beside a good one");
    const total = places.length * WRONG_VALUES.length;
    let at = 0;
    for (const place of places.filter(({ length }) => length > 0)) {
      for (const wrong of WRONG_VALUES) {
        if (chance.below(total) >= FOLLOWED) continue;
        const id = `hostile-${at++}`;
        const record = replaced(
          { ...FULL, stage: at % 2 ? "submitting" : "submitted" },
          place,
          wrong,
        ) as object;
        const isId = place[0] === "id" && place.length === 1;
        const text = JSON.stringify({ ...record, ...(!isId && { id }), service: server.server.url });
        storage.put(`${id}.job.json`, text);
      }
    }
    storage.put("good.job.json", JSON.stringify({ ...GOOD, service: server.server.url, job: undefined }));
    const { jobs, clock } = server;
    const told: string[] = [];
    const follower = new JobFollower({
      jobs,
      clock: {
        now: () => clock.now(),
        sleep: (time, signal) => (time > 3e6 ? stop(signal) : clock.sleep(0)),
      },
      random: () => 0,
      isSomebodyThere: () => true,
      onFinished: ({ id }) => told.push(id),
    });
    const stop = (signal?: AbortSignal) =>
      new Promise<void>((_, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));
    follower.start();
    while (!told.includes("good")) await new Promise((resolve) => setTimeout(resolve, 5));
    follower.dispose();
    for (const { id } of jobs.store.all().slice(0, 50)) await codeOf(jobs.retry(id));
    drawAll(jobs.store);
    console.log(`${at} wrong stored records beside a good one: ${jobs.store.unreadable().length} kept aside`);
  });

  it("is kept in a history to the byte, and a history that is none is put aside before another is written", async () => {
    const storage = new MemoryStorage();
    const bad = { ...GOOD, id: "bad", submittedAt: "yesterday", further: { __proto: 1 } };
    storage.put("history.json", JSON.stringify([bad, { ...GOOD, id: "older" }]));
    const store = new JobStore(storage);
    await store.load();
    assert.equal(store.unreadable().length, 1);
    assert.match(store.unreadable()[0]?.reason ?? "", /^submittedAt: expected/);
    await store.remove("older");
    assert.deepEqual(JSON.parse(storage.text("history.json")), [bad]);
    const key = store.unreadable()[0]?.key ?? "";
    assert.deepEqual(JSON.parse((await store.unreadableText(key)) ?? ""), bad);
    await store.removeUnreadable(key);
    assert.deepEqual(JSON.parse(storage.text("history.json")), []);

    const broken = new MemoryStorage();
    broken.put("history.json", "[{");
    for (let at = 0; at < 45; at++)
      broken.put(`job-${at}.job.json`, JSON.stringify({ ...GOOD, id: `job-${at}` }));
    const compacted = new JobStore(broken);
    await compacted.load();
    assert.equal(compacted.all().length, 45);
    assert.equal((JSON.parse(broken.text("history.json")) as unknown[]).length, 45);
    const aside = [...broken.files.keys()].filter((name) => name.endsWith(".aside.json"));
    assert.deepEqual(
      aside.map((name) => broken.text(name)),
      ["[{"],
    );
    assert.equal(compacted.unreadable().length, 1);
    const again = new JobStore(broken);
    await again.load();
    assert.equal(again.unreadable().length, 1);
  });

  it("has an id that names its file and no other", async () => {
    const storage = new MemoryStorage();
    storage.put("copy.job.json", JSON.stringify({ ...GOOD, id: "../../etc/passwd" }));
    storage.put("other.job.json", JSON.stringify(GOOD));
    const store = new JobStore(storage);
    await store.load();
    assert.deepEqual(store.all(), []);
    assert.equal(store.unreadable().length, 2);
  });
});

describe("An answer with a wrong value", () => {
  it("is an error with a sentence or is read as far as it goes, and the view stands, also after a restart", async () => {
    const answer = finished(null, FULL.job?.error as object);
    let now: unknown = answer;
    const { jobs, storage, server } = await world((request) => {
      if (request.method === "POST") return { verificationId: ID };
      if (request.url?.includes("/contract/")) return { match: null };
      return now;
    });
    await jobs.store.add({ ...GOOD, service: server.url });
    const chance = random("wrong answers");
    let cells = 0;
    const full = { ...answer, ...FULL.job };
    for (const place of placesIn(full)) {
      for (const wrong of WRONG_VALUES) {
        if (chance.below(ONE_OF) > 0) continue;
        cells++;
        now = replaced(full, place, wrong);
        if (now === undefined) continue;
        await jobs.store.update("good", { job: undefined });
        const error: unknown = await jobs.check("good").then(
          (record) => void recordStatus(record),
          (thrown: unknown) => thrown,
        );
        if (error !== undefined) {
          const { code } = error as { code?: unknown };
          assert.ok(code === "wrong_shape" || code === "wrong_answer" || code === "not_json", String(code));
        }
        drawAll(jobs.store);
        assert.ok(storage.text("good.job.json").length < 120_000, place.join("."));
      }
    }
    const again = new JobStore(new MemoryStorage(storage.files));
    await again.load();
    drawAll(again);
    console.log(`${cells} wrong answers`);
  });

  it("is kept whole beside the record where it is long", async () => {
    const message = "m".repeat(10 * 1024 * 1024);
    const storage = new MemoryStorage();
    const store = new JobStore(storage);
    await store.add(GOOD);
    const job = {
      isJobCompleted: true,
      verificationId: ID,
      further: [1],
      error: { customCode: "x", message },
    };
    await store.update("good", { job });
    assert.ok(storage.text("good.job.json").length < 10_000);
    const again = new JobStore(new MemoryStorage(storage.files));
    await again.load();
    assert.ok((again.get("good")?.job?.error?.message.length ?? 0) < 5_000);
    assert.deepEqual(await again.wholeJob("good"), job);
    await again.update("good", { checkedAt: 3 });
    assert.deepEqual(await again.wholeJob("good"), job, "another change leaves it");
    const deep = { ...job, error: { customCode: "x", message: "no", errorData: nested(100) } };
    await again.update("good", { job: deep });
    assert.deepEqual(await again.wholeJob("good"), deep);
  });
});
