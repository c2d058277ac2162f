import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  inInstalledFolder,
  inNodeModules,
  packagedPath,
  packageImport,
} from "../../../src/core/sources/packagedPath.ts";
import { hardhat3Packaged } from "../../../src/core/tools/hardhat/hardhat3Names.ts";
import { ownPath } from "../../../src/core/tools/tool.ts";
import { isArtifactPath } from "../../../src/core/workspace/artifact.ts";

describe("The package of a path", () => {
  const STORE = "/p/node_modules/.pnpm/solmate@6.0.0/node_modules/solmate";

  it("is the innermost one, with its scope, also where a store of packages holds it", () => {
    assert.deepEqual(packagedPath("/p/node_modules/a/node_modules/@b/c/src/C.sol"), {
      folder: "/p/node_modules/a/node_modules/@b/c",
      name: "@b/c",
      path: "src/C.sol",
    });
    assert.deepEqual(packagedPath(`${STORE}/src/C.sol`), {
      folder: STORE,
      name: "solmate",
      path: "src/C.sol",
    });
    assert.equal(packageImport(`${STORE}/src/C.sol`), "solmate/src/C.sol");
    assert.equal(packagedPath("node_modules/solmate/src/C.sol")?.name, "solmate");
  });

  it("is told of its folder, too, and of nothing that packages do not own", () => {
    assert.deepEqual(packagedPath("/p/node_modules/@b/c"), {
      folder: "/p/node_modules/@b/c",
      name: "@b/c",
      path: "",
    });
    for (const path of [
      "/p/node_modules",
      "/p/node_modules/.bin/solc",
      "/p/my_node_modules/a/A.sol",
      "/p/a.sol",
    ])
      assert.equal(packagedPath(path), undefined, path);
  });
});

describe("A source unit name", () => {
  it("of a project's own file loses what its tool put before the path", () => {
    for (const name of ["project/contracts/A.sol", "project:/contracts/A.sol", "contracts/A.sol"])
      assert.equal(ownPath(name), "contracts/A.sol");
    assert.equal(ownPath("browser/A.sol"), "A.sol");
    assert.equal(ownPath("/contracts/A.sol"), "/contracts/A.sol");
  });

  it("of a package's file in Hardhat 3 has name, version and path", () => {
    assert.deepEqual(hardhat3Packaged("npm/@b/c@1.2.3/src/C.sol"), {
      name: "@b/c",
      version: "1.2.3",
      path: "src/C.sol",
    });
    assert.equal(hardhat3Packaged("npm/c/src/C.sol"), undefined);
  });
});

describe("What is other people's", () => {
  it("lies in a folder of installed packages, of Python's, too, and in none of a name like it", () => {
    for (const path of ["/p/node_modules/a/A.sol", "node_modules/a", "/v/site-packages/snekmate/erc20.vy"])
      assert.ok(inInstalledFolder(path), path);
    for (const path of ["/p/node_modules", "/p/my_node_modules/A.sol", "/p/contracts/A.sol"])
      assert.ok(!inInstalledFolder(path), path);
    for (const path of ["/p/node_modules/a/A.sol", "/p/node_modules", "node_modules/a"])
      assert.ok(inNodeModules(path), path);
    for (const path of [
      "/p/node_modules_old/A.sol",
      "/p/my_node_modules",
      "/v/site-packages/snekmate/erc20.vy",
    ])
      assert.ok(!inNodeModules(path), path);
    assert.ok(!isArtifactPath("/p/site-packages/tool/artifacts/A.json"));
    assert.ok(isArtifactPath("/p/artifacts/A.json"));
  });
});
