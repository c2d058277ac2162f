import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isVerifiedSince } from "../../../src/core/jobs/failedCompilation.ts";
import type { JobRecord, SubmittedInput } from "../../../src/core/jobs/jobRecord.ts";

const ADDRESS = `0x${"ab".repeat(20)}`;
const failed = {
  chainId: "1",
  address: ADDRESS,
  path: "/w/src/Vault.sol",
  contractName: "Vault",
  at: 1_000,
};

function job(rest: Partial<JobRecord> & { readonly match?: "match" | null }): JobRecord {
  const { match = "match", ...others } = rest;
  const [chainId, address] = [others.chainId ?? "1", others.address ?? ADDRESS];
  return {
    id: "a",
    stage: "submitted",
    service: "https://verify.example",
    submittedAt: 2_000,
    ...others,
    chainId,
    address,
    job: {
      isJobCompleted: true,
      verificationId: "b",
      contract: { match, creationMatch: null, runtimeMatch: match, chainId, address },
    },
  };
}

describe("What did not compile is over", () => {
  const isOver = (one: JobRecord) => isVerifiedSince(failed, [one]);
  const submission = { path: failed.path, contractName: "Vault" } as SubmittedInput;

  it("when its address is verified afterwards, by whatever", () => {
    assert.equal(isOver(job({})), true);
    assert.equal(isOver(job({ address: ADDRESS.toUpperCase().replace("0X", "0x") })), true);
  });

  it("when the same contract is verified at another address", () => {
    const elsewhere = `0x${"cd".repeat(20)}`;
    assert.equal(isOver(job({ address: elsewhere, submission })), true);
    assert.equal(isOver(job({ address: elsewhere })), false);
    const other = { path: failed.path, contractName: "Pool" } as SubmittedInput;
    assert.equal(isOver(job({ address: elsewhere, submission: other })), false);
  });

  it("when a job that was submitted before ends with a match, and not when it had ended", () => {
    assert.equal(isOver(job({ submittedAt: 500, finishedAt: 1_500 })), true);
    assert.equal(isOver(job({ submittedAt: 500, finishedAt: 900 })), false);
  });

  it("not when another try fails, too", () => {
    assert.equal(isOver(job({ match: null })), false);
  });
});
