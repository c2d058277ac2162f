// Records of deployments as nobody's tool writes them: a repository has them before anybody looks, and they may change at
// any moment.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { inTurns } from "../../../src/core/concurrency/turns.ts";
import { NewDeployments } from "../../../src/core/jobs/newDeployments.ts";
import type { RecordedDeployment } from "../../../src/core/tools/deployment.ts";
import { foundryDeployments } from "../../../src/core/tools/foundry/foundryDeployments.ts";
import { moccasinDeployments } from "../../../src/core/tools/moccasin/moccasinDeployments.ts";
import { eachSqliteRow } from "../../../src/core/tools/moccasin/sqliteTable.ts";
import { MAX_DEPLOYMENTS } from "../../../src/core/tools/projectDeployments.ts";
import { workspaceDeployments } from "../../../src/core/workspace/workspaceDeployments.ts";
import { longestBlock } from "../../rig/longestBlock.ts";
import { below, memoryFolders } from "../../unit/files/memoryFolders.ts";
import { sqliteRows } from "../../unit/tools/sqliteRows.ts";

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

/** A database whose table of 600 columns is one page with so many cells, each byte behind these a 1. */
function wideDatabase(cells: number, placeOf: (at: number) => number): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "ledger-lens-"));
  try {
    const path = join(folder, "a.db");
    const database = new DatabaseSync(path);
    const columns = Array.from({ length: 600 }, (_, at) => `a${at}`);
    database.exec(`PRAGMA page_size = 65536; CREATE TABLE deployments(${columns.join()})`);
    database.close();
    const bytes = new Uint8Array(readFileSync(path));
    const start = bytes.length - 65_536;
    const page = new DataView(bytes.buffer, start);
    page.setUint16(3, cells);
    for (let at = 0; at < cells; at++) page.setUint16(8 + 2 * at, placeOf(at));
    return bytes.fill(1, start + 8 + 2 * cells);
  } finally {
    rmSync(folder, { recursive: true });
  }
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

  it("do not hold the thread by as many records of one name as there are contracts of it", async () => {
    const count = 150;
    const each = Array.from({ length: count }, (_, at) => at);
    const contracts = each.map((at) => ({ path: `${ROOT}/src/d${at}/Token.sol`, name: "Token" }));
    const build = (at: number) =>
      JSON.stringify({
        bytecode: { object: `0x${hex(at, 8).slice(2)}` },
        metadata: { settings: { compilationTarget: { [`src/d${at}/Token.sol`]: "Token" } } },
      });
    const transactions = each.map((at) => ({
      transactionType: "CREATE",
      contractName: "Token",
      contractAddress: hex(at, 40),
      transaction: { input: `0x${hex(at, 8).slice(2)}ff` },
    }));
    const files = memoryFolders({
      ...below(ROOT, {
        "foundry.toml": "",
        "broadcast/Deploy.s.sol/1/run-latest.json": JSON.stringify({ transactions }),
      }),
      ...Object.fromEntries(contracts.map(({ path }) => [path, "contract Token {}"])),
      ...Object.fromEntries(each.map((at) => [`${ROOT}/out/d${at}/Token.sol/Token.json`, build(at)])),
    });
    const { blockMs } = await longestBlock(async () => {
      const { found } = await workspaceDeployments(files, [ROOT], contracts);
      assert.equal(found.length, count);
      const right = found.filter(
        ({ address, defined }) => defined?.path === `${ROOT}/src/d${Number(address)}/Token.sol`,
      );
      // Builds of so many contracts are looked into, and all others stay without one.
      assert.equal(right.length, 100);
      assert.equal(found.filter(({ defined }) => defined).length, 100);
    });
    assert.ok(blockMs < MOST_MS, `${blockMs} ms`);
  });

  it("have an end, which is told, however many creations one of them has", async () => {
    const run = {
      transactions: Array.from({ length: 150_000 }, (_, at) => ({
        transactionType: "CREATE",
        contractName: "Vault",
        contractAddress: hex(at, 40),
      })),
    };
    const record = "broadcast/Deploy.s.sol/1/run-latest.json";
    const files = memoryFolders(below(ROOT, { "foundry.toml": "", [record]: JSON.stringify(run) }));
    const { blockMs } = await longestBlock(async () => {
      const contracts = [{ path: `${ROOT}/src/Vault.sol`, name: "Vault" }];
      const { found, skipped } = await workspaceDeployments(files, [ROOT], contracts);
      assert.equal(found.length, MAX_DEPLOYMENTS);
      assert.ok(found.every(({ defined }) => defined));
      assert.deepEqual(skipped, [
        {
          path: `${ROOT}/${record}`,
          reason: "holds deployments behind the first 10,000 of its project (140,000 are left out)",
        },
      ]);
    });
    assert.ok(blockMs < MOST_MS, `${blockMs} ms`);
  });

  it("do not hold the thread by a database of which one cell is thousands of rows, or cells lie over each other", async () => {
    // A row of three bytes that has no values, and what comes of bytes that are a row wherever it begins.
    const same = wideDatabase(32_000, () => 65_536 - 4);
    const overlapping = wideDatabase(16_000, (at) => 33_000 + at);
    for (const database of [same, overlapping]) {
      const files = memoryFolders(
        below(ROOT, { "moccasin.toml": "[project]\n", ".deployments.db": database }),
      );
      let visited = 0;
      const { blockMs } = await longestBlock(async () => {
        assert.deepEqual(await moccasinDeployments(files, ROOT), []);
        await inTurns(eachSqliteRow(database, "deployments", () => visited++));
      });
      assert.ok(blockMs < MOST_MS / 4, `${blockMs} ms`);
      assert.ok(visited * 200 <= database.length, `${visited} rows`);
    }
  });

  it("are not read on where a value of a database has a type, or content a size, that there is not", () => {
    // Eight bits each of the last byte of nine: -1.
    const minus = Array.from({ length: 9 }, () => 0xff);
    const whole = [3, 1, 2, 1, 7];
    for (const cell of [
      [12, 1, 11, ...minus, 0, 0],
      [3, 1, 2, 10, 7],
      [...minus, 1, 2, 1, 7],
    ]) {
      const database = wideDatabase(2, (at) => 60_000 + 100 * at);
      const page = database.length - 65_536;
      database.set(whole, page + 60_000);
      database.set(cell, page + 60_100);
      assert.equal(sqliteRows(database, "deployments").length, 1, cell.join(" "));
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
