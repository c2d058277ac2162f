import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import { build, type BuildOptions } from "esbuild";
import { readRecord, type RecordQuestion } from "../../../src/core/compilerInput/recordReading.ts";
import { readRecordElsewhere } from "../../../src/core/compilerInput/recordThread.ts";
import { mostAtOnce } from "../../rig/mostAtOnce.ts";
import { repositoryRoot } from "../../rig/paths.ts";

const place = mkdtempSync(join(tmpdir(), "ledger-lens-thread-"));
after(() => rmSync(place, { recursive: true, force: true }));

/** A record as Hardhat writes it: mostly syntax trees and code of contracts that are not asked for. */
function question(contracts: number): RecordQuestion {
  const node = {
    nodeType: "Block",
    src: "1:2:3",
    statements: Array.from({ length: 40 }, () => ({ id: 1, a: [{}] })),
  };
  const compiled = { abi: [], evm: { bytecode: { object: "60".repeat(500) } }, metadata: "{}" };
  const names = Array.from({ length: contracts }, (_, at) => `contracts/C${at}.sol`);
  const record = {
    _format: "hh-sol-build-info-1",
    solcVersion: "0.8.28",
    input: {
      language: "Solidity",
      sources: Object.fromEntries(
        names.map((name) => [name, { content: `contract ${name.slice(10, -4)} {}` }]),
      ),
      settings: {},
    },
    output: {
      sources: Object.fromEntries(
        names.map((name) => [name, { ast: { nodes: Array.from({ length: 20 }, () => node) } }]),
      ),
      contracts: Object.fromEntries(names.map((name) => [name, { [name.slice(10, -4)]: compiled }])),
    },
  };
  const bytes = new TextEncoder().encode(JSON.stringify(record));
  return { bytes, path: "/w/artifacts/build-info/1.json", contractName: "C7" };
}

describe("A large build record", () => {
  it("is read on another thread, and comes to the same as on this one", async (test) => {
    const asked = question(1_000);
    const expected = readRecord(asked);
    const most = mostAtOnce(test);
    const found = await readRecordElsewhere(asked);
    const { units } = most;
    assert.deepEqual(found, expected);
    assert.ok("record" in found);
    assert.deepEqual(Object.keys(found.record.input.sources).length, 1_000);
    // Of the other contracts nothing is handed over.
    assert.ok(JSON.stringify(found.record.output).length < 100_000);
    assert.equal(asked.bytes.length, 0, "the bytes went over to the other thread");
    // What it answers with, and nothing of the megabytes.
    assert.ok(units < 500_000, `${units} units of JSON were parsed on this thread`);
  });

  it("that can't be read has its reason from there too", async () => {
    const text = `{"input":${"[".repeat(2_000_000)}`;
    const reading = await readRecordElsewhere({
      bytes: new TextEncoder().encode(text),
      path: "/w/build-info/1.json",
      contractName: "A",
    });
    assert.deepEqual(reading, { reason: "is not valid JSON" });
  });

  it("that would take more memory than there is, is not taken apart", async () => {
    const text = `{"input":[${"[],".repeat(16_000_000)}[]]}`;
    const reading = await readRecordElsewhere({
      bytes: new TextEncoder().encode(text),
      path: "/w/build-info/1.json",
      contractName: "A",
    });
    assert.deepEqual(reading, { reason: "has too many parts" });
  });

  it("is read by the thread of the extension as it is packaged", async () => {
    const { threadOptions } = (await import(join(repositoryRoot, "esbuildOptions.mjs"))) as {
      threadOptions: (production: boolean) => BuildOptions;
    };
    await build({ ...threadOptions(true), absWorkingDir: repositoryRoot, outdir: place, logLevel: "error" });
    const asked = question(10);
    const worker = new Worker(join(place, "dataWorker.js"), { workerData: asked });
    const reading = await new Promise<Uint8Array>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    await worker.terminate();
    assert.deepEqual(JSON.parse(new TextDecoder().decode(reading)), readRecord(asked));
  });
});
