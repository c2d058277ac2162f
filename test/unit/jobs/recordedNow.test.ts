import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { recordedNow } from "../../../src/core/jobs/recordedNow.ts";
import type { VerifiedContract } from "../../../src/core/service/job.ts";
import { ADDRESS } from "./jobWorld.ts";

const DEPLOYMENT = { chainId: "296", address: ADDRESS };
const answering = (answer: () => VerifiedContract | undefined) => ({
  contract: () => new Promise<VerifiedContract | undefined>((resolve) => resolve(answer())),
});
const failing = (error: Error) =>
  answering(() => {
    throw error;
  });

describe("What a service has on record before something is sent", () => {
  const unsaid: string[] = [];
  const ask = (service: ReturnType<typeof answering>) =>
    recordedNow(service, DEPLOYMENT, ({ code }) => void unsaid.push(code));

  it("is a contract that counts as verified, and nothing else", async () => {
    assert.deepEqual(await ask(answering(() => ({ match: "match" }))), { match: "match" });
    assert.equal(await ask(answering(() => ({ match: null }))), undefined);
    assert.equal(await ask(answering(() => ({ match: "some day" }))), undefined);
    assert.equal(await ask(answering(() => undefined)), undefined);
    assert.deepEqual(unsaid, []);
  });

  it("is nothing where the service can't say, and the reason is told", async () => {
    assert.equal(await ask(failing(new LedgerLensError("timeout", "It took too long."))), undefined);
    assert.deepEqual(unsaid.splice(0), ["timeout"]);
  });

  it("is not taken for nothing where the question was cancelled, or by a fault of ours", async () => {
    await assert.rejects(ask(failing(new LedgerLensError("cancelled", "It was cancelled."))), {
      code: "cancelled",
    });
    await assert.rejects(ask(failing(new TypeError("x is not a function"))), TypeError);
    assert.deepEqual(unsaid, []);
  });
});
