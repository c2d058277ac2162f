import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { codeSummaryInPieces } from "../../../src/core/matching/codeSummary.ts";
import { lastAuxdata } from "../../../src/core/evm/auxdata.ts";
import { codeBytes } from "../../../src/core/evm/hex.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import type { CompilerSettings } from "../../../src/core/sources/standardJsonInput.ts";
import { compile, contract } from "../evm/solc.ts";

const BASE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
abstract contract Book {
    struct Entry { address who; uint256 amount; }
    mapping(address => uint256) public balanceOf;
    function credit(Entry calldata entry) external virtual {
        balanceOf[entry.who] += entry.amount;
    }
}
`;
const LEDGER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import {Book} from "./Book.sol";
contract Ledger is Book {
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public immutable cap;
    event Moved(address indexed from, address indexed to, uint256 amount);
    constructor(uint256 cap_) { cap = cap_; }
    receive() external payable { _credit(msg.sender, msg.value); }
    function withdraw(uint256 amount) external {
        _debit(msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "not sent");
    }
    function transfer(address to, uint256 amount) external returns (bool) {
        _debit(msg.sender, amount);
        _credit(to, amount);
        emit Moved(msg.sender, to, amount);
        return true;
    }
    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }
    function sum(uint256[] calldata ones) external pure returns (uint256 all) {
        for (uint256 at = 0; at < ones.length; at++) all += ones[at];
    }
    function name() external pure returns (string memory) {
        return "A ledger whose name takes more than a single word";
    }
    function _credit(address who, uint256 amount) internal {
        require(balanceOf[who] + amount <= cap, "full");
        balanceOf[who] += amount;
    }
    function _debit(address who, uint256 amount) internal { balanceOf[who] -= amount; }
}
`;
const CONTRACT = "src/Ledger.sol:Ledger";

const PIPELINES: Readonly<Record<string, CompilerSettings>> = {
  legacy: {},
  "legacy, optimized": { optimizer: { enabled: true, runs: 200 } },
  "the IR pipeline": { viaIR: true },
  "the IR pipeline, optimized": { viaIR: true, optimizer: { enabled: true, runs: 200 } },
};

/** The deployed one has its immutable written in. */
function codeOf(source: string, settings: CompilerSettings, base: string): string {
  // A release compiles one file here: what is imported stands before it.
  const whole = `${base}${source.replace(/^[^]*?from "\.\/Book.sol";\n/, "")}`;
  return contract(compile(whole, settings), "Ledger").evm.deployedBytecode.object;
}

/** What a page and an explanation tell of sources that are other ones than those that were deployed. */
function told(
  settings: CompilerSettings,
  [from, to]: readonly [from: string, to: string],
): { functions: string | undefined; evidence: string | undefined } {
  const [source, base] = [LEDGER.replace(from, to), BASE.replace(from, to)];
  assert.notEqual(LEDGER + BASE, source + base);
  const deployed = codeOf(LEDGER, settings, BASE).replaceAll("00".repeat(32), "00".repeat(30) + "2710");
  const compiled = codeOf(source, settings, base);
  const stdJsonInput = {
    language: "Solidity" as const,
    sources: { "src/Ledger.sol": { content: source }, "src/Book.sol": { content: base } },
    settings,
  };
  const summary = atOnce(
    codeSummaryInPieces(`0x${deployed}`, `0x${compiled}`, { ...stdJsonInput, contractIdentifier: CONTRACT }),
  );
  const { causes } = atOnce(
    explainInPieces({
      error: {
        customCode: "no_match",
        message: "",
        errorId: "",
        onchainRuntimeCode: `0x${deployed}`,
        recompiledRuntimeCode: `0x${compiled}`,
      },
      submitted: {
        compilerVersion: lastAuxdata(codeBytes(compiled))?.compilerVersion ?? "",
        stdJsonInput,
        contractIdentifier: CONTRACT,
      },
    }),
  );
  return {
    functions: summary?.facts.find(({ label }) => label === "Functions")?.value,
    evidence: causes.find(({ code }) => code === "edited_source")?.evidence,
  };
}

describe("A function whose body changed", () => {
  for (const [pipeline, settings] of Object.entries(PIPELINES)) {
    it(`is named with its line, of code by ${pipeline}`, () => {
      const { functions, evidence } = told(settings, ["all += ones[at];", "if (at > 0) all += ones[at];"]);
      const words =
        "The code of sum(uint256[]) (Ledger.sol:25) differs; that of the other 8 functions is the same";
      assert.equal(functions, words);
      assert.match(
        evidence ?? "",
        /(?:^|\. )The code of sum\(uint256\[\]\) \(Ledger\.sol:25\) differs; that of the other 8 functions is the same\./,
      );
    });

    it(`is named in the contract that it is inherited from, by its whole signature, of code by ${pipeline}`, () => {
      const { functions } = told(settings, [
        "+= entry.amount;",
        "+= entry.amount; delete balanceOf[msg.sender];",
      ]);
      assert.match(
        functions ?? "",
        /^The code of credit\(\(address,uint256\)\) \(Book\.sol:6\) differs; that of the/,
      );
    });

    it(`is named by all that call it where it is internal, and by no more, of code by ${pipeline}`, () => {
      const { functions } = told(settings, [
        "{ balanceOf[who] -= amount; }",
        "{ require(who != address(this)); balanceOf[who] -= amount; }",
      ]);
      assert.match(
        functions ?? "",
        /^The code of withdraw\(uint256\) \(Ledger\.sol:10\) and transfer\(address,uint256\) \(Ledger\.sol:15\) differs; that of the other 7 functions is the same$/,
      );
    });

    it(`is told apart from what receives without a function, of code by ${pipeline}`, () => {
      const { functions } = told(settings, [
        "{ _credit(msg.sender, msg.value); }",
        "{ _credit(msg.sender, msg.value); emit Moved(msg.sender, address(this), msg.value); }",
      ]);
      assert.equal(
        functions,
        "The code of what answers other calls (receive, fallback) differs; that of the 9 functions is the same",
      );
    });
  }

  it("is not named where a setting changed every one", () => {
    const compiled = codeOf(LEDGER, PIPELINES["legacy, optimized"] ?? {}, BASE);
    const summary = atOnce(codeSummaryInPieces(`0x${codeOf(LEDGER, {}, BASE)}`, `0x${compiled}`));
    assert.equal(
      summary?.facts.find(({ label }) => label === "Functions"),
      undefined,
    );
  });

  it("is not named where the sources are the same", () => {
    for (const settings of Object.values(PIPELINES)) {
      const compiled = codeOf(LEDGER, settings, BASE);
      const other = codeOf(`${LEDGER}// edited\n`, settings, BASE);
      const summary = atOnce(codeSummaryInPieces(`0x${other}`, `0x${compiled}`));
      assert.equal(
        summary?.facts.find(({ label }) => label === "Functions"),
        undefined,
      );
    }
  });
});
