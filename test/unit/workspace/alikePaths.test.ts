import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { likeliestFiles, mostAlikePaths } from "../../../src/core/workspace/alikePaths.ts";

const PATHS = ["/w/src/Vault.sol", "/w/old/src/core/Vault.sol", "/w/src/VaultMock.sol"];

describe("The files that a name may mean", () => {
  const OWN = "/w/contracts/Counter.sol";
  const PACKAGE = "/w/node_modules/a/contracts/Counter.sol";

  it("is the project's own one, where its packages have as much alike", () => {
    assert.deepEqual(likeliestFiles("project/contracts/Counter.sol", [PACKAGE, OWN]), [OWN]);
    assert.deepEqual(likeliestFiles("a/contracts/Counter.sol", [PACKAGE, OWN]), [PACKAGE]);
  });

  it("are asked for where the project has several, those of packages last", () => {
    const other = "/w/old/contracts/Counter.sol";
    const found = likeliestFiles("contracts/Counter.sol", [PACKAGE, OWN, other]);
    assert.deepEqual(found, [OWN, other, PACKAGE]);
  });
});

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
