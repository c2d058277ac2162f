// What the product makes of answers of the service that are neither a match nor a difference of codes.
import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { recordStatus } from "../../../src/core/jobs/jobRecord.ts";
import { outcomeSentence } from "../../../src/core/jobs/jobWords.ts";
import { retryOffer } from "../../../src/core/jobs/retryOffer.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";
import type { Chain } from "../../sandbox/chain.ts";
import { CHAIN_OF_THE_PAST, type VerificationServer } from "../../sandbox/verificationService/service.ts";
import { submitTo, type TestSubmission } from "../../unit/jobs/agreed.ts";
import { DEAD_CHAIN, startServiceWorld, type ServiceWorld } from "./serviceWorld.ts";

const NOWHERE = "0x1111111111111111111111111111111111111111";
const LIMIT = { limitMs: 60_000 };

const SOURCES = { "Till.sol": { content: "pragma solidity ^0.8.0;\ncontract Till {}\n" } };
const INPUT = { language: "Solidity", sources: SOURCES, settings: {} } as const;

describe("The product, at a service that", () => {
  let chain: Chain;
  let server: VerificationServer;
  let session: ServiceWorld["session"];
  let stop: ServiceWorld["stop"];

  before(async () => {
    ({ chain, server, session, stop } = await startServiceWorld());
  });
  after(() => stop());

  const submissionFor = (address: string, change: object = {}): TestSubmission => ({
    chainId: chain.chainId,
    address,
    input: {
      compilerVersion: "0.8.28+commit.7893614a",
      contractIdentifier: "Till.sol:Till",
      contractName: "Till",
      path: "/w/Till.sol",
      fileCount: 1,
      source: "build-info",
      stdJsonInput: INPUT,
      ...change,
    },
  });

  const posts = () => server.requests.filter(({ method }) => method === "POST").length;

  async function refusal(promise: Promise<unknown>): Promise<LedgerLensError> {
    const error: unknown = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof LedgerLensError);
    return error;
  }

  it("can't get a compiler, blames the service and sends nothing more by itself", async () => {
    // Any code will do: the compiler is asked for before it is compared.
    const { address } = await chain.deploy("0x6001600c60003960016000f300");
    const jobs = session();
    const wholeBuild = { stdJsonInput: INPUT, files: [{ name: "Till.sol", path: "/w/Till.sol" }] };
    const submission = submissionFor(address, { compilerVersion: "0.8.27+commit.40a35a09", wholeBuild });
    const before = posts();
    const record = await jobs.wait((await submitTo(server.url, jobs, submission)).id, LIMIT);
    assert.equal(record.job?.error?.customCode, "compiler_error");
    assert.match(outcomeSentence(record), /compiler/);
    assert.doesNotMatch(outcomeSentence(record), /does(?:n't| not) compile/);
    assert.equal(retryOffer(record, 0), "try again");
    assert.equal(record.secondTry, undefined);
    assert.equal(posts() - before, 1);
  });

  it("lists a chain as not supported, sends nothing there", async () => {
    const before = posts();
    const { chainId } = CHAIN_OF_THE_PAST;
    const error = await refusal(submitTo(server.url, session(), { ...submissionFor(NOWHERE), chainId }));
    assert.equal(error.code, "unsupported_chain");
    assert.match(error.message, /does not support .* any more, so nothing was sent\./);
    assert.equal(posts(), before);
  });

  it("has no node for a chain, offers another try", async () => {
    const jobs = session();
    const { id } = await submitTo(server.url, jobs, { ...submissionFor(NOWHERE), chainId: DEAD_CHAIN });
    const record = await jobs.wait(id, LIMIT);
    assert.equal(record.job?.error?.customCode, "cannot_fetch_bytecode");
    assert.equal(recordStatus(record), "failed");
    assert.equal(retryOffer(record, 0), "try again");
    const similar = await refusal(
      submitTo(server.url, jobs, { chainId: DEAD_CHAIN, address: NOWHERE.replaceAll("1", "2") }),
    );
    assert.equal(similar.code, "failed_to_get_bytecode");
    assert.match(similar.message, /failed .*Failed to get bytecode.*Try again later\.$/);
  });

  it("does not know the language, says that and not that the error is unknown", async () => {
    const { address } = await chain.deploy("0x6001600c60003960016000f300");
    const jobs = session();
    // Every language of the product is known there, so another one is asked for on the way.
    const front = await startServer((request, response) => {
      void text(request).then(async (body) => {
        const { url = "", method = "GET" } = request;
        const headers = { "content-type": "application/json" };
        const asked = method === "POST" ? { body: body.replace('"Solidity"', '"Lua"') } : {};
        const answer = await fetch(server.url + url, { method, headers, ...asked });
        response.writeHead(answer.status, headers).end(await answer.text());
      });
    });
    const { id } = await submitTo(front.url, jobs, submissionFor(address));
    const sentence = outcomeSentence(await jobs.wait(id, LIMIT));
    await front.stop();
    assert.match(sentence, /doesn't compile this language/);
    assert.doesNotMatch(sentence, /Unknown error/);
  });

  it("answers with a page because the address is wrong, leaves nothing in doubt", async () => {
    const wrong = `${server.url}/nothing`;
    const jobs = session();
    const error = await refusal(submitTo(wrong, jobs, submissionFor(NOWHERE)));
    assert.equal(error.code, "not_json");
    assert.match(
      error.message,
      /status 404 and an HTML page instead of JSON\. Check the service's address\.$/,
    );
    const [record] = jobs.store.all();
    assert.ok(record === undefined || record.stage === "refused", record?.stage);
  });
});
