import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { retryOffer } from "../../../src/core/jobs/retryOffer.ts";
import {
  ADDRESS,
  finished,
  ID,
  INPUT,
  pending,
  stopWorlds,
  submit,
  SUBMISSION,
  world,
} from "../../unit/jobs/jobWorld.ts";

const FAILED = finished(null, { customCode: "internal_error", message: "x", errorId: "1" });

/** What a service answers to a submission: a status and a body, or nothing at all. */
type Taken = readonly [status: number, body: object] | "no answer";

/** A service that answers each submission after a moment, and tells which it got. */
async function serviceThat(job: object, taken: (count: number) => Taken) {
  const submissions: string[] = [];
  const { jobs } = await world((request, response) => {
    const { method, url = "" } = request;
    if (method === "POST") {
      request.resume().on("end", () => {
        submissions.push(url);
        const answer = taken(submissions.length);
        if (answer === "no answer") {
          request.socket.destroy();
          return;
        }
        response.statusCode = answer[0];
        setTimeout(() => response.end(JSON.stringify(answer[1])), 50);
      });
      return undefined;
    }
    if (url.includes("/contract/")) {
      response.statusCode = 404;
      return { match: null, chainId: "296", address: ADDRESS };
    }
    return url.includes("/chains") ? [] : { ...job, verificationId: url.split("/").at(-1) };
  });
  return { jobs, submissions };
}

const ACCEPTED: Taken = [202, { verificationId: ID }];

describe("What is pressed twice at once", () => {
  after(stopWorlds);

  const FIRST: Readonly<Record<string, Taken>> = {
    refused: [500, { customCode: "internal_error", message: "no" }],
    "held back by a limit": [400, { customCode: "too_many_requests", message: "later" }],
    "in doubt": "no answer",
  };
  for (const [name, first] of Object.entries(FIRST)) {
    it(`is sent again once, of a submission that was ${name}`, async () => {
      const { jobs, submissions } = await serviceThat(pending, (count) => (count === 1 ? first : ACCEPTED));
      await submit(jobs, SUBMISSION).catch(() => undefined);
      const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
      const before = submissions.length;
      const [one, other] = await Promise.all([jobs.retry(id), jobs.retry(id)]);
      assert.equal(submissions.length - before, 1);
      assert.equal(one.id, other.id);
    });
  }

  it("is sent again once, of a job that failed", async () => {
    const { jobs, submissions } = await serviceThat(FAILED, () => ACCEPTED);
    const { id } = await submit(jobs, SUBMISSION);
    await jobs.check(id);
    const before = submissions.length;
    await Promise.all([jobs.retry(id), jobs.retry(id)]);
    assert.equal(submissions.length - before, 1);
  });

  it("is submitted once, and the one that is cancelled leaves it to the other", async () => {
    const { jobs, submissions } = await serviceThat(pending, () => ACCEPTED);
    const [one, other] = await Promise.all([submit(jobs, SUBMISSION), submit(jobs, SUBMISSION)]);
    assert.equal(submissions.length, 1);
    assert.equal(one.id, other.id);
    const elsewhere = { ...SUBMISSION, address: `0x${"7b".repeat(20)}` };
    const leaving = new AbortController();
    const first = submit(jobs, elsewhere);
    const second = submit(jobs, elsewhere, leaving.signal);
    leaving.abort();
    await assert.rejects(second);
    assert.equal((await first).stage, "submitted");
    assert.equal(submissions.length, 2);
  });
});

describe("What is pressed while something else is submitted for the same contract", () => {
  after(stopWorlds);

  const REFUSED: Taken = [400, { customCode: "unsupported_compiler_version", message: "no" }];
  const stdJsonInput = { ...INPUT.stdJsonInput, sources: { "A.sol": { content: "contract A { uint x; }" } } };
  const OTHER: typeof SUBMISSION = { ...SUBMISSION, input: { ...INPUT, stdJsonInput } };

  for (const [name, first] of Object.entries<Taken>({
    refused: REFUSED,
    "left without an answer": "no answer",
  }))
    it(`is sent and has its own outcome, where the first was ${name}`, async () => {
      const { jobs, submissions } = await serviceThat(pending, (count) => (count === 1 ? first : ACCEPTED));
      const [one, ...others] = await Promise.allSettled([
        submit(jobs, SUBMISSION),
        submit(jobs, OTHER),
        submit(jobs, OTHER),
      ]);
      assert.equal(one.status, "rejected");
      const [second, third] = others.map((other) =>
        other.status === "fulfilled" ? other.value : assert.fail(String(other.reason)),
      );
      assert.equal(second?.stage, "submitted");
      assert.equal(third?.id, second.id);
      assert.equal(submissions.length, 2);
      const kept = jobs.store.all();
      assert.equal(kept.length, 2);
      assert.notEqual(kept.find(({ id }) => id !== second.id)?.requestSha256, second.requestSha256);
    });

  it("is told of nothing that became of another record that is tried again", async () => {
    const { jobs, submissions } = await serviceThat(pending, (count) => (count < 4 ? REFUSED : ACCEPTED));
    for (const submission of [SUBMISSION, OTHER]) await submit(jobs, submission).catch(() => undefined);
    const ids = jobs.store.all().map(({ id }) => id);
    const [one, other] = await Promise.allSettled(ids.map((id) => jobs.retry(id)));
    assert.equal(one?.status, "rejected");
    assert.equal(other?.status === "fulfilled" && other.value.id, ids[1]);
    assert.equal(submissions.length, 4);
  });

  it("leaves in doubt what had arrived when it was cancelled, though the next try is refused", async () => {
    const leaving = new AbortController();
    const { jobs, submissions } = await serviceThat(pending, (count) => {
      if (count === 2) setTimeout(() => leaving.abort(), 5);
      return REFUSED;
    });
    await submit(jobs, SUBMISSION).catch(() => undefined);
    const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
    const first = jobs.retry(id, { signal: leaving.signal });
    // The second was pressed before the first one is at work.
    const second = jobs.retry(id);
    await assert.rejects(first);
    await assert.rejects(second, { code: "unsupported_compiler_version" });
    assert.equal(submissions.length, 3);
    assert.equal(jobs.store.get(id)?.stage, "unconfirmed");
  });
});

describe("A job that was only followed by its id", () => {
  after(stopWorlds);

  for (const [name, job] of Object.entries({
    failed: FAILED,
    "does not end": { ...pending, jobStartTime: "2020-01-01T00:00:00Z" },
  })) {
    it(`is not submitted by a button, since nobody here agreed to anything, where it ${name}`, async () => {
      const { jobs, submissions } = await serviceThat(job, () => ACCEPTED);
      await jobs.store.load();
      const record = await jobs.adopt("33333333-2222-4333-8444-555555555555");
      assert.equal(retryOffer(record, Date.now()), undefined);
      await assert.rejects(jobs.retry(record.id), { code: "input_forgotten" });
      assert.deepEqual(submissions, []);
    });
  }

  it("is in the list once, whoever follows it at the same time, and is the one that was submitted here", async () => {
    const { jobs } = await serviceThat(pending, () => ACCEPTED);
    await jobs.store.load();
    const other = "33333333-2222-4333-8444-555555555555";
    const [one, two] = await Promise.all([jobs.adopt(other), jobs.adopt(other)]);
    assert.equal(one.id, two.id);
    const submitted = await submit(jobs, SUBMISSION);
    const followed = await jobs.adopt(ID);
    assert.equal(followed.id, submitted.id);
    assert.ok(followed.requestSha256 !== undefined, "what was agreed to is kept");
    assert.equal(jobs.store.all().length, 2);
  });
});
