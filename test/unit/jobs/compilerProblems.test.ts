import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { compilerProblems } from "../../../src/core/jobs/compilerProblems.ts";
import { SolidityCompilers } from "../../sandbox/solidityCompilers.ts";

describe("What the compiler at the service says", () => {
  const compilers = new SolidityCompilers();
  after(() => compilers.stop());

  /** What a job carries when the real solc refuses these sources. */
  async function refusal(sources: Record<string, string>) {
    const input = {
      language: "Solidity" as const,
      sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
      settings: { outputSelection: { "*": { "*": ["abi"] } } },
    };
    const output = await compilers.compile("0.8.28", input);
    assert.ok(output?.errors);
    const error = {
      customCode: "compiler_error",
      message: "",
      errorData: { compilerErrors: output.errors },
    };
    return compilerProblems(error, input);
  }

  it("stands where the editor has it, whatever stands before it", async () => {
    for (const lineEnd of ["\n", "\r\n", "\r"]) {
      const before = ["// SPDX-License-Identifier: MIT", "pragma solidity ^0.8.0;", "/* häßlich 漢字 🦄 */"];
      const text = [...before, 'contract A { string s = unicode"🦄é"; uint256 wrong = missing; }'].join(
        lineEnd,
      );
      const [problem] = await refusal({ "src/A.sol": text });
      const line = text.split(/\r\n|\r|\n/)[3] ?? "";
      const character = line.indexOf("missing");
      assert.deepEqual(problem, {
        name: "src/A.sol",
        severity: "error",
        message: "Undeclared identifier.",
        code: "7576",
        start: { line: 3, character },
        end: { line: 3, character: character + "missing".length },
      });
    }
  });

  it("tells warnings from errors and keeps the file apart that they are in", async () => {
    const problems = await refusal({
      "A.sol":
        'pragma solidity ^0.8.0;\nimport "lib/B.sol";\ncontract A is B { function f() public { uint256 unused; nothing(); } }\n',
      "lib/B.sol": "pragma solidity ^0.8.0;\ncontract B {}\n",
    });
    assert.deepEqual(
      problems.map(({ name, severity }) => [name, severity]).sort(),
      [
        ["A.sol", "error"],
        ["A.sol", "warning"],
        ["lib/B.sol", "warning"],
      ].sort(),
    );
  });

  it("reads Vyper's places, which are lines and columns", () => {
    const input = {
      language: "Vyper" as const,
      sources: { "a.vy": { content: "# pragma\nx: uint256\ny: nope\n" } },
      settings: {},
    };
    const problems = compilerProblems(
      {
        customCode: "compiler_error",
        message: "",
        errorData: {
          compilerErrors: [
            {
              type: "UnknownType",
              severity: "error",
              message: "No builtin or user-defined type named 'nope'.",
              sourceLocation: { file: "a.vy", lineno: 3, col_offset: 3 },
            },
          ],
        },
      },
      input,
    );
    assert.deepEqual(problems[0]?.start, { line: 2, character: 3 });
    assert.deepEqual(problems[0].end, { line: 2, character: 7 });
    assert.equal(problems[0].code, "UnknownType");
  });

  it("stands in the file, wherever a server says that it is", () => {
    const content = "# pragma\nx: uint256\ny: nope";
    const input = { language: "Vyper" as const, sources: { "a.vy": { content } }, settings: {} };
    const at = (lineno: number, col_offset: number) =>
      compilerProblems(
        {
          customCode: "compiler_error",
          message: "",
          errorData: { compilerErrors: [{ sourceLocation: { file: "a.vy", lineno, col_offset } }] },
        },
        input,
      )[0];
    assert.deepEqual(at(1e300, 0)?.start, { line: 2, character: 0 });
    assert.deepEqual(at(1e300, 1e300)?.end, { line: 2, character: 7 });
    assert.deepEqual(at(2.5, 1.5)?.start, { line: 1, character: 1 });
  });

  it("survives whatever else a server sends", () => {
    const input = { language: "Solidity" as const, sources: { "A.sol": { content: "x" } }, settings: {} };
    for (const errorData of [
      undefined,
      null,
      5,
      {},
      { compilerErrors: "x" },
      { compilerErrors: [null, 5, {}, { sourceLocation: { file: "__proto__", start: -1, end: -1 } }] },
      {
        compilerErrors: [{ message: "\u202ehostile", sourceLocation: { file: "A.sol", start: 99, end: 5 } }],
      },
    ]) {
      const problems = compilerProblems({ customCode: "compiler_error", message: "", errorData }, input);
      for (const { message, name } of problems) {
        assert.doesNotMatch(message, /\u202e/);
        assert.ok(name === undefined || name === "A.sol");
      }
    }
  });
});
