import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { codeBytes } from "../../../src/core/evm/hex.ts";
import { deployedSigns } from "../../../src/core/matching/deployedSigns.ts";
import { compile, contract } from "../evm/solc.ts";

const SOURCE = "contract Till { uint256 public total; function add(uint256 n) external { total += n; } }";
const COMPILER = "0.8.37";

/** Every form in which the settings put metadata behind a code. */
const FORMS = [
  {},
  { metadata: { bytecodeHash: "none" } },
  { metadata: { bytecodeHash: "bzzr1" } },
  { metadata: { appendCBOR: false, bytecodeHash: "none" } },
];

describe("What a deployed code says against settings", () => {
  it("is every other form of the metadata at its end, and never its own", () => {
    for (const [at, deployed] of FORMS.entries()) {
      const { object } = contract(compile(SOURCE, deployed), "Till").evm.deployedBytecode;
      const signs = deployedSigns(codeBytes(object));
      for (const [other, settings] of FORMS.entries()) {
        const { contradictions } = signs.signsAgainst({
          compilerVersion: COMPILER,
          stdJsonInput: { language: "Solidity", sources: { "Till.sol": { content: SOURCE } }, settings },
        });
        const pair = `${JSON.stringify(deployed)} against ${JSON.stringify(settings)}: ${contradictions.join(" ")}`;
        if (at === other) assert.deepEqual(contradictions, [], pair);
        else assert.ok(contradictions.length > 0, pair);
      }
    }
  });
});
