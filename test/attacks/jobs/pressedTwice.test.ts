import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { retryOffer } from "../../../src/core/jobs/retryOffer.ts";
import {
  ADDRESS,
  finished,
  ID,
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
});
