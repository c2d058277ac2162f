import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { newestReason } from "../../../src/core/languages/compilerChoice.ts";
import { chooseVyper } from "../../../src/core/languages/vyper/vyperChoice.ts";

describe("Why a compiler is taken for which nothing but pragmas speaks", () => {
  it("is that the pragma names it, where one names a single release", () => {
    for (const pragma of ["0.8.20", "=0.8.20", " = 0.8.20 ", "v0.8.20", "==0.4.0", "===0.4.0", "0.4.1rc3"])
      assert.equal(newestReason(["^0.8.0", pragma]), "the release that the pragma names", pragma);
  });

  it("is that it is the newest one, where they allow several", () => {
    for (const pragma of [
      "^0.8.20",
      ">=0.8.0 <0.9.0",
      "0.8",
      "0.8.20 || 0.8.21",
      "0.8.1 - 0.8.9",
      "==0.4.*",
      "*",
    ])
      assert.equal(newestReason([pragma]), "the newest release that every pragma allows", pragma);
    assert.equal(newestReason([]), "the newest release");
  });

  it("is told of Vyper alike", () => {
    const reasonOf = (value: string) =>
      chooseVyper([{ file: "A.vy", line: 1, value, by: "pragma" }], {}, [
        "0.4.0+commit.e9db8d9f",
        "0.4.1+commit.8a93dd27",
      ]).reason;
    assert.equal(reasonOf("0.4.0"), "the release that the pragma names");
    assert.equal(reasonOf("~=0.4.0"), "the newest release that every pragma allows");
  });
});
