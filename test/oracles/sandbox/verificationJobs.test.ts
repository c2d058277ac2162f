import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { StandardJsonInput } from "../../../src/core/sources/standardJsonInput.ts";
import { explorerVerifications } from "../../../src/core/service/explorerVerification.ts";
import { Misfit } from "../../../src/core/json/shape.ts";
import { recordStatus, type JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { outcomeSentence } from "../../../src/core/jobs/jobWords.ts";
import { storedJob } from "../../../src/core/jobs/storedJob.ts";
import type { VerificationJobs } from "../../../src/core/jobs/verificationJobs.ts";
import type { Chain } from "../../sandbox/chain.ts";
import type { SolidityCompilers } from "../../sandbox/solidityCompilers.ts";
import type { VerificationServer } from "../../sandbox/verificationService/service.ts";
import { submitTo, type TestSubmission } from "../../unit/jobs/agreed.ts";
import { startServiceWorld, type ServiceWorld } from "./serviceWorld.ts";

const VERSION = "0.8.28+commit.7893614a";
const SOURCES = {
  "src/Fees.sol": {
    content: "pragma solidity ^0.8.0;\nlibrary Fees {\n  uint256 internal constant RATE = 4321;\n}\n",
  },
  "src/Till.sol": {
    content:
      'pragma solidity ^0.8.0;\nimport "./Fees.sol";\ncontract Till {\n  // Takes a fee.\n  function fee(uint256 amount) external pure returns (uint256) {\n    return (amount * Fees.RATE) / 10000;\n  }\n}\n',
  },
};
const SETTINGS = { optimizer: { enabled: true, runs: 200 } };

const inputOf = (sources: StandardJsonInput["sources"]): StandardJsonInput => ({
  language: "Solidity",
  sources,
  settings: SETTINGS,
});
const edited = (sources: typeof SOURCES, find: string, replacement: string): typeof SOURCES => ({
  ...sources,
  "src/Till.sol": { content: sources["src/Till.sol"].content.replace(find, replacement) },
});

/** A record as the next session reads it. */
function readBack({ store }: VerificationJobs, id: string): JobRecord {
  const read = storedJob(JSON.parse(JSON.stringify(store.get(id))));
  assert.ok(!(read instanceof Misfit));
  return read;
}

const WHOLE = {
  stdJsonInput: inputOf(SOURCES),
  files: Object.keys(SOURCES).map((name) => ({ name, path: `/w/${name}` })),
};

describe("Jobs at the service with the public engine, real solc and a real chain", () => {
  let chain: Chain;
  let server: VerificationServer;
  let compilers: SolidityCompilers;
  let session: ServiceWorld["session"];
  let stop: ServiceWorld["stop"];

  before(async () => {
    ({ chain, server, compilers, session, stop } = await startServiceWorld({ pendingMs: 50 }));
  });
  after(() => stop());

  const submissions = (address: string) =>
    server.requests.filter(
      ({ method, path }) => method === "POST" && path.toLowerCase().endsWith(address.toLowerCase()),
    ).length;

  /** Deploys what solc makes of the sources, with an edit of the code if there is one. */
  async function deploy(
    edit: (code: string) => string = (code) => code,
    settings: object = SETTINGS,
  ): Promise<string> {
    const output = await compilers.compile(VERSION, {
      ...inputOf(SOURCES),
      settings: { ...settings, outputSelection: { "*": { "*": ["evm.bytecode.object", "metadata"] } } },
    });
    const code = output?.contracts?.["src/Till.sol"]?.["Till"]?.evm.bytecode.object ?? "";
    const { address } = await chain.deploy(`0x${edit(code)}`);
    return address;
  }

  const submissionOf = (
    address: string,
    sources: StandardJsonInput["sources"],
    wholeBuild?: typeof WHOLE,
  ): TestSubmission => ({
    chainId: chain.chainId,
    address,
    input: {
      compilerVersion: VERSION,
      contractIdentifier: "src/Till.sol:Till",
      contractName: "Till",
      path: "/w/src/Till.sol",
      fileCount: Object.keys(sources).length,
      source: "build-info",
      stdJsonInput: inputOf(sources),
      ...(wholeBuild && { wholeBuild }),
    },
  });

  const submit = (jobs: VerificationJobs, submission: TestSubmission, recorded?: null) =>
    submitTo(server.url, jobs, submission, recorded);

  const LIMIT = { limitMs: 60_000 };

  it("sends a failed part of a build again as a whole, and that is an exact match", async () => {
    const address = await deploy();
    const jobs = session();
    const part = { "src/Till.sol": SOURCES["src/Till.sol"] };
    const { id } = await submit(jobs, submissionOf(address, part, WHOLE));
    const last = await jobs.wait(id, LIMIT);
    assert.equal(recordStatus(last), "exact_match");
    assert.equal(jobs.store.get(id)?.job?.error?.customCode, "compiler_error");
    assert.deepEqual(last.secondTryOf, { id, because: "compiler_error" });
    assert.equal(submissions(address), 2);
  });

  it("gives corrected sources that are submitted while the wrong ones are looked at an outcome of their own", async () => {
    const address = await deploy();
    const jobs = session();
    const wrong = await submit(jobs, submissionOf(address, edited(SOURCES, "10000", "20000")));
    const right = submissionOf(address, SOURCES);
    await assert.rejects(submit(jobs, right), { code: "duplicate_verification_request" });
    assert.equal(recordStatus(await jobs.wait(wrong.id, LIMIT)), "failed");
    const kept =
      jobs.store.all().find(({ id }) => id !== wrong.id) ?? assert.fail("the corrected ones are kept");
    const { id } = await jobs.retry(kept.id);
    assert.equal(id, kept.id);
    assert.equal(recordStatus(await jobs.wait(id, LIMIT)), "exact_match");
  });

  it("does the same after extra_file_input_bug, once", async () => {
    // The rate is pushed as a constant: another one leaves the metadata hash as it is, which is all that the engine
    // goes by when it calls that the bug of extra files.
    const address = await deploy((code) => {
      assert.match(code, /6110e1/);
      return code.replace("6110e1", "6110e2");
    });
    const jobs = session();
    const more = { ...SOURCES, "src/Extra.sol": { content: "pragma solidity ^0.8.0;\ncontract Extra {}\n" } };
    const whole = {
      stdJsonInput: inputOf(more),
      files: Object.keys(more).map((name) => ({ name, path: `/w/${name}` })),
    };
    const { id } = await submit(jobs, submissionOf(address, SOURCES, whole));
    const last = await jobs.wait(id, LIMIT);
    assert.equal(jobs.store.get(id)?.job?.error?.customCode, "extra_file_input_bug");
    assert.deepEqual(last.secondTryOf, { id, because: "extra_file_input_bug" });
    assert.equal(recordStatus(last), "failed", "the code was edited, and no input gives it");
    await jobs.recover();
    assert.equal(submissions(address), 2);
    assert.notEqual((await jobs.store.wholeJob(id))?.error?.onchainRuntimeCode, undefined);
  });

  it("waits for the job that another client began", async () => {
    const address = await deploy();
    const { release } = server.hold("finished");
    const [first, second] = [session(), session()];
    const theirs = await submit(first, submissionOf(address, SOURCES));
    const ours = await submit(second, submissionOf(address, SOURCES), null);
    assert.equal(ours.stage, "adopted");
    assert.equal((await submit(first, submissionOf(address, SOURCES), null)).id, theirs.id);
    release();
    assert.equal(recordStatus(await second.wait(ours.id, LIMIT)), "exact_match");
    assert.equal(recordStatus(await first.wait(theirs.id, LIMIT)), "exact_match");
    assert.equal(first.store.all().length, 1);
  });

  it("makes an exact match of a match, and then has nothing to do", async () => {
    const address = await deploy();
    const commented = edited(SOURCES, "Takes a", "Takes one");
    const jobs = session();
    const verify = async (sources: StandardJsonInput["sources"]) =>
      recordStatus(await jobs.wait((await submit(jobs, submissionOf(address, sources))).id, LIMIT));
    assert.equal(await verify(commented), "match");
    assert.equal(await verify(commented), "match", "a job that ends as already_verified is no failure");
    assert.equal(await verify(SOURCES), "exact_match");
    assert.equal(submissions(address), 3);
    assert.equal(await verify(SOURCES), "exact_match");
    assert.equal(submissions(address), 3, "noticed before anything was sent");
    const outdated = await submit(jobs, submissionOf(address, SOURCES), null);
    assert.equal(recordStatus(outdated), "exact_match");
    assert.equal(submissions(address), 3, "what was found out before that match is asked for again");
    const insists = await submit(session(), submissionOf(address, SOURCES), null);
    assert.equal(recordStatus(insists), "exact_match", "the service refuses with 409");
    assert.equal(insists.verificationId, undefined);
  });

  it("says of code without a metadata hash that a match is the most that is possible", async () => {
    const most =
      /is verified: match\. The code is equal, and a match is the most that is possible: it carries no metadata hash\.$/;
    const verify = async (address: string, input: TestSubmission["input"]) => {
      const jobs = session();
      const submission = input ? { chainId: chain.chainId, address, input } : undefined;
      assert.ok(submission);
      const record = await jobs.wait((await submit(jobs, submission)).id, LIMIT);
      assert.equal(recordStatus(record), "match");
      assert.equal(readBack(jobs, record.id).submission?.metadataHashIn, record.submission?.metadataHashIn);
      const old = JSON.stringify(jobs.store.get(record.id)).replace('"metadataHashIn"', '"fingerprint"');
      assert.match(old, /"fingerprint"/, "as an earlier version kept it");
      const read = storedJob(JSON.parse(old));
      assert.ok(!(read instanceof Misfit));
      assert.deepEqual(read, readBack(jobs, record.id));
      return outcomeSentence(record);
    };
    const { input } = submissionOf("", SOURCES);
    assert.ok(input);
    for (const metadata of [{ bytecodeHash: "none" }, { appendCBOR: false }]) {
      const settings = { ...SETTINGS, metadata };
      const address = await deploy(undefined, settings);
      const bare = { ...input, stdJsonInput: { ...input.stdJsonInput, settings } };
      assert.match(await verify(address, bare), most);
    }
    // The deployed code has none, and what is submitted has one.
    const address = await deploy(undefined, { ...SETTINGS, metadata: { appendCBOR: false } });
    assert.match(await verify(address, { ...input, isDeployedBare: true }), most);
    // Yul has none at all.
    const source =
      'object "Till" { code { datacopy(0, dataoffset("run"), datasize("run")) return(0, datasize("run")) } object "run" { code { mstore(0, 7) return(0, 32) } } }';
    const yul = { language: "Yul", sources: { "Till.yul": { content: source } }, settings: {} } as const;
    const output = await compilers.compile(VERSION, {
      ...yul,
      settings: { outputSelection: { "*": { "*": ["evm.bytecode.object"] } } },
    });
    const code = output?.contracts?.["Till.yul"]?.["Till"]?.evm.bytecode.object ?? "";
    const till = { ...input, contractIdentifier: "Till.yul:Till", stdJsonInput: yul };
    assert.match(await verify((await chain.deploy(`0x${code}`)).address, till), most);
    // One with a metadata hash can do better.
    const commented = edited(SOURCES, "Takes a", "Takes one");
    const other = submissionOf("", commented).input;
    assert.match(
      await verify(await deploy(), other),
      /is verified: match\. The code is equal; the metadata differs,/,
    );
  });

  it("has the explorers' answers once the service told them", async () => {
    const address = await deploy();
    server.explorers = { etherscan: { explorerUrl: `https://explorer.example/${address}` } };
    const jobs = session();
    const { id } = await submit(jobs, submissionOf(address, SOURCES));
    await jobs.wait(id, LIMIT);
    server.explorers = {};
    const { job } = await jobs.check(id);
    assert.ok(job);
    assert.deepEqual(explorerVerifications(job), [
      { explorer: "Etherscan", state: "submitted", link: `https://explorer.example/${address}` },
    ]);
  });
});
