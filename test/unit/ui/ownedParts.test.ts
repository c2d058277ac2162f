import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { late } from "../../../src/editor/late.ts";
import { OwnedParts } from "../../../src/editor/ownedParts.ts";

describe("Parts that end together", () => {
  it("are taken down once, the last one first, and waited for", async () => {
    const ended: string[] = [];
    const parts = new OwnedParts();
    parts.own({ dispose: () => Promise.resolve().then(() => ended.push("connection closed")) });
    parts.own({ dispose: () => ended.push("view") });
    await parts.end();
    await parts.end();
    assert.deepEqual(ended, ["view", "connection closed"]);
  });

  it("take down at once what is only loaded when the end has come, and its user is told that it was cancelled", async () => {
    const parts = new OwnedParts();
    let isOver = false;
    let load: () => void = () => undefined;
    const loading = new Promise<void>((resolve) => (load = resolve));
    const part = late(async () => {
      await loading;
      return parts.own({ dispose: () => (isOver = true) });
    });
    const asked = part();
    await parts.end();
    load();
    await assert.rejects(asked, { code: "cancelled" });
    assert.ok(isOver);
  });
});

describe("A late part", () => {
  it("is built once for all who ask at the same time", async () => {
    let built = 0;
    const part = late(() => Promise.resolve(++built));
    assert.equal(built, 0);
    assert.deepEqual(await Promise.all([part(), part(), part()]), [1, 1, 1]);
  });
});
