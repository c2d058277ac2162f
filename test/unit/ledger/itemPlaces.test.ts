import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inTheirPlaces } from "../../../src/core/ledger/itemPlaces.ts";

function items(...ids: readonly string[]) {
  return ids.map((id) => ({ id: id.replace("*", ""), pinned: id.startsWith("*") }));
}

function ids(...[of, before]: Parameters<typeof inTheirPlaces>): string[] {
  return inTheirPlaces(of, before).map(({ id }) => id);
}

describe("the places of what was opened", () => {
  it("are by the last time it was opened where nothing stood before", () => {
    assert.deepEqual(ids(items("c", "a", "b"), []), ["c", "a", "b"]);
  });

  it("stay when something is opened again, so that no row moves under the pointer", () => {
    assert.deepEqual(ids(items("b", "c", "a"), ["c", "a", "b"]), ["c", "a", "b"]);
  });

  it("put what is new on top, below what is pinned", () => {
    assert.deepEqual(ids(items("*p", "new", "b", "a"), ["p", "a", "b"]), ["p", "new", "a", "b"]);
  });

  it("change when something is pinned, unpinned or removed", () => {
    assert.deepEqual(ids(items("*b", "a"), ["a", "c", "b"]), ["b", "a"]);
    assert.deepEqual(ids(items("a", "b"), ["b", "a"]), ["b", "a"]);
  });
});
