import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import { ADDRESS, ID, SUBMITTED } from "./jobWorld.ts";

/** A record with everything that a record can have. */
export const FULL: JobRecord = {
  id: "hostile",
  stage: "submitted",
  service: "http://127.0.0.1:9",
  chainId: "296",
  address: ADDRESS,
  creationTransactionHash: `0x${"1".repeat(64)}`,
  submission: SUBMITTED,
  verificationId: ID,
  submittedAt: 1000,
  checkedAt: 2000,
  finishedAt: 2000,
  before: { match: "match", verifiedAt: "2026-01-01" },
  job: {
    isJobCompleted: true,
    verificationId: ID,
    jobStartTime: "2026-01-01T00:00:00Z",
    jobFinishTime: "2026-01-01T00:00:01Z",
    compilationTime: "812",
    contract: { match: null, creationMatch: null, runtimeMatch: null, chainId: "296", address: ADDRESS },
    error: {
      customCode: "no_match",
      message: "no",
      errorId: ID,
      recompiledCreationCode: "0x00",
      recompiledRuntimeCode: "0x00",
      onchainCreationCode: null,
      onchainRuntimeCode: "0x01",
      errorData: { compilerErrors: [{ message: "x", sourceLocation: { file: "A.sol", start: 1 } }] },
    },
    externalVerifications: { etherscan: { verificationId: "abc", explorerUrl: "https://e.example/a" } },
  },
  explanation: {
    summary: "The optimizer runs differ.",
    causes: [
      {
        code: "optimizer_runs",
        confidence: 0.9,
        evidence: "x",
        fix: "y",
        action: {
          kind: "resubmit",
          label: "Try",
          localLabel: "Try Here",
          changes: {
            settings: { optimizer: { runs: 1 }, remappings: ["a/=lib/a/"] },
            sourceNames: { "A.sol": "src/A.sol" },
          },
        },
      },
    ],
  },
  difference: "1 byte, 1 differs",
  problem: { code: "unreachable", message: "It can't be reached." },
  secondTryOf: { id: "other", because: "no_match" },
  secondTry: { id: "other", because: "no_match" },
};
