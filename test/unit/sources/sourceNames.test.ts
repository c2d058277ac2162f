import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withChanges, type Submittable } from "../../../src/core/matching/resubmission.ts";
import { changesTo } from "../../../src/core/settingsSearch/searchedCause.ts";
import { namesBetween } from "../../../src/core/sources/sourceNames.ts";

const SENT: Submittable = {
  compilerVersion: "0.8.28+commit.7893614a",
  contractIdentifier: "src/Till.sol:Till",
  stdJsonInput: {
    language: "Solidity",
    sources: {
      "src/Till.sol": { content: 'import "fees/Fees.sol"; contract Till {}' },
      "lib/fees/Fees.sol": { content: "library Fees {}" },
    },
    settings: {
      remappings: ["fees/=lib/fees/", "ds-test/=lib/ds-test/src/"],
      libraries: { "lib/fees/Fees.sol": { Fees: `0x${"11".repeat(20)}` } },
      optimizer: { enabled: true, runs: 200 },
    },
  },
};

const NAMES = { "src/Till.sol": "contracts/Till.sol", "lib/fees/Fees.sol": "fees/Fees.sol" };

describe("Files by other names", () => {
  it("go by them wherever a submission names files, and every text stays as it was", () => {
    const renamed = withChanges(SENT, { sourceNames: NAMES, settings: { remappings: null } });
    assert.equal(renamed.contractIdentifier, "contracts/Till.sol:Till");
    const { sources, settings } = renamed.stdJsonInput;
    assert.deepEqual(Object.keys(sources), ["contracts/Till.sol", "fees/Fees.sol"]);
    assert.equal(sources["fees/Fees.sol"]?.content, "library Fees {}");
    assert.deepEqual(settings, {
      libraries: { "fees/Fees.sol": { Fees: `0x${"11".repeat(20)}` } },
      optimizer: { enabled: true, runs: 200 },
    });
  });

  it("are told as what is to be sent differently: names, and a list of remappings whole", () => {
    const remappings = ["fees/=node_modules/fees/", "a:b/=c/"];
    const found = withChanges(SENT, {
      sourceNames: { ...NAMES, "lib/fees/Fees.sol": "node_modules/fees/Fees.sol" },
      settings: { remappings, optimizer: { runs: 1 } },
    });
    const changes = changesTo(SENT, found);
    assert.deepEqual(changes, {
      settings: { remappings, optimizer: { runs: 1 } },
      sourceNames: { ...NAMES, "lib/fees/Fees.sol": "node_modules/fees/Fees.sol" },
    });
    assert.deepEqual(withChanges(SENT, changes), found);
    assert.equal(changesTo(SENT, SENT), undefined);
  });

  it("are told apart by the end of the name where several files have one text", () => {
    const same = { content: "interface I {}" };
    assert.deepEqual(
      namesBetween({ "a/I.sol": same, "b/I.sol": same }, { "x/b/I.sol": same, "x/a/I.sol": same }),
      { "a/I.sol": "x/a/I.sol", "b/I.sol": "x/b/I.sol" },
    );
    assert.equal(namesBetween({ "a/I.sol": same }, { "x/I.sol": { content: "interface J {}" } }), undefined);
  });

  it("are found by their text, also where that has other line endings", () => {
    const [unix, windows] = ["a\nb\n", "a\r\nb\r\n"].map((content) => ({ content }));
    assert.ok(unix && windows);
    assert.deepEqual(namesBetween({ "I.sol": unix }, { "x/I.sol": windows }), { "I.sol": "x/I.sol" });
  });
});
