import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { isRefusedAsVerified, recordStatus } from "../../../src/core/jobs/jobRecord.ts";
import {
  ADDRESS,
  finished,
  ID,
  INPUT,
  OTHER_ID,
  pending,
  stopWorlds,
  submit,
  SUBMISSION,
  world,
} from "../../unit/jobs/jobWorld.ts";

/** The same contract, of other sources. */
const OTHER: typeof SUBMISSION = {
  ...SUBMISSION,
  input: {
    ...INPUT,
    stdJsonInput: { ...INPUT.stdJsonInput, sources: { "A.sol": { content: "contract A { uint x; }" } } },
  },
};

const VERIFIED = {
  match: "match",
  creationMatch: "match",
  runtimeMatch: "match",
  matchId: "77",
  verifiedAt: "2026-01-01T00:00:00Z",
  chainId: "296",
  address: ADDRESS,
};

/** A service that loses the first submission, takes the second one, and is at work on that until it is told that it is over. */
async function serviceThatLosesTheFirst(match = "match") {
  const state = { isOver: false, submissions: 0 };
  const { jobs } = await world((request, response) => {
    const { method, url = "" } = request;
    if (method === "POST") {
      request.resume().on("end", () => {
        state.submissions++;
        if (state.submissions === 1) {
          request.socket.destroy();
          return;
        }
        const isRunning = state.submissions > 2 && !state.isOver;
        response.statusCode = isRunning ? 429 : 202;
        response.end(
          JSON.stringify(
            isRunning
              ? { customCode: "duplicate_verification_request", message: "Already being verified" }
              : { verificationId: state.submissions === 2 ? ID : OTHER_ID },
          ),
        );
      });
      return undefined;
    }
    if (url.includes("/contract/")) {
      if (state.isOver) return { ...VERIFIED, match };
      response.statusCode = 404;
      return { match: null, chainId: "296", address: ADDRESS };
    }
    if (url.includes("/chains")) return [];
    const { matchId, verifiedAt } = VERIFIED;
    return state.isOver
      ? { ...finished(match), contract: { ...finished(match).contract, matchId, verifiedAt } }
      : pending;
  });
  return { jobs, state };
}

/** A submission whose answer is lost, by its id, and one of other sources of the same contract, which is taken. */
async function lostBesideOther(match?: string) {
  const { jobs, state } = await serviceThatLosesTheFirst(match);
  await submit(jobs, SUBMISSION).catch(() => undefined);
  const { id } = jobs.store.all()[0] ?? assert.fail("it is kept");
  return { jobs, state, id, other: await submit(jobs, OTHER) };
}

describe("A submission to which no answer came, while other sources of the contract are verified", () => {
  after(stopWorlds);

  it("is not told of their outcome, where it is tried again while the service is at work on them", async () => {
    const { jobs, state, id, other } = await lostBesideOther();
    assert.equal(other.verificationId, ID);
    await assert.rejects(jobs.retry(id), { code: "duplicate_verification_request" });
    assert.equal(jobs.store.get(id)?.stage, "unconfirmed");
    state.isOver = true;
    await jobs.checkOpen();
    assert.equal(recordStatus(jobs.store.get(other.id) ?? assert.fail()), "match");
    assert.equal(recordStatus(jobs.store.get(id) ?? assert.fail()), "pending");
  });

  it("is not told of their outcome, where it is asked for once they are verified", async () => {
    const { jobs, state, id, other } = await lostBesideOther();
    state.isOver = true;
    await jobs.check(other.id);
    const checked = await jobs.check(id);
    assert.equal(recordStatus(checked), "pending");
  });

  it("is over once they are verified exactly, as one that comes to what is verified already", async () => {
    const { jobs, state, id } = await lostBesideOther("exact_match");
    state.isOver = true;
    assert.ok(isRefusedAsVerified(await jobs.check(id)));
  });

  it("is sent again, and has its own outcome, once they are verified with a mere match", async () => {
    const { jobs, state, id, other } = await lostBesideOther();
    state.isOver = true;
    await jobs.check(other.id);
    const again = await jobs.retry(id);
    assert.equal(state.submissions, 3);
    assert.equal(again.verificationId, OTHER_ID);
  });
});

describe("A job that is followed by its id", () => {
  after(stopWorlds);

  it("takes no answer about another contract than the one that it was submitted for", async () => {
    const elsewhere = `0x${"7b".repeat(20)}`;
    let answered: object = pending;
    const { jobs } = await world((request, response) => {
      const { method, url = "" } = request;
      if (method === "POST") {
        response.statusCode = 202;
        return { verificationId: ID };
      }
      if (url.includes("/contract/")) {
        response.statusCode = 404;
        return { match: null, chainId: "296", address: ADDRESS };
      }
      return url.includes("/chains") ? [] : answered;
    });
    const { id } = await submit(jobs, SUBMISSION);
    answered = {
      ...finished("exact_match"),
      contract: { match: "exact_match", chainId: "296", address: elsewhere },
    };
    await assert.rejects(jobs.check(id), { code: "wrong_answer" });
    await assert.rejects(jobs.adopt(ID), { code: "wrong_answer" });
    assert.equal(recordStatus(jobs.store.get(id) ?? assert.fail()), "pending");
  });
});
