import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { codeBytes, linkedAt } from "../../../src/core/evm/hex.ts";
import { deployedSigns, type JudgedInput } from "../../../src/core/matching/deployedSigns.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
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
        const { contradictions } = signs.signsAgainst(inputOf(SOURCE, settings));
        const pair = `${JSON.stringify(deployed)} against ${JSON.stringify(settings)}: ${contradictions.join(" ")}`;
        if (at === other) assert.deepEqual(contradictions, [], pair);
        else assert.ok(contradictions.length > 0, pair);
      }
    }
  });

  it("is whether the reasons of reverts are stripped, where the contract's own functions give some", () => {
    const reasons = `contract Till {
      uint256 public total;
      constructor() payable { require(msg.value > 0, "nothing was sent"); }
      function add(uint256 n) external { require(n > 2, "too little"); total += n; }
    }`;
    const settings = [{}, { debug: { revertStrings: "strip" } }];
    assertTellsApart(reasons, settings, "reason");
    // A constructor's reasons are in no deployed code, and what is inherited may be overridden.
    const constructed = reasons.replace('require(n > 2, "too little");', "");
    const inherited = `${reasons.replace("contract Till", "contract Base")} contract Till is Base { function sum() external view returns (uint256) { return total; } }`;
    for (const source of [constructed, inherited])
      for (const deployed of settings)
        for (const other of settings) assert.deepEqual(doubtsOf(source, deployed, other, "reason"), []);
  });

  it("is whether the Yul optimizer was on, for any number of runs", () => {
    for (const runs of [1, 200, 1_000_000])
      assertTellsApart(
        SOURCE,
        [
          { viaIR: true, optimizer: { enabled: true, runs } },
          { viaIR: true, optimizer: { enabled: true, runs, details: { yul: false } } },
        ],
        "Yul optimizer",
      );
  });

  it("is not the optimizer, where the metadata of the build names its parts instead", () => {
    for (const viaIR of [false, true]) {
      const parts = {
        enabled: true,
        runs: 44,
        details: { yul: false, simpleCounterForLoopUncheckedIncrement: true },
      };
      const { metadata, evm } = contract(compile(SOURCE, { viaIR, optimizer: parts }), "Till");
      const { settings } = JSON.parse(metadata) as { settings: CompilerSettings };
      assert.equal(settings.optimizer?.enabled, undefined);
      const signs = deployedSigns(codeBytes(evm.deployedBytecode.object));
      assert.deepEqual(signs.signsAgainst(inputOf(SOURCE, settings)), { contradictions: [], doubts: [] });
    }
  });

  it("is a number of runs that the form of the constants excludes", () => {
    const masked =
      "contract Till { mapping(address => uint256) public owed; function add(address to) external { owed[to] += 3; } }";
    assertTellsApart(
      masked,
      [{ optimizer: { enabled: true, runs: 1 } }, { optimizer: { enabled: true, runs: 1_000_000 } }],
      "constants and functions",
    );
  });

  it("is not what a deployment wrote into the code: values of immutables and addresses of libraries", () => {
    const source = `
      library Sums { function twice(uint256 n) external pure returns (uint256) { return n * 2; } }
      contract Till {
        uint256 public immutable limit;
        constructor(uint256 n) { limit = n; }
        function add(uint256 n) external view returns (uint256) { return Sums.twice(n) + limit; }
      }`;
    for (const runs of [1, 200, 1_000_000]) {
      const settings = { optimizer: { enabled: true, runs } };
      const { object } = contract(compile(source, settings), "Till").evm.deployedBytecode;
      // Both would be written shorter if the compiler had chosen their form for few runs.
      const written = linkedAt(
        object.replaceAll(`7f${"00".repeat(32)}`, `7f12345678${"00".repeat(28)}`),
        `12345678${"00".repeat(16)}`,
      );
      assert.notEqual(written, object);
      const { doubts } = deployedSigns(codeBytes(written)).signsAgainst(inputOf(source, settings));
      assert.deepEqual(doubts, []);
    }
  });
});

function inputOf(content: string, settings: CompilerSettings): JudgedInput {
  return {
    compilerVersion: COMPILER,
    stdJsonInput: { language: "Solidity", sources: { "Till.sol": { content } }, settings },
    contractIdentifier: "Till.sol:Till",
  };
}

/** What of a kind speaks against settings, of a code that was compiled with others. */
function doubtsOf(
  source: string,
  deployed: CompilerSettings,
  settings: CompilerSettings,
  kind: string,
): string[] {
  const { object } = contract(compile(source, deployed), "Till").evm.deployedBytecode;
  const { doubts } = deployedSigns(codeBytes(object)).signsAgainst(inputOf(source, settings));
  return doubts.filter((doubt) => doubt.includes(kind));
}

/** Asserts that each of some settings is doubted for the code of every other, and never for its own. */
function assertTellsApart(source: string, settings: readonly CompilerSettings[], kind: string): void {
  for (const deployed of settings)
    for (const other of settings)
      assert.equal(
        doubtsOf(source, deployed, other, kind).length,
        deployed === other ? 0 : 1,
        `${JSON.stringify(deployed)} against ${JSON.stringify(other)}`,
      );
}
