import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { isInDoubt, recordStatus } from "../../../src/core/jobs/jobRecord.ts";
import { outcomeInBrief, outcomeSentence } from "../../../src/core/jobs/jobWords.ts";
import { retryOffer } from "../../../src/core/jobs/retryOffer.ts";
import {
  ADDRESS,
  codeOf,
  finished,
  ID,
  OTHER_ID,
  stopWorlds,
  submit,
  SUBMISSION,
  world,
} from "../../unit/jobs/jobWorld.ts";

const OTHER_ADDRESS = "0x00000000000000000000000000000000000000aa";

afterEach(stopWorlds);

/** A service that takes one job, says the same of it whenever it is asked, and has no contract on record. */
const worldOfOneJob = (said: () => object) =>
  world((request, response) => {
    if (request.method === "POST") return { verificationId: ID };
    if (!request.url?.includes("/contract/")) return said();
    response.statusCode = 404;
    return { match: null };
  });

describe("An answer about something else than was asked", () => {
  const answers: readonly (readonly [string, object])[] = [
    [
      "another address",
      { ...finished("exact_match"), contract: { match: "exact_match", address: OTHER_ADDRESS } },
    ],
    ["another chain", { ...finished("exact_match"), contract: { match: "exact_match", chainId: "1" } }],
    ["another chain, as a number", { ...finished("exact_match"), contract: { match: "match", chainId: 1 } }],
    ["another job", { ...finished("exact_match"), verificationId: OTHER_ID }],
  ];
  for (const [what, answer] of answers) {
    it(`is no result but an error: ${what}`, async () => {
      const { jobs } = await worldOfOneJob(() => answer);
      const { id } = await submit(jobs, SUBMISSION);
      assert.equal(await codeOf(jobs.wait(id, { limitMs: 60_000 })), "wrong_answer");
      const record = jobs.store.get(id);
      assert.ok(record);
      assert.equal(record.job, undefined, "nothing of it is taken over");
      assert.equal(outcomeInBrief(record, 0), "waiting; the service answered about something else");
      assert.match(
        outcomeSentence(record),
        /answered about .* where .* was asked, so its answer is not used/,
      );
    });
  }

  it("is what was asked where only the notation differs", async () => {
    const contract = { match: "exact_match", chainId: 296, address: ADDRESS.toLowerCase() };
    const { jobs } = await world((request, response) => {
      if (request.method === "POST") return { verificationId: ID };
      if (!request.url?.includes("/contract/"))
        return { ...finished("exact_match"), verificationId: ID.toUpperCase(), contract };
      response.statusCode = 404;
      return { match: null };
    });
    const { id } = await submit(jobs, SUBMISSION);
    const record = await jobs.wait(id, { limitMs: 60_000 });
    assert.equal(outcomeInBrief(record, 0), "exact match");
  });

  const exact = finished("exact_match");
  const failed = finished(null, { customCode: "no_match", message: "no" });
  for (const [what, first, then, status] of [
    ["an exact match", exact, failed, "exact_match"],
    ["a match", finished("match"), exact, "match"],
    ["no match", failed, exact, "failed"],
  ] as const) {
    it(`takes back nothing that a job came to: ${what} stays`, async () => {
      let answer: object = first;
      const { jobs } = await worldOfOneJob(() => answer);
      const { id } = await submit(jobs, SUBMISSION);
      assert.equal(recordStatus(await jobs.wait(id, { limitMs: 60_000 })), status);
      answer = then;
      assert.equal(await codeOf(jobs.check(id)), "wrong_answer");
      assert.equal(recordStatus(jobs.store.get(id) ?? assert.fail()), status);
      answer = { ...first, externalVerifications: { explorer: { explorerUrl: "https://e.example/1" } } };
      const later = await jobs.check(id);
      assert.equal(recordStatus(later), status);
      assert.ok(later.job?.externalVerifications, "what is new besides is taken over");
    });
  }

  it("keeps a submission from going out when it is the look at what is on record", async () => {
    let posts = 0;
    const { jobs } = await world((request) => {
      if (request.method === "POST") posts++;
      return { match: "exact_match", chainId: "296", address: OTHER_ADDRESS };
    });
    assert.equal(await codeOf(submit(jobs, SUBMISSION)), "wrong_answer");
    assert.equal(posts, 0);
    assert.equal(jobs.store.all()[0]?.stage, "refused");
  });
});

describe("A submission that the service accepts", () => {
  const bodies: readonly unknown[] = [
    {},
    { verificationId: null },
    { verificationId: 42 },
    { verificationId: "" },
    { verificationId: "not-a-uuid" },
    { verificationId: "../../v2/verify" },
    { verificationId: [ID] },
    [],
    "accepted",
    null,
  ];
  for (const status of [200, 201, 202]) {
    it(`with status ${status} and an id that can't be used is in doubt, and never refused`, async () => {
      for (const body of bodies) {
        let posts = 0;
        const { jobs } = await world((request, response) => {
          if (request.method === "POST") {
            posts++;
            response.statusCode = status;
            response.end(JSON.stringify(body));
            return undefined;
          }
          response.statusCode = 404;
          return { match: null };
        });
        assert.equal(await codeOf(submit(jobs, SUBMISSION)), "wrong_shape", JSON.stringify(body));
        const [record] = jobs.store.all();
        assert.equal(record?.stage, "unconfirmed", JSON.stringify(body));
        assert.ok(isInDoubt(record));
        assert.equal(retryOffer(record, 0), "submit again");
        assert.match(outcomeSentence(record), /accepted the submission without a verification id/);
        assert.equal(posts, 1);
      }
    });
  }

  for (const status of [500, 502, 503, 504, 520, 599]) {
    it(`and that fails with status ${status} without a reason is in doubt`, async () => {
      const { jobs } = await world((request, response) => {
        response.statusCode = request.method === "POST" ? status : 404;
        return request.method === "POST" ? {} : { match: null };
      });
      assert.equal(await codeOf(submit(jobs, SUBMISSION)), "service_error");
      assert.equal(jobs.store.all()[0]?.stage, "unconfirmed");
    });
  }
});
