import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compilerErrorText, isCompilerUnavailable } from "../../../src/core/service/compilerErrors.ts";
import { answeredCauses } from "../../../src/core/matching/causes/answeredCauses.ts";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import type { JobError } from "../../../src/core/service/job.ts";
import { errorCodeOf } from "../../../src/core/service/errorCodes.ts";
import { failureSentence } from "../../../src/core/service/failure.ts";
import { nextPoll } from "../../../src/core/jobs/jobPollPace.ts";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { outcomeSentence } from "../../../src/core/jobs/jobWords.ts";
import { retryOffer } from "../../../src/core/jobs/retryOffer.ts";

/** The public service's own words for compilers that it can't get. */
const UNAVAILABLE = [
  "Failed fetching solc v0.8.28+commit.7893614a for platform bin. Please check if the version is valid.",
  "Failed fetching vyper 0.4.3+commit.bff19ea2 for platform linux. Please check if the version is valid.",
  "Vyper not found. Maybe an incorrect version was provided. 0.4.3+commit.bff19ea2",
];

const unavailable = (said: string) => ({
  customCode: "compiler_error",
  message: `Compiler error: ${said}`,
  errorData: { compilerErrorMessage: said },
});

const SUBMITTED = {
  compilerVersion: "0.8.28+commit.7893614a",
  contractIdentifier: "contracts/Vault.sol:Vault",
  stdJsonInput: {
    language: "Solidity" as const,
    sources: { "contracts/Vault.sol": { content: "pragma solidity ^0.8.20; contract Vault {}" } },
    settings: {},
  },
};

const UNDECLARED = {
  component: "general",
  errorCode: "7576",
  formattedMessage:
    "DeclarationError: Undeclared identifier.\n --> contracts/Vault.sol:12:9:\n   |\n12 |         missing = 1;\n",
  message: "Undeclared identifier.",
  severity: "error",
  sourceLocation: { file: "contracts/Vault.sol", start: 210, end: 217 },
  type: "DeclarationError",
};

const SUBMITTED_RECORD: JobRecord = {
  id: "1",
  stage: "submitted",
  service: "https://service.example",
  chainId: "11155111",
  address: `0x${"1".repeat(40)}`,
  submittedAt: 0,
  submission: {
    contractName: "Vault",
    path: "/w/contracts/Vault.sol",
  } as NonNullable<JobRecord["submission"]>,
};

function failed(error: JobError): JobRecord {
  return {
    ...SUBMITTED_RECORD,
    finishedAt: 1,
    job: { isJobCompleted: true, verificationId: "a", error },
  };
}

