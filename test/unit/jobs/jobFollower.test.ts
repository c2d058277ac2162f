import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Clock } from "../../../src/core/concurrency/clock.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { JobFollower } from "../../../src/core/jobs/jobFollower.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";
import { VerificationJobs } from "../../../src/core/jobs/verificationJobs.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";
import { MemoryStorage } from "./memoryStorage.ts";
import { isGivenUp, nextPoll } from "../../../src/core/jobs/jobPollPace.ts";

const MINUTE = 60_000;
const ID = "11111111-2222-4333-8444-555555555555";

const record: JobRecord = {
  id: "one",
  stage: "submitted",
  service: "http://service",
  chainId: "296",
  address: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  verificationId: ID,
  submittedAt: 0,
};

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A clock that is wound by hand. */
class HandClock implements Clock {
  #now = 0;
  #sleepers: { at: number; wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      this.#sleepers.push({ at: this.#now + milliseconds, wake: resolve });
      signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  }

  /** Lets time pass, second by second, and everybody do what is due. */
  async pass(milliseconds: number): Promise<void> {
    for (const end = this.#now + milliseconds; this.#now < end;) {
      this.#now += 1000;
      const due = this.#sleepers.filter(({ at }) => at <= this.#now);
      this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#now);
      for (const { wake } of due) wake();
      if (due.length > 0) await settled();
    }
  }
}

/** Requests on their way, of the client of the running test. */
let underWay = 0;

class CountingClient extends JsonClient {
  override async request(...request: Parameters<JsonClient["request"]>) {
    underWay++;
    try {
      return await super.request(...request);
    } finally {
      underWay--;
    }
  }
}

/** Until everybody has done what is due and every request is answered. */
async function settled(): Promise<void> {
  do await setTimeout(5);
  while (underWay > 0);
  await setTimeout(5);
}

/** A run of the editor with jobs of an earlier one, against a service that answers as the test says. */
async function run(kept: JobRecord[], answer: () => object) {
  const clock = new HandClock();
  const server = await startServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer()));
  });
  const storage = new MemoryStorage();
  for (const one of kept) storage.put(`${one.id}.job.json`, JSON.stringify({ ...one, service: server.url }));
  const http = new CountingClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
  const jobs = new VerificationJobs({
    store: new JobStore(storage),
    service: (url = server.url) => new VerificationService(http, url),
    clock,
    random: () => 0,
    newId: () => "new",
  });
  const finished: JobRecord[] = [];
  const presence = { isThere: true };
  const follower = new JobFollower({
    jobs,
    clock,
    random: () => 0,
    isSomebodyThere: () => presence.isThere,
    onFinished: (one) => finished.push(one),
  });
  stops.push(
    () => follower.dispose(),
    () => http.dispose(),
    () => server.stop(),
  );
  follower.start();
  await settled();
  return { clock, server, jobs, follower, finished, presence };
}

const pending = { isJobCompleted: false, verificationId: ID, contract: { match: null } };
const verified = { isJobCompleted: true, verificationId: ID, contract: { match: "exact_match" } };

describe("jobs that no command waits for", () => {
  it("are looked at ever more rarely, and given up when the service has forgotten them", () => {
    const pauses: number[] = [];
    let last = 0;
    for (;;) {
      const next = nextPoll({ ...record, checkedAt: last }, undefined, last);
      if (next === undefined) break;
      pauses.push(next - last);
      last = next;
    }
    assert.deepEqual([...new Set(pauses)], [8_000, 25_000, 60_000, 300_000]);
    assert.ok(pauses.length < 130, `${pauses.length} looks`);
    assert.equal(isGivenUp(record, last), true);
    assert.equal(isGivenUp(record, 30 * MINUTE), false);
  });

  it("of an earlier run are followed to the end, and the end is told once", async () => {
    let answer: object = pending;
    const { clock, server, finished, jobs } = await run([record], () => answer);
    assert.equal(server.asked.length, 0);
    await clock.pass(20_000);
    assert.equal(server.asked.length, 2);
    answer = verified;
    await clock.pass(8_000);
    assert.equal(server.asked.length, 3);
    assert.deepEqual(
      finished.map(({ id }) => id),
      ["one"],
    );
    assert.equal(jobs.store.get("one")?.job?.contract?.match, "exact_match");
    await clock.pass(30 * MINUTE);
    assert.ok(server.asked.length <= 3 + 5, "explorers get two minutes, then a finished job needs no look");
  });

  it("of an earlier run are looked at once as soon as a person is back", async () => {
    const { clock, server } = await run([{ ...record, submittedAt: -10 * MINUTE }], () => pending);
    await clock.pass(1000);
    assert.equal(server.asked.length, 1);
    await clock.pass(20_000);
    assert.equal(server.asked.length, 1, "then as seldom as its age says");
  });

  it("are left alone while no person is there, and looked at when one comes back", async () => {
    const { clock, server, presence, follower } = await run([record], () => pending);
    presence.isThere = false;
    follower.wake();
    await settled();
    await clock.pass(10 * MINUTE);
    assert.equal(server.asked.length, 0);
    presence.isThere = true;
    follower.wake();
    await settled();
    await clock.pass(1000);
    assert.equal(server.asked.length, 1);
  });

  it("survive a service that fails, without a storm", async () => {
    const { clock, server, jobs } = await run([record], () => ({ unexpected: true }));
    await clock.pass(10 * MINUTE);
    assert.ok(server.asked.length > 10 && server.asked.length < 35, `${server.asked.length} requests`);
    assert.equal(jobs.store.get("one")?.problem !== undefined, true);
  });

  it("are not looked at twice while a command waits for them", async () => {
    const { clock, server, jobs, finished } = await run([record], () => pending);
    const abort = new AbortController();
    const waiting = jobs.wait("one", { limitMs: 30 * MINUTE, signal: abort.signal });
    await settled();
    await clock.pass(5 * MINUTE);
    const byCommand = server.asked.length;
    abort.abort();
    await waiting;
    assert.ok(byCommand > 20);
    await clock.pass(5 * MINUTE);
    assert.ok(server.asked.length - byCommand <= 13, `${server.asked.length - byCommand} looks afterwards`);
    assert.deepEqual(finished, []);
  });

  it("are followed for two minutes more when explorers were told and did not answer yet", async () => {
    const done = {
      ...verified,
      externalVerifications: { etherscan: { statusUrl: "https://explorer/status" } },
    };
    const told = { ...record, finishedAt: 5_000, checkedAt: 5_000, job: done };
    const looks: number[] = [];
    for (let at = 5_000; ;) {
      const next = nextPoll({ ...told, checkedAt: at }, undefined, at);
      if (next === undefined) break;
      looks.push((next - 5_000) / 1000);
      at = next;
    }
    assert.deepEqual(looks, [10, 20, 40, 80, 160]);
    const answered = { ...done, externalVerifications: { etherscan: { explorerUrl: "https://explorer/x" } } };
    assert.equal(nextPoll({ ...told, job: answered }, undefined, 5_000), undefined);
    const later = { ...told, checkedAt: 15_000 };
    assert.ok(
      (nextPoll(later, undefined, 24 * 60 * MINUTE) ?? Infinity) < MINUTE,
      "one look after a restart",
    );
    assert.equal(nextPoll({ ...later, checkedAt: 24 * 60 * MINUTE }, undefined, 24 * 60 * MINUTE), undefined);
    let answer: object = done;
    const { clock, server } = await run([told], () => answer);
    await clock.pass(16_000);
    answer = answered;
    await clock.pass(5 * MINUTE);
    assert.equal(server.asked.length, 2);
  });
});
