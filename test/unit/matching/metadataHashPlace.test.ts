import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { belowExactWords, metadataHashPlace } from "../../../src/core/matching/metadataHashPlace.ts";

describe("Where a code carries its metadata hash", () => {
  it("depends on the language, the compiler and what its settings leave out", () => {
    const cases = [
      ["Solidity", "0.8.28+commit.7893614a", {}, "runtime code"],
      ["Solidity", "0.4.7+commit.822622cf", {}, "runtime code"],
      ["Solidity", "0.4.6+commit.2dabbdf0", {}, "none"],
      ["Solidity", "0.8.28+commit.7893614a", { metadata: { bytecodeHash: "none" } }, "none"],
      ["Solidity", "0.8.28+commit.7893614a", { metadata: { bytecodeHash: "bzzr1" } }, "runtime code"],
      ["Solidity", "0.8.28+commit.7893614a", { metadata: { appendCBOR: false } }, "none"],
      ["Yul", "0.8.28+commit.7893614a", {}, "none"],
      ["Fe", "26.0.0", {}, "none"],
      ["Vyper", "0.4.1+commit.8a93dd27", {}, "creation code"],
      ["Vyper", "0.4.0+commit.e9db8d9f", {}, "none"],
      ["Vyper", "0.4.3+commit.bff19ea2", { bytecodeMetadata: false }, "none"],
    ] as const;
    for (const [language, version, settings, expected] of cases)
      assert.equal(metadataHashPlace({ language, settings }, version), expected, `${language} ${version}`);
  });

  it("tells what keeps a match from an exact one, and never that metadata differs where there is none", () => {
    assert.match(belowExactWords("runtime code", "match"), /the metadata differs/);
    assert.match(belowExactWords(undefined, "match"), /the metadata differs/, "of an earlier version");
    assert.match(
      belowExactWords("runtime code", null),
      /^The runtime code is equal; the metadata differs/,
      "of the creation code nothing is known",
    );
    assert.match(belowExactWords("none", "match"), /a match is the most that is possible/);
    assert.match(belowExactWords("creation code", null), /an exact match needs the creation transaction/);
    assert.match(belowExactWords("creation code", "match"), /integrity hash in its creation code/);
    for (const place of ["none", "creation code"] as const)
      assert.doesNotMatch(belowExactWords(place, "match"), /metadata differs/);
  });
});
