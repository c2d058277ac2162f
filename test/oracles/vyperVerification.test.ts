import { atOnce } from "../../src/core/concurrency/turns.ts";
// A Vyper workspace is verified from its files to the answer: by the input that the product makes of them, the jobs that
// it follows, and a service that compiles with real Vyper and compares with what a real chain runs.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { contractInput } from "../../src/core/compilerInput/contractInput.ts";
import { findWorkspaceContract } from "../../src/core/languages/workspaceContract.ts";
import { compilerProblems } from "../../src/core/jobs/compilerProblems.ts";
import { recordStatus, type JobRecord } from "../../src/core/jobs/jobRecord.ts";
import { outcomeSentence } from "../../src/core/jobs/jobWords.ts";
import { SubmissionReview } from "../../src/core/jobs/submissionReview.ts";
import type { VerificationJobs } from "../../src/core/jobs/verificationJobs.ts";
import { vyperEnvironment } from "../sandbox/vyperEnvironment.ts";
import { startServiceWorld, type ServiceWorld } from "./sandbox/serviceWorld.ts";
import { diskFiles } from "../../src/core/files/diskFiles.ts";
import { writeTree } from "./writeTree.ts";
import { run } from "./vyper/vyperPrograms.ts";

const BARE =
  /^till is verified: match\. The code is equal, and a match is the most that is possible: it carries no metadata hash\.$/;
const WORD = "2a".padStart(64, "0");

const MODULAR: Readonly<Record<string, string>> = {
  "moccasin.toml": '[project]\nsrc = "contracts"\n',
  "contracts/fees.vy": `# pragma version 0.4.3
RATE: constant(uint256) = 25

@internal
@pure
def of(amount: uint256) -> uint256:
    return amount * RATE // 10000
`,
  "contracts/till.vy": `# pragma version 0.4.3
from contracts import fees
from contracts import IOracle

LIMIT: immutable(uint256)

@deploy
def __init__(limit: uint256):
    LIMIT = limit

@external
@view
def fee(amount: uint256) -> uint256:
    assert amount <= LIMIT
    return fees.of(amount)

@external
@view
def price(oracle: address) -> uint256:
    return staticcall IOracle(oracle).price()
`,
  // Its very text counts for the integrity hash of the sources.
  "contracts/IOracle.json": `[{"type": "function", "name": "price", "stateMutability": "view",
  "inputs": [], "outputs": [{"name": "", "type": "uint256"}]}]
`,
};

const EARLIER: Readonly<Record<string, string>> = {
  "contracts/till.vy": `# @version 0.3.10
limit: public(uint256)

@external
def __init__(limit: uint256):
    self.limit = limit

@external
@view
def fee(amount: uint256) -> uint256:
    assert amount <= self.limit
    return amount * 25 / 10000
`,
};

describe("A Vyper workspace", () => {
  const folders: string[] = [];
  let world: ServiceWorld;

  before(async () => {
    world = await startServiceWorld();
  });
  after(async () => {
    await world.stop();
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  function workspace(files: Readonly<Record<string, string>>): string {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "vyper-project-")));
    folders.push(root);
    writeTree(root, files);
    return root;
  }

  /** Deploys what Vyper's own program makes of a file in its folder, with 42 for the constructor. */
  async function deploy(root: string, bin: string): Promise<string> {
    const code = await run(join(bin, "python"), [join(bin, "vyper"), "contracts/till.vy"], root);
    return (await world.chain.deploy(`${code.trim()}${WORD}`)).address;
  }

  /** Submits the contract of a workspace as a person would who agrees to what is shown, and waits for the end. */
  async function verify(
    root: string,
    address: string,
  ): Promise<{ jobs: VerificationJobs; record: JobRecord }> {
    const contract = await findWorkspaceContract(diskFiles, [root], "contracts/till.vy:till");
    const input = await contractInput(diskFiles, [root], contract);
    const jobs = world.session();
    const review = atOnce(
      SubmissionReview.inPieces(
        world.server.url,
        { chainId: world.chain.chainId, address },
        { ...input, contractName: "till", path: join(root, "contracts/till.vy") },
      ),
    );
    const { id } = await jobs.submit(review.agreed(), {});
    return { jobs, record: await jobs.wait(id, { limitMs: 120_000 }) };
  }

  for (const [version, files, outcomes] of [
    [
      "0.4.3",
      MODULAR,
      [
        /^till does not match: /,
        /^till is verified: match\. The code is equal; the integrity hash in its creation code is another one/,
        /^till is verified: exact match\.$/,
      ],
    ],
    // It writes no metadata hash, so that nothing can be said of a comment.
    ["0.3.10", EARLIER, [/^till does not match: /, BARE, BARE]],
  ] as const)
    it(`is verified, and one with another source is not, with Vyper ${version}`, async (context) => {
      const environment = vyperEnvironment(version);
      if ("missing" in environment) {
        context.skip(environment.missing);
        return;
      }
      const root = workspace(files);
      const address = await deploy(root, environment.bin);
      const text = files["contracts/till.vy"] ?? "";
      writeFileSync(join(root, "contracts/till.vy"), text.replace("amount <=", "amount <"));
      const { record: other } = await verify(root, address);
      assert.equal(recordStatus(other), "failed");
      assert.match(outcomeSentence(other), outcomes[0]);
      writeFileSync(join(root, "contracts/till.vy"), `${text}# A comment.\n`);
      const { record: commented } = await verify(root, address);
      assert.equal(recordStatus(commented), "match");
      assert.match(outcomeSentence(commented), outcomes[1]);
      writeFileSync(join(root, "contracts/till.vy"), text);
      const { record } = await verify(root, address);
      assert.match(outcomeSentence(record), outcomes[2]);
    });

  it("has the compiler's error of a job at its file and line", async (context) => {
    const environment = vyperEnvironment("0.4.3");
    if ("missing" in environment) {
      context.skip(environment.missing);
      return;
    }
    const root = workspace(MODULAR);
    const address = await deploy(root, environment.bin);
    const text = MODULAR["contracts/till.vy"] ?? "";
    writeFileSync(join(root, "contracts/till.vy"), text.replace("= limit", '= "four"'));
    const { jobs, record } = await verify(root, address);
    assert.equal(record.job?.error?.customCode, "compiler_error");
    const whole = await jobs.store.wholeJob(record.id);
    const { stdJsonInput } = await jobs.kept(record);
    assert.ok(whole?.error && stdJsonInput);
    const [problem, ...others] = compilerProblems(whole.error, stdJsonInput);
    assert.deepEqual(others, []);
    assert.deepEqual([problem?.name, problem?.start], ["contracts/till.vy", { line: 8, character: 12 }]);
    assert.match(outcomeSentence(record), /^till doesn't compile: contracts\/till\.vy:9: Expected uint256/);
  });
});
