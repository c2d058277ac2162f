import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { recordStatus, type JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { retryOffer } from "../../../src/core/jobs/retryOffer.ts";
import { eventually } from "../../rig/eventually.ts";
import {
  ADDRESS,
  finished,
  ID,
  INPUT,
  OTHER_ID,
  PARTIAL,
  pending,
  stopWorlds,
  submit,
  SUBMISSION,
  world,
} from "../../unit/jobs/jobWorld.ts";

const FAILED = finished(null, { customCode: "internal_error", message: "x", errorId: "1" });

/** What a service answers to a submission: a status and a body, nothing at all, or nothing as long as it is waited for. */
type Taken = readonly [status: number, body: object] | "no answer" | "not yet";

/**
 * A service that answers each submission after a moment, and tells which it got, and how many at the same time.
 *
 * @param lookedUp is called when it is asked what it has of the contract
 */
async function serviceThat(
  job: (id: string) => object,
  taken: (count: number) => Taken,
  lookedUp?: () => void,
) {
  const submissions: string[] = [];
  const atOnce = { now: 0, most: 0 };
  const { jobs, storage } = await world((request, response) => {
    const { method, url = "" } = request;
    if (method === "POST") {
      request.resume().on("end", () => {
        submissions.push(url);
        const answer = taken(submissions.length);
        atOnce.most = Math.max(atOnce.most, ++atOnce.now);
        response.on("close", () => atOnce.now--);
        if (answer === "no answer") {
          request.socket.destroy();
          return;
        }
        if (answer === "not yet") return;
        response.statusCode = answer[0];
        setTimeout(() => response.end(JSON.stringify(answer[1])), 50);
      });
      return undefined;
    }
    if (url.includes("/contract/")) {
      lookedUp?.();
      response.statusCode = 404;
      return { match: null, chainId: "296", address: ADDRESS };
    }
    const verificationId = url.split("/").at(-1) ?? "";
    return url.includes("/chains") ? [] : { ...job(verificationId), verificationId };
  });
  return { jobs, submissions, storage, atOnce };
}

const ACCEPTED: Taken = [202, { verificationId: ID }];
const ACCEPTED_TOO: Taken = [202, { verificationId: OTHER_ID }];
const DUPLICATE: Taken = [
  429,
  { customCode: "duplicate_verification_request", message: "Already being verified" },
];
const REFUSED: Taken = [400, { customCode: "unsupported_compiler_version", message: "no" }];

/** The same contract, of other sources. */
const OTHER: typeof SUBMISSION = {
  ...SUBMISSION,
  input: {
    ...INPUT,
    stdJsonInput: { ...INPUT.stdJsonInput, sources: { "A.sol": { content: "contract A { uint x; }" } } },
  },
};

/** The same contract, of so much text that this thread pauses while it tells whether it is the same. */
const LARGE: typeof SUBMISSION = {
  ...SUBMISSION,
  input: {
    ...INPUT,
    stdJsonInput: {
      ...INPUT.stdJsonInput,
      sources: { "A.sol": { content: `contract A {} // ${"x".repeat(12_000_000)}` } },
    },
  },
};

/** A large submission that is cancelled once it arrived, in the moment in which something is asked for after it. */
async function leftWhenItArrives(next: typeof LARGE, answer: Taken) {
  const leaving = new AbortController();
  const asked = Promise.withResolvers<JobRecord>();
  const { jobs, submissions } = await serviceThat(
    () => pending,
    (count) => {
      if (count === 1) {
        asked.resolve(submit(jobs, next));
        leaving.abort();
      }
      return count === 1 ? answer : ACCEPTED_TOO;
    },
  );
  const first = submit(jobs, LARGE, leaving.signal);
  first.catch(() => undefined);
  return { jobs, first, asked: asked.promise, submissions };
}

describe("What is pressed twice at once", () => {
  after(stopWorlds);

  const FIRST: Readonly<Record<string, Taken>> = {
    refused: [500, { customCode: "internal_error", message: "no" }],
    "held back by a limit": [400, { customCode: "too_many_requests", message: "later" }],
    "in doubt": "no answer",
  };
  for (const [name, first] of Object.entries(FIRST)) {
    it(`is sent again once, of a submission that was ${name}`, async () => {
      const { jobs, submissions } = await serviceThat(
        () => pending,
        (count) => (count === 1 ? first : ACCEPTED),
      );
      await submit(jobs, SUBMISSION).catch(() => undefined);
      const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
      const before = submissions.length;
      const [one, other] = await Promise.all([jobs.retry(id), jobs.retry(id)]);
      assert.equal(submissions.length - before, 1);
      assert.equal(one.id, other.id);
    });
  }

  it("is sent again once, of a submission that was refused, where the second press comes while the first one asks", async () => {
    const first = new AbortController();
    let pressed: Promise<JobRecord> | undefined;
    const { jobs, submissions } = await serviceThat(
      () => pending,
      (count) => (count === 1 ? REFUSED : ACCEPTED),
      () => {
        if (submissions.length === 0 || pressed) return;
        const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
        pressed = jobs.retry(id);
        first.abort();
      },
    );
    await assert.rejects(submit(jobs, SUBMISSION));
    const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
    await assert.rejects(jobs.retry(id, { signal: first.signal }), { code: "cancelled" });
    assert.equal((await pressed)?.stage, "submitted", "the second one has what came of it");
    assert.equal(submissions.length, 2);
  });

  it("is sent again once, of a job that failed", async () => {
    const { jobs, submissions } = await serviceThat(
      () => FAILED,
      () => ACCEPTED,
    );
    const { id } = await submit(jobs, SUBMISSION);
    await jobs.check(id);
    const before = submissions.length;
    await Promise.all([jobs.retry(id), jobs.retry(id)]);
    assert.equal(submissions.length - before, 1);
  });

  it("is submitted once, and the one that is cancelled leaves it to the other", async () => {
    const { jobs, submissions } = await serviceThat(
      () => pending,
      () => ACCEPTED,
    );
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

  it("is submitted once, also where the first one is cancelled while the service has its request", async () => {
    const leaving = new AbortController();
    const { jobs, submissions } = await serviceThat(
      () => pending,
      (count) => {
        setTimeout(() => leaving.abort(), 5);
        return count === 1 ? ACCEPTED : ACCEPTED_TOO;
      },
    );
    const first = submit(jobs, SUBMISSION, leaving.signal);
    const second = submit(jobs, SUBMISSION);
    await assert.rejects(first, { code: "cancelled" });
    assert.equal((await second).verificationId, ID);
    assert.equal(submissions.length, 1);
    assert.equal(jobs.store.all().length, 1);
  });

  it("is submitted once, also where the first one is cancelled as soon as the second one is asked for", async () => {
    const { first, asked, submissions } = await leftWhenItArrives(LARGE, ACCEPTED);
    const second = await asked;
    assert.deepEqual([second.stage, second.verificationId], ["submitted", ID]);
    await assert.rejects(first, { code: "cancelled" });
    assert.equal(submissions.length, 1);
  });

  it("is stopped where it was cancelled while something else was asked for, which is sent alone", async () => {
    const { jobs, first, asked } = await leftWhenItArrives(OTHER, "not yet");
    await assert.rejects(first);
    const second = await asked;
    assert.equal(second.verificationId, OTHER_ID);
    const other = jobs.store.all().find(({ id }) => id !== second.id);
    assert.equal(other?.stage, "unconfirmed");
  });

  it("is sent again once, of a job that failed, also where the second press comes after the first was accepted", async () => {
    const job = (id: string) => (id === ID ? FAILED : pending);
    const { jobs, submissions } = await serviceThat(job, (count) => (count === 1 ? ACCEPTED : ACCEPTED_TOO));
    const { id } = await submit(jobs, SUBMISSION);
    await jobs.check(id);
    const [one, other] = [await jobs.retry(id), await jobs.retry(id)];
    assert.equal(other.id, one.id);
    assert.equal(submissions.length, 2);
  });

  it("is submitted from its files where the other one can't be sent again, since what was kept of it is gone", async () => {
    const { jobs, submissions, storage } = await serviceThat(
      () => pending,
      (count) => (count === 1 ? REFUSED : ACCEPTED),
    );
    await submit(jobs, SUBMISSION).catch(() => undefined);
    const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
    for (const name of storage.files.keys()) if (name.includes("input")) storage.files.delete(name);
    const [again, anew] = await Promise.allSettled([jobs.retry(id), submit(jobs, SUBMISSION)]);
    assert.equal(again.status === "rejected" && (again.reason as { code: string }).code, "input_forgotten");
    assert.equal(anew.status === "fulfilled" && anew.value.stage, "submitted");
    assert.equal(submissions.length, 2);
  });
});

describe("What is pressed while something else is submitted for the same contract", () => {
  after(stopWorlds);

  for (const [name, first] of Object.entries<Taken>({
    refused: REFUSED,
    "left without an answer": "no answer",
  }))
    it(`is sent and has its own outcome, where the first was ${name}`, async () => {
      const { jobs, submissions } = await serviceThat(
        () => pending,
        (count) => (count === 1 ? first : ACCEPTED),
      );
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
    const { jobs, submissions } = await serviceThat(
      () => pending,
      (count) => (count < 4 ? REFUSED : ACCEPTED),
    );
    for (const submission of [SUBMISSION, OTHER]) await submit(jobs, submission).catch(() => undefined);
    const ids = jobs.store.all().map(({ id }) => id);
    const [one, other] = await Promise.allSettled(ids.map((id) => jobs.retry(id)));
    assert.equal(one?.status, "rejected");
    assert.equal(other?.status === "fulfilled" && other.value.id, ids[1]);
    assert.equal(submissions.length, 4);
  });

  it("leaves in doubt what had arrived when it was cancelled, though the next try is refused", async () => {
    const leaving = new AbortController();
    const { jobs, submissions } = await serviceThat(
      () => pending,
      (count) => {
        if (count === 2) setTimeout(() => leaving.abort(), 5);
        return REFUSED;
      },
    );
    await submit(jobs, SUBMISSION).catch(() => undefined);
    const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
    await assert.rejects(jobs.retry(id, { signal: leaving.signal }));
    await assert.rejects(jobs.retry(id), { code: "unsupported_compiler_version" });
    assert.equal(submissions.length, 3);
    assert.equal(jobs.store.get(id)?.stage, "unconfirmed");
  });

  it("is not sent beside a second try with the whole build, and has its own outcome", async () => {
    const noMatch = finished(null, { customCode: "no_match", message: "no", errorId: "1" });
    const job = (id: string) => (id === ID ? noMatch : pending);
    const third = "33333333-2222-4333-8444-555555555555";
    const ids = [ID, OTHER_ID, third];
    const { jobs, submissions, atOnce } = await serviceThat(job, (count) => [
      202,
      { verificationId: ids[count - 1] },
    ]);
    const { id } = await submit(jobs, PARTIAL);
    const checked = jobs.check(id);
    await eventually(() => assert.equal(submissions.length, 2));
    const other = await submit(jobs, OTHER);
    assert.equal((await checked).secondTry?.id, `${id}-whole-build`);
    assert.equal(other.verificationId, third);
    assert.equal(atOnce.most, 1);
    assert.equal(submissions.length, 3);
  });

  for (const who of ["nobody", "the first"])
    it(`is followed to the second try by both who wait for it, where ${who} leaves while that is sent`, async () => {
      const noMatch = finished(null, { customCode: "no_match", message: "no", errorId: "1" });
      const leaving = new AbortController();
      const asked = Promise.withResolvers<JobRecord>();
      const { jobs, submissions } = await serviceThat(
        (id) => (id === ID ? noMatch : finished("exact_match")),
        (count) => {
          if (count === 1) return ACCEPTED;
          asked.resolve(jobs.wait(firstId, { limitMs: 60_000 }));
          if (who === "the first") setTimeout(() => leaving.abort(), 20);
          return ACCEPTED_TOO;
        },
      );
      const { id: firstId } = await submit(jobs, PARTIAL);
      const first = jobs.wait(firstId, { limitMs: 60_000, signal: leaving.signal });
      assert.equal(recordStatus(await asked.promise), "exact_match");
      if (who === "nobody") assert.equal(recordStatus(await first), "exact_match");
      await first;
      assert.equal(submissions.length, 2);
    });
});

describe("What is submitted while a job for other sources of the contract runs", () => {
  after(stopWorlds);

  it("is told that it was not taken, is kept, and can be sent once that job is over", async () => {
    let isOver = false;
    const job = (id: string) => (id === ID && isOver ? FAILED : pending);
    const { jobs } = await serviceThat(job, (count) =>
      count === 1 ? ACCEPTED : isOver ? ACCEPTED_TOO : DUPLICATE,
    );
    const first = await submit(jobs, SUBMISSION);
    await assert.rejects(submit(jobs, OTHER), {
      code: "duplicate_verification_request",
      message: /is still working on another job for this contract\. Wait for it, then submit again\.$/,
    });
    const second = jobs.store.all().find(({ id }) => id !== first.id) ?? assert.fail("it is kept");
    assert.equal(recordStatus(second), "failed");
    assert.ok(retryOffer(second, Date.now()));
    assert.equal(jobs.store.get(first.id)?.stage, "submitted");
    isOver = true;
    await jobs.check(first.id);
    const again = await jobs.retry(second.id);
    assert.deepEqual([again.id, again.verificationId], [second.id, OTHER_ID]);
    const input = JSON.stringify(await jobs.store.input(again.id));
    assert.match(input, /uint x/, "its own sources");
  });

  it("keeps what was agreed to beside a job of the contract that was only followed", async () => {
    const { jobs } = await serviceThat(
      () => ({ ...pending, contract: { match: null, chainId: "296", address: ADDRESS } }),
      (count) => (count === 1 ? "no answer" : DUPLICATE),
    );
    await submit(jobs, SUBMISSION).catch(() => undefined);
    const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
    const followed = await jobs.adopt(OTHER_ID);
    const again = await jobs.retry(id);
    // It may be its own first try, to which no answer came.
    assert.deepEqual([again.id, again.stage], [id, "adopted"]);
    assert.ok(await jobs.store.input(id));
    assert.equal(jobs.store.get(followed.id)?.stage, "submitted");
  });
});

describe("A refusal with the status of a conflict", () => {
  after(stopWorlds);

  for (const [name, body, code] of [
    ["of another reason", { customCode: "chain_paused", message: "paused" }, "chain_paused"],
    ["without a reason", {}, "service_error"],
  ] as const)
    it(`${name} is no verified contract, where the service has none on record`, async () => {
      const { jobs } = await serviceThat(
        () => pending,
        () => [409, body],
      );
      await assert.rejects(submit(jobs, SUBMISSION), { code });
      const [record] = jobs.store.all();
      assert.equal(record && recordStatus(record), "failed");
    });
});

describe("A job that was only followed by its id", () => {
  after(stopWorlds);

  for (const [name, job] of Object.entries({
    failed: FAILED,
    "does not end": { ...pending, jobStartTime: "2020-01-01T00:00:00Z" },
  })) {
    it(`is not submitted by a button, since nobody here agreed to anything, where it ${name}`, async () => {
      const { jobs, submissions } = await serviceThat(
        () => job,
        () => ACCEPTED,
      );
      await jobs.store.load();
      const record = await jobs.adopt("33333333-2222-4333-8444-555555555555");
      assert.equal(retryOffer(record, Date.now()), undefined);
      await assert.rejects(jobs.retry(record.id), { code: "input_forgotten" });
      assert.deepEqual(submissions, []);
    });
  }

  it("is in the list once, whoever follows it at the same time, and is the one that was submitted here", async () => {
    const { jobs } = await serviceThat(
      () => pending,
      () => ACCEPTED,
    );
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
