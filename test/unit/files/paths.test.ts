import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { relativePath } from "../../../src/core/files/fileReader.ts";

describe("A path seen from a folder", () => {
  it("is whole from the root of a drive, too", () => {
    assert.equal(relativePath("/src/A.sol", "/"), "src/A.sol");
    assert.equal(relativePath("/d:/src/A.sol", "/d:/"), "src/A.sol");
    assert.equal(relativePath("/d:/src/A.sol", "/d:"), "src/A.sol");
    assert.equal(relativePath("/d:/src/A.sol", "/d:/sr"), undefined);
  });
});
