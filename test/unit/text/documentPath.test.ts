import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { documentSegments } from "../../../src/core/text/documentPath.ts";

describe("The path of a document", () => {
  it("leads nowhere else, whatever a source is called", () => {
    for (const [name, path] of [
      ["contracts/Vault.sol", "contracts/Vault.sol"],
      ["../../etc/passwd", "_/_/etc/passwd"],
      ["C:\\project\\..\\Vault.sol", "C:/project/_/Vault.sol"],
      ["//host/./Vault.sol", "_/_/host/_/Vault.sol"],
      [".../Vault.sol", "_/Vault.sol"],
      [".deps/Vault.sol", ".deps/Vault.sol"],
      ["", "_"],
    ] as const)
      assert.equal(documentSegments(name).join("/"), path, name);
  });

  it("keeps files apart that lie in other folders", () => {
    const names = ["a/Vault.sol", "./a/Vault.sol", "../a/Vault.sol/", "/a/Vault.sol", "a/./Vault.sol"];
    const paths = new Set(names.map((name) => documentSegments(name).join("/")));
    // Of two unlike steps neither is a place.
    assert.deepEqual([...paths], ["a/Vault.sol", "_/a/Vault.sol", "_/a/Vault.sol/_", "a/_/Vault.sol"]);
  });

  it("has an end, and the file at it", () => {
    const segments = documentSegments(`${"a/".repeat(100_000)}Vault.sol`);
    assert.equal(segments.length, 30);
    assert.equal(segments.at(-1), "Vault.sol");
  });
});
