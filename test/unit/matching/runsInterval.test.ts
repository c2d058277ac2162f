import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { codeBytes } from "../../../src/core/evm/hex.ts";
import { completeSolcVersion } from "../../../src/core/languages/solidity/solcReleases.ts";
import { analyseCode } from "../../../src/core/matching/codeTraits.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import { runsInterval, runsLandmarks } from "../../../src/core/matching/runsInterval.ts";
import { nextRuns } from "../../../src/core/matching/runsSearch.ts";
import { isWholeProof } from "../../rig/proofSize.ts";
import { escrow } from "../../sandbox/mismatches/contracts.ts";
import { random } from "../random.ts";
import { compileNow } from "../../sandbox/solcNow.ts";

/** Compilers that weigh constants in different ways, with the EVM that is their default. */
const COMPILERS = [
  ["0.7.6", "istanbul", "solc-0.7.6"],
  ["0.8.24", "shanghai", "solc-0.8.24"],
  ["0.8.37", "osaka", "solc"],
] as const;

/** What a compiler makes of a source that has one contract: its runtime code, which says nothing of its sources. */
function codeOf(compiler: string, content: string, settings: CompilerSettings): string {
  const input = {
    language: "Solidity",
    sources: { "C.sol": { content } },
    settings: {
      ...settings,
      metadata: { bytecodeHash: "none" },
      outputSelection: { "*": { "*": ["evm.deployedBytecode.object"] } },
    },
  };
  const output = compileNow(input, compiler) as {
    contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>;
  };
  const [contract] = Object.values(output.contracts["C.sol"] ?? {});
  return `0x${contract?.evm.deployedBytecode.object ?? ""}`;
}

const optimized = (runs: number): CompilerSettings => ({ optimizer: { enabled: true, runs } });

const RUNS = [60, 300, 4_444, 1_000_000];

describe("The numbers of runs that can have made a code", () => {
  const dice = random("intervals of runs");
  for (const [compilerVersion, evmVersion, compiler] of COMPILERS)
    it(`end where solc ${compilerVersion} makes another code`, () => {
      const target = { compilerVersion, evmVersion };
      for (const runs of isWholeProof() ? RUNS : [dice.oneOf(RUNS)]) {
        const analysed = analyseCode(codeBytes(codeOf(compiler, escrow, optimized(runs))));
        const { least, most } = runsInterval({ ...analysed, isOptimized: true }, target);
        const words = `${runs}: ${least} to ${most}`;
        assert.ok(least <= runs && runs <= most, words);
        const landmarks = runsLandmarks({ ...analysed, isOptimized: true }, target);
        for (const start of [least, most + 1]) {
          if (start === 0 || start > 4_294_967_295) continue;
          const [before, after] = [start - 1, start].map((one) => codeOf(compiler, escrow, optimized(one)));
          assert.notEqual(before, after, words);
          assert.ok(landmarks.includes(start), `${words}, ${landmarks.join()}`);
        }
      }
    });
});

describe("The number of runs to try next", () => {
  it("is one that was not submitted, in the part that is left, until there is none", () => {
    const { below } = random("tries of runs");
    for (let round = 0; round < 40; round++) {
      const least = below(1_000);
      const possible = { least, most: least + below(12) };
      const landmarks = Array.from({ length: below(5) }, () => below(1_012));
      const submitted: number[] = [];
      for (;;) {
        const runs = nextRuns(possible, landmarks, submitted);
        if (runs === undefined) break;
        assert.ok(runs >= possible.least && runs <= possible.most, `${runs}`);
        assert.ok(!submitted.includes(runs), `${runs} again`);
        submitted.push(runs);
      }
      assert.equal(submitted.length, possible.most - possible.least + 1);
    }
  });

  it("is a usual number, or in the middle where none is usual", () => {
    assert.equal(nextRuns({ least: 0, most: 4_294_967_295 }, [], []), 200);
    assert.equal(nextRuns({ least: 2_384, most: 6_199 }, [], []), 5_000);
    assert.equal(nextRuns({ least: 6_200, most: 4_294_967_295 }, [], [1_000_000]), 999_999);
    assert.equal(nextRuns({ least: 211, most: 240 }, [], []), 225);
  });
});

describe("A dispatcher that was made for a number of runs, without the optimizer", () => {
  // Since 0.5.7 it is split where runs are many and functions are more than four, optimized or not.
  const getters = Array.from({ length: 12 }, (_, at) => `uint256 public value${at};`).join(" ");
  const content = `pragma solidity ^0.8.0; contract Values { ${getters} }`;
  const compiled = (settings: CompilerSettings) => codeOf("solc", content, settings);

  for (const [deployed, sent] of [
    [1, 1_000_000],
    [200, 1],
    [10, 20_000],
    [200, 4_294_967_295],
  ] as const)
    it(`is offered with runs that make it: of ${deployed} runs, where ${sent} were sent`, () => {
      const onchainRuntimeCode = compiled({ optimizer: { enabled: false, runs: deployed } });
      const recompiledRuntimeCode = compiled(optimized(sent));
      const sources = { "C.sol": { content } };
      const { causes } = atOnce(
        explainInPieces({
          error: { customCode: "no_match", message: "", onchainRuntimeCode, recompiledRuntimeCode },
          submitted: {
            compilerVersion: completeSolcVersion("0.8.37"),
            contractIdentifier: "C.sol:Values",
            stdJsonInput: { language: "Solidity", sources, settings: optimized(sent) },
          },
        }),
      );
      const [first] = causes;
      assert.equal(first?.code, "optimizer");
      assert.ok(first.action?.kind === "resubmit");
      assert.equal(first.action.label, "Resubmit Unoptimized");
      assert.equal(compiled(first.action.changes.settings as CompilerSettings), onchainRuntimeCode);
    });
});

describe("What the deployment writes into the code", () => {
  const values = ["A plaque beside the door", "The hall"];
  const content = `pragma solidity >=0.8.0;
contract Plaque {
    bytes32 public immutable title = "${values[0] ?? ""}";
    bytes32 public immutable place = "${values[1] ?? ""}";
    mapping(address => bytes32) public notes;
    function write(bytes32 note) external {
        require(note != title && note != place, "this title is taken");
        notes[msg.sender] = note ^ 0x0000000000000000000000123456789000000000000000000000000000000000;
    }
}`;

  it("is no constant whose form tells the number of runs", () => {
    const sent = optimized(1);
    const recompiled = codeOf("solc", content, sent);
    // Another constant, and the immutables written into their places, which are pushes of 32 zeros, one after the other.
    let written = 0;
    const edited = codeOf("solc", content.replace("this title", "that title"), sent);
    const deployed = edited.replace(/7f0{64}/g, () => {
      const value = Buffer.from(values[written++ % 2] ?? "");
      return `7f${value.toString("hex").padEnd(64, "0")}`;
    });
    assert.ok(written >= 2, "there are places");
    const { causes } = atOnce(
      explainInPieces({
        error: {
          customCode: "no_match",
          message: "",
          onchainRuntimeCode: deployed,
          recompiledRuntimeCode: recompiled,
        },
        submitted: {
          compilerVersion: completeSolcVersion("0.8.37"),
          contractIdentifier: "C.sol:Plaque",
          stdJsonInput: { language: "Solidity", sources: { "C.sol": { content } }, settings: sent },
        },
      }),
    );
    assert.deepEqual(
      causes.map(({ code }) => code),
      ["edited_source"],
    );
  });
});
