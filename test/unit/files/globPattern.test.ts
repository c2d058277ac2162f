import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { globCovers } from "../../../src/core/files/globPattern.ts";

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

  it("takes every part of a long pattern", () => {
    for (const parts of [1, 9, 10, 40]) {
      const pattern = Array.from({ length: parts }, (_, at) => `**/${at}/`).join("") + "*.sol";
      const path = Array.from({ length: parts }, (_, at) => `x/y/${at}/`).join("");
      assert.ok(globCovers(pattern, `${path}A.sol`), `${parts} parts, with folders in between`);
      assert.ok(globCovers(pattern, `${path.replaceAll("x/y/", "")}A.sol`), `${parts} parts, without`);
      assert.ok(!globCovers(pattern, `${path}A.vy`), `${parts} parts, another end`);
      assert.ok(!globCovers(pattern, path.replace(`/${parts - 1}/`, "/A.sol")), "the last part is missing");
    }
    assert.ok(globCovers("src/**/**/A.sol", "src/A.sol"));
    assert.ok(globCovers("[ab]/**/A.sol", "a/A.sol"));
    assert.ok(!globCovers("**/A.sol", "bA.sol"));
    assert.ok(!globCovers("x/**/A.sol", "x/bA.sol"));
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
