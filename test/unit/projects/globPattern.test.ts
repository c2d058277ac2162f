import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { globCovers } from "../../../src/core/projects/globPattern.ts";

describe("A glob of a compilation restriction", () => {
  it("covers what globset covers", () => {
    for (const [pattern, covered, others] of [
      ["src/*.sol", ["src/A.sol", "src/deep/A.sol"], ["lib/src/A.sol", "src/A.solx", "src.sol"]],
      ["**/A.sol", ["A.sol", "a/A.sol", "a/b/A.sol"], ["aA.sol", "a/bA.sol"]],
      ["src/**/A.sol", ["src/A.sol", "src/a/b/A.sol"], ["src/a/bA.sol", "A.sol"]],
      ["src/**", ["src/A.sol", "src/a/B.sol"], ["src", "lib/src/A.sol"]],
      ["src/{A,B{1,2}}.sol", ["src/A.sol", "src/B1.sol", "src/B2.sol"], ["src/B.sol", "src/C.sol"]],
      ["src/[A-C]?.sol", ["src/A1.sol", "src/Cx.sol"], ["src/D1.sol", "src/A.sol"]],
      ["src/[!A].sol", ["src/B.sol"], ["src/A.sol"]],
      ["src/A+(b).sol", ["src/A+(b).sol"], ["src/Ab.sol", "src/Abb.sol"]],
    ] as const) {
      for (const path of covered) assert.ok(globCovers(pattern, path), `${pattern} covers ${path}`);
      for (const path of others) assert.ok(!globCovers(pattern, path), `${pattern} does not cover ${path}`);
    }
  });

  it("never takes long, whatever it is", () => {
    const path = `${"a/".repeat(400)}b`;
    for (const pattern of [
      "*a".repeat(300),
      "**/".repeat(200),
      "{a,b}".repeat(60),
      "{".repeat(500),
      "[".repeat(500),
      "[!".repeat(99),
    ])
      assert.equal(globCovers(`${pattern}c`, path), false, pattern.slice(0, 12));
  });
});
