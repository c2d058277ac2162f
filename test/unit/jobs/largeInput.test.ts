import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { longIt } from "../../rig/longTest.ts";
import { checkInputInPieces } from "../../../src/core/compilerInput/inputChecks.ts";
import { secretsInPieces } from "../../../src/core/sources/sourceSecrets.ts";
import { JobAttachments } from "../../../src/core/jobs/jobAttachments.ts";
import { SubmissionReview } from "../../../src/core/jobs/submissionReview.ts";
import { atOnce, inTurns, type Pieces } from "../../../src/core/concurrency/turns.ts";
import { frozenInPieces } from "../../../src/core/json/deepFrozen.ts";
import { readInPieces } from "../../../src/core/json/shape.ts";
import { mostAtOnce } from "../../rig/mostAtOnce.ts";
import { piecesOf } from "../../rig/turnsOf.ts";
import { storedWhole } from "../../../src/core/jobs/storedJob.ts";
import { MemoryStorage } from "./memoryStorage.ts";
import { largeInput } from "./largeInput.ts";

const KEY = "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
const DEPLOYMENT = { chainId: "1", address: "0x5FbDB2315678afecb367f032d93F642f64180aa3" };

/** A piece of work takes no more than this of one file, in UTF-16 units. */
const PIECE_UNITS = 65_536;
const COUNTS = [1, 250, 5000];

describe("An input of 25 MB", () => {
  for (const files of COUNTS) {
    it(`is checked, shown and written in many pieces when it has ${files} ${files === 1 ? "file" : "files"}`, () => {
      const input = largeInput({ files, megabytes: 25 });
      const checked = piecesOf(checkInputInPieces(input));
      const reviewed = piecesOf(SubmissionReview.inPieces("https://service.example", DEPLOYMENT, input));
      const least = files * Math.ceil(25e6 / files / PIECE_UNITS);
      assert.ok(checked >= least, `${checked} pieces to check it`);
      assert.ok(reviewed >= least, `${reviewed} pieces to review it`);
    });
  }

  longIt("is reviewed in many pieces when it has 100,000 sources", () => {
    const input = largeInput({ files: 100_000, megabytes: 11 });
    const pieces = piecesOf(SubmissionReview.inPieces("https://service.example", DEPLOYMENT, input));
    // To describe, to sort, to write and to note: each is cut into pieces of some hundred files.
    assert.ok(pieces >= 3000 + 390 + 390 + 97, `${pieces} pieces`);
  });

  it("comes to the same in turns as at once", async () => {
    const input = largeInput({ files: 20, megabytes: 2 });
    const { content = "" } = input.stdJsonInput.sources["contracts/File7.sol"] ?? {};
    const stdJsonInput = {
      ...input.stdJsonInput,
      sources: {
        ...input.stdJsonInput.sources,
        "contracts/File7.sol": { content: `${content}\n// PRIVATE_KEY=${KEY}\n` },
      },
    };
    const findings = await inTurns(checkInputInPieces({ ...input, stdJsonInput }));
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["possible_secret"],
    );
    assert.deepEqual(atOnce(checkInputInPieces({ ...input, stdJsonInput })), findings);
  });

  it("has its secrets found wherever in a long file they stand, each once, with its line", () => {
    const line = "    uint256 constant SIZE = 1;\n";
    const secret = `    uint256 deployerPrivateKey = ${KEY};\n`;
    // Around the ends of the parts in which a long text is looked at.
    for (let lines = 2090; lines < 2140; lines++) {
      const text = line.repeat(lines) + secret + line.repeat(3000) + secret;
      assert.deepEqual(
        atOnce(secretsInPieces(text)).map((found) => [found.line, found.what]),
        [
          [lines + 1, "a private key"],
          [lines + 3002, "a private key"],
        ],
      );
    }
  });
});

describe("An input of very many sources", () => {
  it("is never gone through as a whole at once, from its checks to a retry", async (test) => {
    const input = largeInput({ files: 10_000, megabytes: 1.1 });
    const most = mostAtOnce(test);
    await inTurns(frozenInPieces(input.stdJsonInput));
    await inTurns(checkInputInPieces(input));
    const review = await inTurns(SubmissionReview.inPieces("https://service.example", DEPLOYMENT, input));
    assert.equal(await inTurns(review.changesInPieces(review)), undefined);
    const { kept } = review.agreed();
    const attachments = new JobAttachments(new MemoryStorage());
    await attachments.write("1", "whole", { stdJsonInput: kept.input, files: kept.files }, () => []);
    const read = await attachments.read("1", "whole", storedWhole);
    assert.equal(read?.files.length, 10_000);
    assert.equal(most.entries, 0, `${most.entries} entries were made at once`);
    assert.ok(most.units <= 65_536 + 2, `${most.units} units of JSON were parsed or written at once`);
    assert.deepEqual(read.stdJsonInput, input.stdJsonInput);
  });

  it("is read in pieces of a hundred or so", () => {
    const { stdJsonInput, files } = largeInput({ files: 10_000, megabytes: 1.1 });
    const pieces = piecesOf(readInPieces(storedWhole, { stdJsonInput, files }));
    assert.ok(pieces >= 2 * 70, `${pieces} pieces`);
  });
});

describe("Work in turns", () => {
  it("stops when it is cancelled", async () => {
    const cancel = new AbortController();
    function* endless(): Pieces<never> {
      for (let at = 0; ; at++) {
        if (at === 1000) cancel.abort(new Error("cancelled"));
        yield;
      }
    }
    await assert.rejects(inTurns(endless(), cancel.signal), /cancelled/);
  });
});
