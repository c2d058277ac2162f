import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import type { Cause } from "../../../src/core/matching/explanation.ts";
import { compile, contract } from "../evm/solc.ts";

/** Functions that end in one way, written in assembly. */
function endingSo(ending: string): string {
  const functions = Array.from(
    { length: 14 },
    (_, at) => `function f${at}() external { x = ${at}; assembly { ${ending} } }`,
  );
  return `contract C { uint256 x; ${functions.join("\n")} }`;
}

/** What is told where both are compiled for the same runs. */
function causesOf(deployed: string, submitted: string, runs: number): readonly Cause[] {
  const settings = { optimizer: { enabled: true, runs }, metadata: { bytecodeHash: "none" as const } };
  const codeOf = (source: string) =>
    `0x${contract(compile(source, settings), "C").evm.deployedBytecode.object}`;
  return atOnce(
    explainInPieces({
      error: {
        customCode: "no_match",
        message: "",
        onchainRuntimeCode: codeOf(deployed),
        recompiledRuntimeCode: codeOf(submitted),
      },
      submitted: {
        compilerVersion: "0.8.37+commit.f401782d",
        stdJsonInput: {
          language: "Solidity",
          sources: { "Test.sol": { content: submitted } },
          settings,
        },
        contractIdentifier: "Test.sol:C",
      },
    }),
  ).causes;
}

const REVERTS = endingSo("revert(0, 0)");

describe("An edit of how functions end", () => {
  for (const runs of [0, 1, 200, 1_000_000])
    it(`is not told as a number of runs where one ending became another, of ${runs} runs`, () => {
      for (const ending of ["invalid()", "stop()", "return(0, 0)"]) {
        const causes = causesOf(endingSo(ending), REVERTS, runs);
        assert.ok(!causes.some(({ code }) => code === "optimizer_runs"), causes[0]?.evidence);
        assert.ok(causes.some(({ code }) => code === "edited_source"));
      }
    });

  it("is no sign of fewer runs than none, and hardly one of fewer than the fewest that are usual", () => {
    const endless = endingSo("for {} 1 {} {}");
    assert.ok(!causesOf(endless, REVERTS, 0).some(({ code }) => code === "optimizer_runs"));
    const [first] = causesOf(endless, REVERTS, 1);
    assert.equal(first?.code, "edited_source", first?.evidence);
  });
});
