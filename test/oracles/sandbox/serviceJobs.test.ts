// What the jobs of the sandbox's verification service come to, in the words of the public one.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { getCreateAddress } from "ethers";
import type { Chain, DeployedCode, Rpc } from "../../sandbox/chain.ts";
import type { SolidityCompilers } from "../../sandbox/solidityCompilers.ts";
import { findCreationTransaction } from "../../sandbox/verificationService/creationTransaction.ts";
import type { VerificationServer } from "../../sandbox/verificationService/service.ts";
import { codeOf, ServiceClient, type RawJob } from "./serviceClient.ts";
import { startServiceWorld, type ServiceWorld } from "./serviceWorld.ts";

const VERSION = "0.8.28+commit.7893614a";
const WHOLE_SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const box = (comment: string) =>
  `pragma solidity ^0.8.0;\n// ${comment}\ncontract Box {\n  uint256 public kept;\n  function keep(uint256 value) external { kept = value + 7; }\n}\n`;

const inputOf = (content: string, language = "Solidity") => ({
  language,
  sources: { "Box.sol": { content } },
  settings: {},
});

const submissionOf = (content: string, more: object = {}) => ({
  stdJsonInput: inputOf(content),
  compilerVersion: VERSION,
  contractIdentifier: "Box.sol:Box",
  ...more,
});