describe("A compiler that the service can't get", () => {
  for (const said of UNAVAILABLE) {
    it(`is the service's fault and passes: ${said}`, () => {
      const error = unavailable(said);
      assert.ok(isCompilerUnavailable(error));
      assert.ok(errorCodeOf(error)?.retryMayHelp);
      assert.equal(errorCodeOf(error)?.subject, "compiler's absence");
      assert.equal(retryOffer(failed(error), 2), "try again");
      assert.match(
        failureSentence("Vault", error),
        /^Vault was not compiled: the service can't get the compiler now \(/,
      );
      assert.doesNotMatch(failureSentence("Vault", error), /does(?:n't| not) compile/);
    });
  }

  it("leads to another try first, and then to the nearest release that the sources allow", () => {
    const { causes, isSettled } = atOnce(
      answeredCauses(
        { error: unavailable(UNAVAILABLE[0] ?? ""), submitted: SUBMITTED },
        undefined,
        undefined,
      ),
    );
    assert.ok(isSettled);
    assert.deepEqual(
      causes.map(({ code, action }) => [code, action?.kind, action?.label]),
      [
        ["server", "retry", "Try Again"],
        ["compiler_version", "resubmit", "Resubmit With 0.8.27"],
      ],
    );
    const pinned = {
      ...SUBMITTED,
      stdJsonInput: {
        ...SUBMITTED.stdJsonInput,
        sources: { "contracts/Vault.sol": { content: "pragma solidity 0.8.28; contract Vault {}" } },
      },
    };
    const alone = atOnce(
      answeredCauses({ error: unavailable(UNAVAILABLE[0] ?? ""), submitted: pinned }, undefined, undefined),
    );
    assert.deepEqual(
      alone.causes.map(({ code }) => code),
      ["server"],
    );
  });

  it("leads to the very release where only its commit was wrong", () => {
    const submitted = { ...SUBMITTED, compilerVersion: "0.8.28+commit.00000000" };
    const { causes } = atOnce(
      answeredCauses({ error: unavailable(UNAVAILABLE[0] ?? ""), submitted }, undefined, undefined),
    );
    const [{ action } = {}] = causes;
    assert.deepEqual(action, {
      kind: "resubmit",
      label: "Resubmit With 0.8.28",
      localLabel: "Verify With 0.8.28",
      changes: { compilerVersion: "0.8.28+commit.7893614a" },
    });
  });

  it("leads to a release first where no release has the version that was sent", () => {
    const said =
      "Failed fetching solc v0.8.28+commit.00000000 for platform bin. Please check if the version is valid.";
    const submitted = { ...SUBMITTED, compilerVersion: "0.8.28+commit.00000000" };
    const { causes } = atOnce(answeredCauses({ error: unavailable(said), submitted }, undefined, undefined));
    assert.equal(causes[0]?.code, "compiler_version");
  });

  it("is no source that mentions such words", () => {
    const error = {
      customCode: "compiler_error",
      message: "Failed fetching solc",
      errorData: { compilerErrors: [{ severity: "error", message: "Failed fetching solc" }] },
    };
    assert.ok(!isCompilerUnavailable(error));
    assert.equal(errorCodeOf(error)?.subject, "compiler's errors");
    assert.ok(!errorCodeOf(error)?.retryMayHelp);
  });
});

describe("What a service says of a failure", () => {
  it("is left out where it says that it does not know", () => {
    const error = { customCode: "invalid_language", message: "Unknown error" };
    assert.equal(
      failureSentence("Vault", error),
      "Vault can't be verified: the service doesn't compile this language. Choose another service.",
    );
  });

  it("asks no explorer after a job that failed because the contract is verified already", () => {
    const job = failed({ customCode: "already_verified", message: "The contract is already verified" });
    const record = { ...job, verificationId: "a", contract: { match: "exact_match" } };
    assert.equal(nextPoll(record, undefined, 2), undefined);
  });

  it("is told as lost where a job is called a duplicate for hours without a result", () => {
    const adopted: JobRecord = { ...SUBMITTED_RECORD, stage: "adopted" };
    assert.match(outcomeSentence(adopted, 1_000), /is at work on .* already/);
    assert.match(
      outcomeSentence(adopted, 5 * 3_600_000),
      /^service\.example has refused Vault.* as a duplicate for hours without a result, so its job was probably lost there\. Submit again;/,
    );
  });
});

describe("A contract that does not compile at the service", () => {
  it("is told by the first error with its file and line, and not by the list as JSON text", () => {
    const warning = { ...UNDECLARED, severity: "warning", message: "Unused local variable." };
    const list = [warning, UNDECLARED, { ...UNDECLARED, message: "Another one." }];
    const error = {
      customCode: "compiler_error",
      message: `Compiler error: ${JSON.stringify(list)}`,
      errorData: { compilerErrors: list },
    };
    const sentence = failureSentence("Vault", error);
    assert.equal(
      sentence,
      "Vault doesn't compile: contracts/Vault.sol:12: Undeclared identifier. The details list every error.",
    );
    const { causes } = atOnce(answeredCauses({ error, submitted: SUBMITTED }, undefined, undefined));
    const record = { ...failed(error), explanation: { summary: "", causes } };
    assert.match(
      outcomeSentence(record),
      /Vault doesn't compile: DeclarationError in Vault\.sol:12\. Undeclared identifier\. Correct the sources/,
    );
  });

  it("is told without the JSON text where the list itself is missing", () => {
    const error = {
      customCode: "compiler_error",
      message: `Compiler error:\n${JSON.stringify([UNDECLARED])}`,
    };
    assert.equal(compilerErrorText(error), "Compiler error");
    assert.doesNotMatch(failureSentence("Vault", error), /[[{]/);
  });
});
