// Records of deployments as nobody's tool writes them: a repository has them before anybody looks, and they may change at
// any moment.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NewDeployments } from "../../../src/core/jobs/newDeployments.ts";
import type { RecordedDeployment } from "../../../src/core/tools/deployment.ts";
import { foundryDeployments } from "../../../src/core/tools/foundry/foundryDeployments.ts";
import { longestBlock } from "../../rig/longestBlock.ts";
import { below, memoryFolders } from "../../unit/files/memoryFolders.ts";

const ROOT = "/home/me/vault";
/** A comparison of each with each takes several times that. */
const MOST_MS = 700;

const hex = (at: number, digits: number) => `0x${at.toString(16).padStart(digits, "0")}`;

/** A run of so many creations, the last of which no receipt tells of. */
function runOf(count: number, senderOf: (at: number) => string): string {
  const each = Array.from({ length: count }, (_, at) => at);
  return JSON.stringify({
    chain: 1,
    timestamp: 1_700_000_000_000,
    transactions: each.map((at) => ({
      hash: hex(at, 64),
      transactionType: "CREATE",
      contractName: "Vault",
      contractAddress: hex(at, 40),
      transaction: { from: senderOf(at), nonce: hex(at, 1) },
    })),
    receipts: each.slice(1).map((at) => ({
      transactionHash: hex(at, 64),
      from: senderOf(at),
      blockNumber: hex(at, 1),
      contractAddress: hex(at, 40),
    })),
  });
}

describe("Hostile records of deployments", () => {
  it("do not hold the thread by thousands of transactions and receipts", async () => {
    for (const senderOf of [() => "0x1", (at: number) => hex(at, 40)]) {
      const files = memoryFolders(
        below(ROOT, { "broadcast/Deploy.s.sol/1/run-latest.json": runOf(5_000, senderOf) }),
      );
      const { blockMs } = await longestBlock(async () => {
        assert.equal((await foundryDeployments(files, `${ROOT}/broadcast`)).length, 5_000);
      });
      assert.ok(blockMs < MOST_MS, `${blockMs} ms`);
    }
  });

  it("do not hold the thread by thousands of files that change all the time", async () => {
    const recorded = Array.from({ length: 50_000 }, (_, at): RecordedDeployment => ({
      chainId: "1",
      address: hex(at, 40),
      contract: "Vault",
      recordedBy: "foundry",
      record: `${ROOT}/broadcast/Deploy.s.sol/1/run-${at % 50}.json`,
      when: 2,
    }));
    const changes = Array.from({ length: 1_000 }, (_, at) => ({
      path: at === 999 ? `${ROOT}/broadcast/Deploy.s.sol` : `${ROOT}/deployments/of/others/${at}/record.json`,
      isNew: true,
    }));
    const { blockMs } = await longestBlock(() => {
      const { deployed } = new NewDeployments(1).among(recorded, changes, false);
      assert.equal(deployed.length, 50_000);
      return Promise.resolve();
    });
    assert.ok(blockMs < MOST_MS, `${blockMs} ms`);
  });
});
