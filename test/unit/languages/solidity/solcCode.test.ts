import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isOptimizing, revertStringsOf } from "../../../../src/core/languages/solidity/solcCode.ts";
import type { CompilerSettings } from "../../../../src/core/sources/standardJsonInput.ts";
import { withTakenSettings } from "../../../../src/core/settingsSearch/takenSettings.ts";

/** What a release takes of settings. */
function takenBy(compilerVersion: string, settings: CompilerSettings): CompilerSettings {
  const stdJsonInput = {
    language: "Solidity" as const,
    sources: { "A.sol": { content: "contract A {}" } },
    settings,
  };
  return withTakenSettings({ compilerVersion, contractIdentifier: "A.sol:A", stdJsonInput }).stdJsonInput
    .settings;
}

describe("The settings of another release", () => {
  it("have no experimental mode where that release has none", () => {
    assert.deepEqual(takenBy("0.8.35", { experimental: true }), { experimental: true });
    assert.deepEqual(takenBy("0.8.30+commit.73712a01", { experimental: true }), {});
  });

  it("have the optimizer on, also where metadata names its parts alone", () => {
    assert.ok(isOptimizing({ optimizer: { enabled: true, runs: 200 } }));
    assert.ok(isOptimizing({ optimizer: { runs: 200, details: { cse: true, inliner: false } } }));
    for (const settings of [
      {},
      { optimizer: { enabled: false } },
      { optimizer: { details: { cse: false } } },
    ])
      assert.ok(!isOptimizing(settings));
  });
});

describe("What becomes of the reasons of reverts", () => {
  it("may be what each release of solc took, which npm's own of these releases say", () => {
    assert.deepEqual(revertStringsOf("0.5.17"), ["default"]);
    for (const version of ["0.6.0", "0.6.2+commit.bacdbe57"])
      assert.deepEqual(revertStringsOf(version), ["default", "strip"]);
    assert.deepEqual(revertStringsOf("0.6.3"), ["default", "strip", "debug"]);
  });

  it("stays among the settings of the first release that takes it", () => {
    const debugOf = (compilerVersion: string) =>
      takenBy(compilerVersion, { debug: { revertStrings: "strip" } })["debug"];
    assert.deepEqual(debugOf("0.6.0+commit.26b70077"), { revertStrings: "strip" });
    assert.equal(debugOf("0.5.17+commit.d19bba13"), undefined);
  });
});
