import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { revertStringsOf } from "../../../../src/core/languages/solidity/solcCode.ts";
import { withTakenSettings } from "../../../../src/core/settingsSearch/takenSettings.ts";

describe("What becomes of the reasons of reverts", () => {
  it("may be what each release of solc took, which npm's own of these releases say", () => {
    assert.deepEqual(revertStringsOf("0.5.17"), ["default"]);
    for (const version of ["0.6.0", "0.6.2+commit.bacdbe57"])
      assert.deepEqual(revertStringsOf(version), ["default", "strip"]);
    assert.deepEqual(revertStringsOf("0.6.3"), ["default", "strip", "debug"]);
  });

  it("stays among the settings of the first release that takes it", () => {
    const debugOf = (compilerVersion: string) =>
      withTakenSettings({
        compilerVersion,
        contractIdentifier: "A.sol:A",
        stdJsonInput: {
          language: "Solidity",
          sources: { "A.sol": { content: "contract A {}" } },
          settings: { debug: { revertStrings: "strip" } },
        },
      }).stdJsonInput.settings["debug"];
    assert.deepEqual(debugOf("0.6.0+commit.26b70077"), { revertStrings: "strip" });
    assert.equal(debugOf("0.5.17+commit.d19bba13"), undefined);
  });
});
