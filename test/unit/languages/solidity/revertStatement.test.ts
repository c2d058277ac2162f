import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { revertStatement } from "../../../../src/core/languages/solidity/revertStatement.ts";

const SOURCE = `contract Pool {
  error TooLow(uint256 given);
  function swap(uint256 n) external {
    // revert TooLow(n);
    if (n < 5) revert TooLow(n);
    require(n < 100, "too \\"much\\"");
    require(n != 7, TooSeven(n));
  }
  function twice(uint256 n) external {
    if (n == 1) revert TooLow(n);
    if (n == 2) revert Errors.TooLow(n);
  }
}`;

const lineOf = (name: string) => SOURCE.split("\n").findIndex((line) => line.includes(`function ${name}`));
const found = (name: string, cause: Parameters<typeof revertStatement>[2]) =>
  revertStatement(SOURCE, { path: "/Pool.sol", line: lineOf(name) }, cause)?.line;

describe("The statement that reverted", () => {
  it("is found by its error, in a revert and in a require, and by its reason", () => {
    assert.equal(found("swap", { error: "TooLow" }), 4);
    assert.equal(found("swap", { error: "TooSeven" }), 6);
    assert.equal(found("swap", { reason: 'too "much"' }), 5);
  });

  it("is not told where several could be it, or where it is in another function", () => {
    assert.equal(found("twice", { error: "TooLow" }), undefined);
    assert.equal(found("twice", { reason: 'too "much"' }), undefined);
    assert.equal(found("swap", { error: "Unknown" }), undefined);
  });
});
