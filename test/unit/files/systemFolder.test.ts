import assert from "node:assert/strict";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { isInSystemFolder } from "../../../src/core/files/systemFolder.ts";

describe("A folder of the operating system", () => {
  const isIn = (path: string, folder: string) => isInSystemFolder(resolve(path), resolve(folder));

  it("holds itself and what lies in it, and nothing beside it", () => {
    assert.ok(isIn("/w/a", "/w/a"));
    assert.ok(isIn("/w/a/b/c", "/w/a"));
    assert.ok(isIn("/w/a/..b/c", "/w/a"), "a name that begins with dots");
    assert.ok(isIn("/w/a", "/"));
    assert.ok(isIn("/w/a/", "/w/a"));
    for (const other of ["/w/ab", "/w", "/", "/w/a/../b", "/w/a/.."]) assert.ok(!isIn(other, "/w/a"), other);
  });
});
