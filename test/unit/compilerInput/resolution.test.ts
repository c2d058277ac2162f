import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  applyRemappings,
  parseRemapping,
  remappingsIn,
} from "../../../src/core/languages/solidity/remapping.ts";
import { isRelativeImport, resolveImportPath } from "../../../src/core/sources/sourceUnitName.ts";

const remap = (remappings: readonly string[], path: string, importer: string) =>
  applyRemappings(
    remappings.map(parseRemapping).filter((remapping) => remapping !== undefined),
    path,
    importer,
  );

describe("The name that an import stands for", () => {
  it("is the path itself unless it begins with . or ..", () => {
    for (const path of ["a//b.sol", "util.sol", "@a/b.sol", "https://x.y/z.sol", ".hidden/a.sol"]) {
      assert.deepEqual([isRelativeImport(path), resolveImportPath(path, "lib/c.sol")], [false, path]);
    }
  });

  it("is relative to the importing unit, whose own part stays as it is", () => {
    const cases: readonly (readonly [string, string, string])[] = [
      ["./util//./u.sol", "lib/src/../contract.sol", "lib/src/../util/u.sol"],
      ["../u.sol", "a/b/c.sol", "a/u.sol"],
      ["../../../u.sol", "a/b.sol", "u.sol"],
      ["./u.sol", "a.sol", "u.sol"],
      ["./u.sol", "a//b.sol", "a/u.sol"],
      ["./u.sol", "https://x.y/z.sol", "https://x.y/u.sol"],
    ];
    for (const [path, importer, name] of cases)
      assert.equal(resolveImportPath(path, importer), name, `${path} in ${importer}`);
  });
});

describe("Remappings", () => {
  it("split at the first = and the first colon before it", () => {
    assert.deepEqual(parseRemapping("ctx:@a/=lib/a=b/"), {
      context: "ctx",
      prefix: "@a/",
      target: "lib/a=b/",
    });
    assert.deepEqual(parseRemapping(":g=/dir"), { context: "", prefix: "g", target: "/dir" });
    assert.deepEqual(parseRemapping("a/="), { context: "", prefix: "a/", target: "" });
    assert.equal(parseRemapping("no equals sign"), undefined);
    assert.equal(parseRemapping("ctx:=target"), undefined);
  });

  it("are ranked by context, then prefix, then position", () => {
    assert.equal(remap(["a/=one/", "a/b/=two/"], "a/b/c.sol", "x.sol"), "two/c.sol");
    assert.equal(remap(["a/b/=two/", "lib:a/=one/"], "a/b/c.sol", "lib/x.sol"), "one/b/c.sol");
    assert.equal(remap(["a/=one/", "a/=two/"], "a/c.sol", "x.sol"), "two/c.sol");
    assert.equal(remap(["lib:a/=one/"], "a/c.sol", "src/x.sol"), "a/c.sol");
  });

  it("are applied once", () => {
    assert.equal(remap(["a/=b/", "b/=c/"], "a/x.sol", "y.sol"), "b/x.sol");
  });

  it("are read from a file line by line, in its order", () => {
    assert.deepEqual(remappingsIn("b/=lib/b/\r\n\n  a/=lib/a/ \n# not one\n"), ["b/=lib/b/", "a/=lib/a/"]);
  });
});
