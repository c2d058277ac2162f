// Jobs of which the service knows nothing more, by the service of the sandbox, which is killed and started again.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isGivenUp } from "../../../src/core/jobs/jobPollPace.ts";
import { recordStatus, type JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { outcomeSentence } from "../../../src/core/jobs/jobWords.ts";
import { retryOffer } from "../../../src/core/jobs/retryOffer.ts";
import type { VerificationJobs } from "../../../src/core/jobs/verificationJobs.ts";
import type { Chain } from "../../sandbox/chain.ts";
import type { SolidityCompilers } from "../../sandbox/solidityCompilers.ts";
import type { VerificationServer } from "../../sandbox/verificationService/service.ts";
import { submitTo, type TestSubmission } from "../../unit/jobs/agreed.ts";
import { startServiceWorld, type ServiceWorld } from "./serviceWorld.ts";

const HOUR_MS = 3_600_000;
const VERSION = "0.8.28+commit.7893614a";
const LIMIT = { limitMs: 60_000 };

describe("A job at a service that ends in the middle of it", () => {
  let chain: Chain;
  let server: VerificationServer;
  let compilers: SolidityCompilers;
  let world: ServiceWorld;
  /** How far the clock of the sessions is ahead, in milliseconds. */
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const session = () => world.session(now);

  before(async () => {
    world = await startServiceWorld();
    ({ chain, server, compilers } = world);
  });
  after(() => world.stop());

  /** A deployed contract with the sources that it was compiled from. */
  async function deployed(name: string): Promise<TestSubmission> {
    const stdJsonInput = {
      language: "Solidity",
      sources: { [`${name}.sol`]: { content: `pragma solidity ^0.8.0;\ncontract ${name} {}\n` } },
      settings: {},
    } as const;
    const outputSelection = { "*": { "*": ["evm.bytecode.object"] } };
    const output = await compilers.compile(VERSION, { ...stdJsonInput, settings: { outputSelection } });
    const code = output?.contracts?.[`${name}.sol`]?.[name]?.evm.bytecode.object ?? "";
    return {
      chainId: chain.chainId,
      address: (await chain.deploy(`0x${code}`)).address,
      input: {
        compilerVersion: VERSION,
        contractIdentifier: `${name}.sol:${name}`,
        contractName: name,
        path: `/w/${name}.sol`,
        fileCount: 1,
        source: "build-info",
        stdJsonInput,
      },
    };
  }

  /** Submits, ends the server while it is at work, looks at the job meanwhile, and starts the server again. */
  async function interrupted(
    jobs: VerificationJobs,
    submission: TestSubmission,
    signal: "SIGTERM" | "SIGKILL",
  ): Promise<JobRecord> {
    const { reached, release } = server.hold("finished");
    const { id } = await submitTo(server.url, jobs, submission);
    await reached;
    await server.stop(signal);
    await assert.rejects(jobs.check(id), { code: "unreachable" });
    release();
    await server.start();
    return jobs.check(id);
  }

  it("is offered again where the service was asked to end and failed it, and is verified then", async () => {
    const jobs = session();
    const failed = await interrupted(jobs, await deployed("Asked"), "SIGTERM");
    assert.equal(recordStatus(failed), "failed");
    assert.equal(failed.job?.error?.customCode, "internal_error");
    assert.equal(retryOffer(failed, now()), "try again");
    const { id } = await jobs.retry(failed.id);
    assert.equal(recordStatus(await jobs.wait(id, LIMIT)), "exact_match");
  });

  it("is told as lost after hours where the service was killed, and as refused once it is sent again", async () => {
    const jobs = session();
    const left = await interrupted(jobs, await deployed("Killed"), "SIGKILL");
    assert.equal(recordStatus(left), "pending");
    assert.match(outcomeSentence(left, now()), /^Killed is still being verified at /);
    ahead += 5 * HOUR_MS;
    try {
      const looked = await jobs.check(left.id);
      assert.ok(isGivenUp(looked, now()));
      assert.equal(retryOffer(looked, now()), "submit again");
      assert.match(
        outcomeSentence(looked, now()),
        /has been at work on Killed for hours without a result, so its job was probably lost there\. Submit again/,
      );
      const refused = await jobs.retry(left.id);
      assert.equal(refused.id, left.id, "no second job is kept for it");
      assert.equal(jobs.store.all().length, 1);
      assert.match(
        outcomeSentence(refused, now()),
        /has refused Killed as a duplicate for hours without a result, so its job was probably lost there.*choose another service/,
      );
    } finally {
      ahead = 0;
    }
  });

  it("of another client is told as lost after hours where the service was killed", async () => {
    const [theirs, ours] = [session(), session()];
    const submission = await deployed("Theirs");
    await interrupted(theirs, submission, "SIGKILL");
    const { id } = await submitTo(server.url, ours, submission, null);
    assert.match(
      outcomeSentence(await ours.check(id), now()),
      /is at work on Theirs already, for another user or an earlier session/,
    );
    ahead += 5 * HOUR_MS;
    try {
      const looked = await ours.check(id);
      assert.match(outcomeSentence(looked, now()), /has refused Theirs as a duplicate for hours/);
      assert.equal(retryOffer(looked, now()), "submit again");
    } finally {
      ahead = 0;
    }
  });
});