describe("A job at the verification service", () => {
  let chain: Chain;
  let server: VerificationServer;
  let compilers: SolidityCompilers;
  let client: ServiceClient;
  let stop: ServiceWorld["stop"];

  before(async () => {
    ({ chain, server, compilers, stop } = await startServiceWorld());
    client = new ServiceClient(server.url);
  });
  after(() => stop());

  const path = ({ address }: DeployedCode) => `/v2/verify/${chain.chainId}/${address}`;
  const similarPath = ({ address }: DeployedCode) => `/v2/verify/similarity/${chain.chainId}/${address}`;

  async function creationCode(content: string): Promise<string> {
    const outputSelection = { "*": { "*": ["evm.bytecode.object"] } };
    const output = await compilers.compile(VERSION, { ...inputOf(content), settings: { outputSelection } });
    return `0x${output?.contracts?.["Box.sol"]?.["Box"]?.evm.bytecode.object ?? ""}`;
  }

  const deploy = async (content: string) => chain.deploy(await creationCode(content));

  it("of a compiler that can't be fetched fails as an error of the compiler", async () => {
    const deployed = await deploy(box("fetched"));
    for (const [compilerVersion, name] of [
      ["0.8.35+commit.47b9dedd", "v0.8.35+commit.47b9dedd"],
      ["v0.8.28", "v0.8.28"],
      ["0.8.28+commit.00000000", "v0.8.28+commit.00000000"],
    ] as const) {
      const { error } = await client.verify(
        path(deployed),
        submissionOf(box("fetched"), { compilerVersion }),
      );
      const said = `Failed fetching solc ${name} for platform bin. Please check if the version is valid.`;
      assert.equal(error?.customCode, "compiler_error");
      assert.deepEqual(error.errorData, { compilerErrorMessage: said });
      assert.equal(error.message, `Compiler error. ${said}`);
    }
  });

  it("of a Vyper that can't be fetched fails in the same words", async () => {
    const deployed = await deploy(box("a snake"));
    const { error } = await client.verify(path(deployed), {
      stdJsonInput: { language: "Vyper", sources: { "a.vy": { content: "x: uint256\n" } }, settings: {} },
      compilerVersion: "0.4.3+commit.00000000",
      contractIdentifier: "a.vy:a",
    });
    assert.equal(error?.customCode, "compiler_error");
    assert.equal(
      error.errorData?.compilerErrorMessage,
      "Failed fetching vyper 0.4.3+commit.00000000 for platform linux. Please check if the version is valid.",
    );
  });

  it("of sources with errors tells the compiler's list, and in the message as JSON", async () => {
    const deployed = await deploy(box("errors"));
    const { error } = await client.verify(path(deployed), submissionOf("contract Box { x }"));
    const [first] = error?.errorData?.compilerErrors ?? [];
    assert.equal(first?.message, "Expected identifier but got '}'");
    assert.deepEqual(first.sourceLocation, { file: "Box.sol", start: 17, end: 18 });
    assert.equal(error?.message, `Compiler error. ${JSON.stringify(error?.errorData?.compilerErrors)}`);
    assert.notEqual(error.onchainRuntimeCode, undefined);
    assert.equal(error.creationTransactionHash, deployed.transactionHash);
  });

  it("in a language that is none fails without a word about it", async () => {
    const deployed = await deploy(box("language"));
    const submission = submissionOf(box("language"), { stdJsonInput: inputOf(box("language"), "Lua") });
    const { error, contract } = await client.verify(path(deployed), submission);
    assert.deepEqual([error?.customCode, error?.message], ["invalid_language", "Unknown error."]);
    assert.equal(error?.errorData, undefined);
    assert.equal(error?.onchainRuntimeCode, undefined);
    assert.equal(contract.match, null);
  });

  it("tells its times in whole seconds, and of a compilation only when it verified", async () => {
    const deployed = await deploy(box("seconds"));
    const failed = await client.verify(path(deployed), submissionOf(box("seconds").replace("+ 7", "+ 8")));
    assert.equal(failed.error?.customCode, "no_match");
    assert.equal(failed.compilationTime, undefined);
    assert.equal((await client.job(failed.verificationId)).error?.errorId, failed.error.errorId);
    const verified = await client.verify(path(deployed), submissionOf(box("seconds")));
    assert.equal(verified.contract.match, "exact_match");
    assert.match(verified.compilationTime ?? "", /^\d+$/);
    for (const time of [verified.jobStartTime, verified.jobFinishTime, verified.contract.verifiedAt])
      assert.match(time ?? "", WHOLE_SECONDS);
  });

  it("that does better than another keeps the number and the time of the first, which loses them", async () => {
    const deployed = await deploy(box("as deployed"));
    const first = await client.verify(path(deployed), submissionOf(box("another comment")));
    assert.equal(first.contract.match, "match");
    const again = await client.verify(path(deployed), submissionOf(box("a third comment")));
    assert.equal(again.error?.customCode, "already_verified");
    assert.equal(again.error.onchainRuntimeCode, undefined);
    const better = await client.verify(path(deployed), submissionOf(box("as deployed")));
    assert.deepEqual(better.contract, {
      ...first.contract,
      match: "exact_match",
      creationMatch: "exact_match",
      runtimeMatch: "exact_match",
    });
    const { contract } = await client.job(first.verificationId);
    assert.deepEqual(
      [contract.match, contract.verifiedAt, contract.matchId],
      ["match", undefined, undefined],
    );
    const recorded = await client.get(
      `/v2/contract/${chain.chainId}/${deployed.address}?fields=stdJsonInput`,
    );
    assert.ok(recorded.body.includes("as deployed"));
    assert.ok(!recorded.body.includes("outputSelection"));
    const refused = await client.post(path(deployed), JSON.stringify(submissionOf(box("as deployed"))));
    assert.deepEqual([refused.status, codeOf(refused)], [409, "already_verified"]);
    // Similarity asks for that before it asks for the code.
    const similar = await client.post(similarPath(deployed), "{}");
    assert.deepEqual([similar.status, codeOf(similar)], [409, "already_verified"]);
  });

  it("finds by itself that the files of the deployment end their lines otherwise", async () => {
    const content = box("lines");
    const deployed = await deploy(content.replaceAll("\n", "\r\n"));
    const { contract, error } = await client.verify(path(deployed), submissionOf(content));
    assert.equal(error, undefined);
    assert.equal(contract.match, "exact_match");
  });

  it("for a contract like another takes that one's sources, and compiles nothing", async () => {
    const content = box("one of many").replace("keep(", "store(");
    const other = content.replace("+ 7", "+ 8");
    const [first, second, third] = [await deploy(content), await deploy(content), await deploy(other)];
    assert.equal((await client.verify(path(first), submissionOf(content))).contract.match, "exact_match");
    const like = await client.verify(similarPath(second), {});
    assert.equal(like.contract.match, "exact_match");
    assert.equal(like.compilationTime, undefined);
    // It begins as the others do, and differs behind.
    const unlike = await client.verify(similarPath(third), {});
    assert.equal(unlike.error?.customCode, "no_similar_match_found");
    assert.equal(unlike.compilationTime, undefined);
  });

  it("finds the transaction that created a contract in the code of earlier blocks", async () => {
    const content = box("among many");
    const deployed = await deploy(content);
    await chain.rpc("anvil_mine", "0x40");
    const calls: string[] = [];
    const rpc: Rpc = (method, ...params) => {
      calls.push(method);
      return chain.rpc(method, ...params);
    };
    assert.equal(await findCreationTransaction(rpc, deployed.address), deployed.transactionHash);
    const blocks = Number(await chain.rpc<string>("eth_blockNumber"));
    const looks = calls.filter((method) => method === "eth_getCode").length;
    assert.ok(looks > 0 && looks <= Math.ceil(Math.log2(blocks + 1)), `${looks} looks at ${blocks} blocks`);
    const verified = await client.verify(path(deployed), submissionOf(content));
    assert.equal(verified.contract.creationMatch, "exact_match");
  });

  it("finds none for what a factory created, and none where the node keeps no earlier code", async () => {
    const content = box("a child");
    const child = await deployThroughFactory(await creationCode(content));
    const { contract } = await client.verify(path(child), submissionOf(content));
    assert.deepEqual([contract.runtimeMatch, contract.creationMatch], ["exact_match", null]);
    const pruned: Rpc = (method, ...params) =>
      method === "eth_getCode"
        ? Promise.reject(new Error("missing trie node"))
        : chain.rpc(method, ...params);
    assert.equal(await findCreationTransaction(pruned, (await deploy(content)).address), undefined);
  });

  it("believes a transaction that it is told of, and finds no creation in another's", async () => {
    const content = box("believed");
    const [deployed, other] = [await deploy(content), await deploy(content)];
    const creationTransactionHash = other.transactionHash;
    const { contract } = await client.verify(
      path(deployed),
      submissionOf(content, { creationTransactionHash }),
    );
    assert.deepEqual([contract.runtimeMatch, contract.creationMatch], ["exact_match", null]);
  });

  it("waits for a worker while all are busy, and is done in its turn", async () => {
    server.workers = 1;
    server.pendingMs = 30;
    try {
      const contents = [1, 2, 3].map((number) => box(`queued ${number}`));
      const deployed = [];
      for (const content of contents) deployed.push(await deploy(content));
      const { reached, release } = server.hold("finished");
      const ids: string[] = [];
      for (const [index, content] of contents.entries()) {
        const to = deployed[index];
        assert.ok(to);
        ids.push(await client.submit(path(to), submissionOf(content)));
      }
      await reached;
      assert.deepEqual(await Promise.all(ids.map(isCompleted)), [false, false, false]);
      release();
      const last = await client.ended(ids[2] ?? "");
      assert.equal(last.contract.match, "exact_match");
      assert.deepEqual(await Promise.all(ids.map(isCompleted)), [true, true, true]);
    } finally {
      server.workers = 8;
      server.pendingMs = 0;
    }
  });

  const isCompleted = async (id: string) => (await client.job(id)).isJobCompleted;

  describe("when the server ends in the middle of it", () => {
    /** A job that is being worked on when the server ends. */
    async function interrupted(content: string, signal: "SIGTERM" | "SIGKILL") {
      const deployed = await deploy(content);
      const verified = await deploy(`${content}// Another file.\n`);
      const earlier = await client.verify(path(verified), submissionOf(`${content}// Another file.\n`));
      const { reached, release } = server.hold("finished");
      const id = await client.submit(path(deployed), submissionOf(content));
      await reached;
      await server.stop(signal);
      await assert.rejects(client.get("/health"));
      release();
      await server.start();
      assert.deepEqual(await client.job(earlier.verificationId), earlier, "what was done is still known");
      return { deployed, id };
    }

    it("fails where the server was asked to, and the contract can be submitted again", async () => {
      const { deployed, id } = await interrupted(box("asked to end"), "SIGTERM");
      const job = await client.job(id);
      assert.deepEqual([job.isJobCompleted, job.error?.customCode], [true, "internal_error"]);
      const again = await client.verify(path(deployed), submissionOf(box("asked to end")));
      assert.equal(again.contract.match, "exact_match");
    });

    it("stays pending where the server was killed, and the contract is refused as a duplicate", async () => {
      const { deployed, id } = await interrupted(box("killed"), "SIGKILL");
      const job: RawJob = await client.job(id);
      assert.deepEqual([job.isJobCompleted, job.error], [false, undefined]);
      const again = await client.post(path(deployed), JSON.stringify(submissionOf(box("killed"))));
      assert.deepEqual([again.status, codeOf(again)], [429, "duplicate_verification_request"]);
    });
  });

  /** Deploys by the constructor of another contract: it creates what stands behind its own 15 bytes. */
  async function deployThroughFactory(code: string): Promise<DeployedCode> {
    const factory = await chain.deploy(`0x600f380380600f5f395f5ff05f5ff3${code.slice(2)}`);
    const address = getCreateAddress({ from: factory.address, nonce: 1 }).toLowerCase();
    assert.notEqual(await chain.rpc("eth_getCode", address, "latest"), "0x");
    return { address, transactionHash: factory.transactionHash };
  }
});
