import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { nextPoll } from "../../../src/core/jobs/jobPollPace.ts";
import { isInDoubt, recordStatus } from "../../../src/core/jobs/jobRecord.ts";
import { verificationJob } from "../../../src/core/service/job.ts";
import { whenWords } from "../../../src/core/text/timeWords.ts";
import { codeOf, ID, pending, stopWorlds, submit, SUBMISSION, world } from "../../unit/jobs/jobWorld.ts";

afterEach(stopWorlds);

describe("A refusal", () => {
  it("gives a program a word for a code, whatever the service says", async () => {
    for (const [customCode, expected] of [
      ["unsupported_chain", "unsupported_chain"],
      ["x".repeat(100_000), "service_error"],
      ["not a word", "service_error"],
      ["\u202ecode", "service_error"],
      ["[x](command:y)", "service_error"],
      [42, "service_error"],
    ] as const) {
      const { jobs } = await world(({ method }, response) => {
        response.statusCode = method === "POST" ? 400 : 404;
        return { customCode, message: "no", errorId: ID };
      });
      assert.equal(await codeOf(submit(jobs, SUBMISSION)), expected);
    }
  });

  it("is none where the answer is to look elsewhere for what came of it", async () => {
    for (const [status, isMaybeThere] of [
      [301, false],
      [303, true],
      [307, false],
    ] as const) {
      const { jobs } = await world(({ method }, response) => {
        if (method !== "POST") {
          response.statusCode = 404;
          return { match: null };
        }
        response.writeHead(status, { location: `/v2/verify/${ID}` }).end();
        return undefined;
      });
      assert.equal(await codeOf(submit(jobs, SUBMISSION)), "redirect_refused");
      const [record] = jobs.store.all();
      assert.equal(record && isInDoubt(record), isMaybeThere, `status ${status}`);
    }
  });
});

describe("An answer with a hundred thousand unknown fields", () => {
  it("is read with a thousand of them", () => {
    const further = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, 0]));
    const job = verificationJob({ ...pending, ...further, isJobCompleted: true });
    assert.ok("isJobCompleted" in job && job.isJobCompleted);
    assert.ok(Object.keys(job).length < 1_100, `${Object.keys(job).length} fields`);
    assert.equal((job as unknown as Record<string, unknown>)["k7"], 0, "what a later version adds is kept");
  });
});

describe("A clock that is set back", () => {
  it("does not lengthen the waiting of a command", async () => {
    let looks = 0;
    const made = await world(({ method, url }) => {
      if (method === "POST") return { verificationId: ID };
      if (url?.includes("/contract/")) return { match: null };
      looks++;
      return pending;
    });
    const { id } = await submit(made.jobs, SUBMISSION);
    // It stands still, as one does that is set back with every second.
    const now = made.clock.now();
    made.clock.now = () => now;
    assert.equal(recordStatus(await made.jobs.wait(id, { limitMs: 10_000 })), "pending");
    assert.ok(looks < 20, `${looks} looks`);
  });

  it("does not keep a job from being looked at for as long as it was set back", () => {
    const year = 365 * 24 * 3_600_000;
    const now = Date.UTC(2026, 10, 21);
    for (const touched of [now + year, 8.64e15]) {
      const next = nextPoll(
        {
          id: "one",
          stage: "submitted",
          service: "http://service",
          chainId: "296",
          address: SUBMISSION.address,
          verificationId: ID,
          submittedAt: touched,
          checkedAt: touched,
        },
        touched,
        now,
      );
      assert.ok(next !== undefined && next > now && next <= now + 5 * 60_000, `${next}`);
    }
  });

  it("leaves words for every time that a record can hold", () => {
    for (const at of [8.64e15, -8.64e15, 0, -1])
      for (const now of [8.64e15, -8.64e15, Date.UTC(2026, 10, 21)])
        for (const zone of ["UTC", "Pacific/Kiritimati", "America/Los_Angeles"])
          assert.match(whenWords(at, now, zone), /\d|just now/);
  });
});
