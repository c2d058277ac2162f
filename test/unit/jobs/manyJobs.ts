import { randomBytes } from "node:crypto";
import type { JobRecord } from "../../../src/core/jobs/jobRecord.ts";
import type { JobStorage } from "../../../src/core/jobs/jobStorage.ts";
import { JobStore } from "../../../src/core/jobs/jobStore.ts";

const NOW = Date.UTC(2026, 10, 21);
const hex = (bytes: number) => `0x${randomBytes(bytes).toString("hex")}`;

/** A job as it stands in a history: two thirds verified, the others failed with codes and an explanation. */
export function finishedJob(number: number): JobRecord {
  const verificationId = crypto.randomUUID();
  const address = hex(20);
  const hasFailed = number % 3 === 0;
  return {
    id: crypto.randomUUID(),
    stage: "submitted",
    service: "https://sourcify.dev/server",
    chainId: ["1", "10", "295", "296"][number % 4] ?? "1",
    address,
    verificationId,
    submittedAt: NOW - number * 600_000,
    checkedAt: NOW - number * 600_000 + 8_000,
    finishedAt: NOW - number * 600_000 + 8_000,
    submission: {
      compilerVersion: "0.8.28+commit.7893614a",
      contractIdentifier: `contracts/vaults/Vault${number}.sol:Vault${number}`,
      contractName: `Vault${number}`,
      path: `/home/me/projects/vaults/contracts/vaults/Vault${number}.sol`,
      fileCount: 12,
      source: "build-info",
    },
    job: {
      isJobCompleted: true,
      verificationId,
      jobStartTime: new Date(NOW).toISOString(),
      jobFinishTime: new Date(NOW).toISOString(),
      compilationTime: "812",
      contract: {
        match: hasFailed ? null : "exact_match",
        creationMatch: hasFailed ? null : "exact_match",
        runtimeMatch: hasFailed ? null : "exact_match",
        chainId: "296",
        address,
      },
      ...(hasFailed
        ? {
            error: {
              customCode: "no_match",
              message: "The onchain and recompiled bytecodes don't match.",
              errorId: crypto.randomUUID(),
              recompiledCreationCode: hex(1_000),
              recompiledRuntimeCode: hex(900),
              onchainCreationCode: hex(1_000),
              onchainRuntimeCode: hex(900),
            },
          }
        : {
            externalVerifications: {
              etherscan: {
                verificationId: "abc",
                explorerUrl: `https://etherscan.io/address/${address}#code`,
              },
            },
          }),
    },
    ...(hasFailed && {
      difference: "4,812 bytes, 212 differ in 9 places",
      explanation: {
        summary: "The deployed code was compiled with other optimizer runs.",
        causes: Array.from({ length: 4 }, (_, at) => ({
          code: "optimizer_runs" as const,
          confidence: 0.9 - at / 5,
          evidence:
            "The deployed code has 1,234 jumps where the recompiled code has 987, which fewer runs give.",
          fix: "Submit it with the runs of the deployment, which are in the project's configuration.",
        })),
      },
    }),
  };
}

/** Fills a storage with finished jobs and what was submitted for each. */
export async function keepManyJobs(storage: JobStorage, count: number): Promise<void> {
  const store = new JobStore(storage);
  for (let number = count; number > 0; number--) {
    const content = `contract Vault${number} { /* ${randomBytes(4_000).toString("hex")} */ }`;
    await store.add(finishedJob(number), {
      input: {
        language: "Solidity",
        sources: { [`contracts/vaults/Vault${number}.sol`]: { content } },
        settings: {},
      },
    });
  }
}
