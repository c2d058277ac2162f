import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { otherWindowsStorage, sharedStorage } from "../../../src/editor/sharedStorage.ts";

const EXTENSION = "ledger-lens.ledger-lens";
const of = (workspace: string) => join("/data", "User", "workspaceStorage", workspace, EXTENSION);

describe("The storage folder of a workspace", () => {
  it("is the same for all its windows, whichever the editor gave", () => {
    for (const id of ["0123456789abcdef0123456789abcdef", "1732198023456", "-4d2a1f30", "4d2a1f30"]) {
      assert.equal(sharedStorage(of(id)), of(id), id);
      for (const window of [1, 2, 9]) assert.equal(sharedStorage(of(`${id}-${window}`)), of(id), id);
      assert.deepEqual(otherWindowsStorage(of(`${id}-3`)), otherWindowsStorage(of(id)));
      assert.equal(otherWindowsStorage(of(id))[0], of(`${id}-1`));
    }
  });

  it("is what the editor gave where that has another form, and for a window without a folder", () => {
    const global = join("/data", "User", "globalStorage", EXTENSION);
    const others = [
      global,
      join("/tmp", "kept-1", EXTENSION),
      of("ext-dev-1"),
      of("0123456789abcdef-10"),
      "/x",
    ];
    for (const path of others) assert.equal(sharedStorage(path), path);
    assert.deepEqual(otherWindowsStorage(global), []);
  });
});
