import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { findProvenBuildInPieces, metadataDigest } from "../../../src/core/matching/metadataSearch.ts";
import { longIt } from "../../rig/longTest.ts";

function metadataFor(compilerVersion: string, evmVersion: string): string {
  return JSON.stringify({
    compiler: { version: compilerVersion },
    language: "Solidity",
    output: {},
    settings: {
      compilationTarget: {},
      evmVersion,
      libraries: {},
      optimizer: { enabled: true, runs: 200 },
      remappings: [],
    },
    sources: {},
    version: 1,
  });
}

describe("A search for the deployed metadata hash", () => {
  /** The differences that are found when a build for one EVM version was deployed and another one is submitted. */
  const found = (compilerVersion: string, deployed: string, submitted: string) =>
    atOnce(
      findProvenBuildInPieces(
        { kind: "ipfs", digest: metadataDigest(metadataFor(compilerVersion, deployed), "ipfs") },
        metadataFor(compilerVersion, submitted),
        {},
        compilerVersion.split("+")[0],
      ),
    )?.differences.map((one) => ("setting" in one ? [one.setting, one.local, one.deployed] : one.kind));

  // solc's changelogs: osaka from 0.8.29, prague from 0.8.27, cancun from 0.8.24.
  it("tries every EVM version that the release takes as a setting", () => {
    for (const [compilerVersion, newest] of [
      ["0.8.31+commit.fd3a2265", "osaka"],
      ["0.8.30+commit.73712a01", "osaka"],
      ["0.8.29+commit.ab55807c", "osaka"],
      ["0.8.27+commit.40a35a09", "prague"],
      ["0.8.24+commit.e11b9ed9", "cancun"],
    ] as const) {
      assert.deepEqual(found(compilerVersion, newest, "paris"), [["evmVersion", "paris", newest]]);
    }
  });

  it("tries none that the release does not know", () => {
    assert.equal(found("0.8.28+commit.7893614a", "osaka", "paris"), undefined);
  });

  longIt("tries none that another release does not know", () => {
    assert.equal(found("0.8.26+commit.8a97fa7a", "prague", "paris"), undefined);
  });
});
