import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mostAlikePaths } from "../../../src/core/workspace/alikePaths.ts";

const PATHS = ["/w/src/Vault.sol", "/w/old/src/core/Vault.sol", "/w/src/VaultMock.sol"];

describe("The file that a source is most alike to", () => {
  it("is the one whose path agrees in the most segments from its end", () => {
    assert.deepEqual(mostAlikePaths("src/core/Vault.sol", PATHS), ["/w/old/src/core/Vault.sol"]);
    assert.deepEqual(mostAlikePaths("project/src/Vault.sol", PATHS), ["/w/src/Vault.sol"]);
  });

  it("is every one of those that agree alike, and none with another name", () => {
    assert.deepEqual(mostAlikePaths("contracts/Vault.sol", PATHS), PATHS.slice(0, 2));
    assert.deepEqual(mostAlikePaths("src/Other.sol", PATHS), []);
  });
});
