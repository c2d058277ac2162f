import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { codeSummaryInPieces } from "../../../src/core/matching/codeSummary.ts";
import { lastAuxdata } from "../../../src/core/evm/auxdata.ts";
import { codeBytes } from "../../../src/core/evm/hex.ts";
import { explainInPieces } from "../../../src/core/matching/explain.ts";
import type { Cause } from "../../../src/core/matching/explanation.ts";
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
  ledger = LEDGER,
): {
  functions: string | undefined;
  whole: string | undefined;
  evidence: string | undefined;
  causes: readonly Cause[];
} {
  const [source, base] = [ledger.replace(from, to), BASE.replace(from, to)];
  assert.notEqual(ledger + BASE, source + base);
  const deployed = codeOf(ledger, settings, BASE).replaceAll("00".repeat(32), "00".repeat(30) + "2710");
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
  const fact = summary?.facts.find(({ label }) => label === "Functions");
  return {
    functions: fact?.value,
    whole: fact?.whole,
    evidence: causes.find(({ code }) => code === "edited_source")?.evidence,
    causes,
  };
}

describe("A function whose body changed", () => {
  it("is one of many by the one to which most of these lead, and the page has them all", () => {
    const ledger = LEDGER.replace(
      "    function name()",
      `    function a() external { spend(1); }
    function b() external { spend(2); }
    function spend(uint256 amount) public { allowance[msg.sender][msg.sender] -= amount; }
    function c() external { spend(3); }
    function name()`,
    );
    const edit = ["-= amount; }\n    function c", "= amount; }\n    function c"] as const;
    const { functions, whole } = told({}, edit, ledger);
    assert.equal(
      functions,
      "The code of spend(uint256) (Ledger.sol:30), a() (Ledger.sol:28), b() (Ledger.sol:29) and 1 more differs; that of the other 9 functions is the same",
    );
    assert.equal(
      whole,
      "spend(uint256) (Ledger.sol:30), a() (Ledger.sol:28), b() (Ledger.sol:29), c() (Ledger.sol:31)",
    );
  });

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
        /^The code of withdraw\(uint256\) \(Ledger\.sol:10\) and transfer\(address,uint256\) \(Ledger\.sol:15\) differs; that of the other 7 functions is the same\. In the sources both lead to _debit \(Ledger\.sol:35\), and no other does$/,
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

  it("comes before other runs and other details of the optimizer, which would change more of them", () => {
    const edits = [
      ["all += ones[at];", "if (at > 0) all += ones[at];"],
      ["allowance[msg.sender][spender] = amount;", "allowance[msg.sender][spender] += amount;"],
      ["[spender] = amount;", "[spender] = amount; require(spender != address(0));"],
      ["+= entry.amount;", "= entry.amount;"],
      [
        "_debit(msg.sender, amount);\n        (bool",
        "_debit(msg.sender, amount); _debit(address(this), amount);\n        (bool",
      ],
    ] as const;
    for (const edit of edits)
      for (const runs of [1, 200, 10_000])
        for (const viaIR of [true, false]) {
          const { causes } = told({ viaIR, optimizer: { enabled: true, runs } }, edit);
          assert.equal(causes[0]?.code, "edited_source", `${edit[1]}, ${runs} runs, viaIR ${viaIR}`);
          assert.match(causes[0].evidence, /differs; that of the other 8 functions is the same/);
        }
  });

  it("is named by its line where it is new in the sources, with that the others are the same", () => {
    for (const settings of Object.values(PIPELINES)) {
      const { functions, evidence } = told(settings, [
        "    function name()",
        "    function burn(uint256 amount) external { _debit(msg.sender, amount); }\n    function name()",
      ]);
      const words =
        "burn(uint256) (Ledger.sol:28) is in the sources and not deployed. The code of the 9 functions in both is the same";
      assert.equal(functions, words);
      assert.equal(evidence, `The sources changed: ${words}.`);
    }
  });

  it("is named where another one is new in the sources", () => {
    const { functions } = told({}, [
      "function sum(uint256[] calldata ones) external pure returns (uint256 all) {",
      "function burn() external {}\n    function sum(uint256[] calldata ones) external pure returns (uint256 all) { all = 1;",
    ]);
    assert.equal(
      functions,
      "burn() (Ledger.sol:25) is in the sources and not deployed. The code of sum(uint256[]) (Ledger.sol:26) differs; that of the 8 functions is the same",
    );
  });

  it("is named with the text that differs in it", () => {
    const { functions, evidence } = told({}, ['"not sent"', '"not paid"']);
    const words =
      "The code of withdraw(uint256) (Ledger.sol:10) differs; that of the other 8 functions is the same";
    assert.equal(functions, words);
    assert.equal(
      evidence,
      `A value differs: "not sent" deployed, "not paid" compiled, in Ledger.sol:13; everything else in the code is the same. ${words}.`,
    );
  });

  it("is the only one that is named where texts behind the code and functions that are values move", () => {
    const long =
      "A text that is kept behind the code since it takes more bytes than are written one word after the other, ".repeat(
        2,
      );
    const ledger = LEDGER.replace("A ledger whose name takes more than a single word", long).replace(
      "    function name()",
      `    function pick(bool isSum, uint256 one) external pure returns (uint256) {
        function (uint256) internal pure returns (uint256) chosen = isSum ? _twice : _half;
        return chosen(one);
    }
    function title() external pure returns (string memory) { return "${long.slice(9)}"; }
    function motto() external pure returns (string memory) { return "${long.slice(20)}"; }
    function _twice(uint256 one) internal pure returns (uint256) { return 2 * one; }
    function _half(uint256 one) internal pure returns (uint256) { return one / 2; }
    function name()`,
    );
    for (const settings of [PIPELINES["legacy"], PIPELINES["legacy, optimized"]]) {
      const { functions } = told(
        settings ?? {},
        ["all += ones[at];", "if (at > 0) all += ones[at];"],
        ledger,
      );
      assert.equal(
        functions,
        "The code of sum(uint256[]) (Ledger.sol:25) differs; that of the other 11 functions is the same",
      );
    }
  });

  it("is named of the contract that another one creates, of which nothing differs itself", () => {
    const ledger = `${LEDGER}contract Maker {
    Ledger[] public all;
    function make(uint256 cap) external { all.push(new Ledger(cap)); }
    function count() external view returns (uint256) { return all.length; }
}
`;
    const edited = ledger.replace("all += ones[at];", "if (at > 0) all += ones[at];");
    for (const settings of Object.values(PIPELINES)) {
      const [deployed, compiled] = [ledger, edited].map(
        (source) =>
          contract(compile(`${BASE}${source.replace(/^[^]*?from "\.\/Book.sol";\n/, "")}`, settings), "Maker")
            .evm.deployedBytecode.object,
      );
      const summary = atOnce(
        codeSummaryInPieces(`0x${deployed}`, `0x${compiled}`, {
          language: "Solidity",
          sources: { "src/Ledger.sol": { content: edited }, "src/Book.sol": { content: BASE } },
          settings,
          contractIdentifier: "src/Ledger.sol:Maker",
        }),
      );
      assert.equal(
        summary?.facts.find(({ label }) => label === "Functions")?.value,
        "The code of sum(uint256[]) (Ledger.sol:25) in Ledger, which the code carries, differs. The code of the contract's own 3 functions is the same",
      );
    }
  });

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
