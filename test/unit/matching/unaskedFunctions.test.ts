import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { selectorNumber } from "../../../src/core/evm/abiEntry.ts";
import { codeBytes } from "../../../src/core/evm/hex.ts";
import { analyseCode } from "../../../src/core/matching/codeTraits.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { compile, contract } from "../evm/solc.ts";

/** The dispatcher compares the selector with that of this one last. */
const LAST = Array.from({ length: 2_000 }, (_, at) => `last${at}`).find(
  (name) => selectorNumber(`${name}()`) > 0xff00_0000,
);

function till(body: string): string {
  return `contract C {
    mapping(address => uint256) public paid;
    uint256 public total;
    bool public isOpen = true;
    function pay() external payable { require(msg.value > 0, "nothing"); paid[msg.sender] += msg.value; }
    function take(uint256 value) external { paid[msg.sender] -= value; payable(msg.sender).transfer(value); }
    function give(address to, uint256 value) external { paid[msg.sender] -= value; paid[to] += value; }
    function ${LAST}() external { ${body} }
  }`;
}

const byIR = { optimizer: { enabled: true, runs: 200 }, viaIR: true, metadata: { bytecodeHash: "none" } };

function codeOf(source: string, settings: CompilerSettings): string {
  return `0x${contract(compile(source, settings), "C").evm.deployedBytecode.object}`;
}

function causesOf(deployed: string, source: string) {
  return atOnce(
    explainInPieces({
      error: {
        customCode: "no_match",
        message: "",
        onchainRuntimeCode: deployed,
        recompiledRuntimeCode: codeOf(source, byIR),
      },
      submitted: {
        compilerVersion: "0.8.37+commit.f401782d",
        stdJsonInput: {
          language: "Solidity",
          sources: { "Test.sol": { content: source } },
          settings: byIR,
        },
        contractIdentifier: "Test.sol:C",
      },
    }),
  ).causes;
}

describe("A function that the compiled code does not ask for, since it does what any unknown one does", () => {
  it("is there at all", () => {
    const asked = (body: string) => analyseCode(codeBytes(codeOf(till(body), byIR))).selectors.length;
    assert.equal(asked("isOpen = false;"), 7);
    assert.equal(asked("revert();"), 6);
  });

  it("is told as one of the sources whose code differs", () => {
    const [first] = causesOf(codeOf(till("isOpen = false;"), byIR), till("revert();"));
    assert.equal(first?.code, "edited_source");
    assert.match(
      first.evidence,
      new RegExp(
        `^The code of ${LAST}\\(\\) \\(Test\\.sol:8\\) differs; that of the other 6 functions is the same`,
      ),
    );
  });

  it("is no sign of other sources beside a setting that explains it", () => {
    const { optimizer } = byIR;
    for (const settings of [
      { ...byIR, viaIR: false },
      { ...byIR, optimizer: { ...optimizer, enabled: false } },
    ]) {
      const [first, ...others] = causesOf(codeOf(till("revert();"), settings), till("revert();"));
      assert.ok(first?.code === "via_ir" || first?.code === "optimizer", first?.evidence);
      for (const { evidence } of others) assert.doesNotMatch(evidence, /not in the sources/);
    }
  });
});
