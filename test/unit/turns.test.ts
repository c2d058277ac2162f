import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sortInPieces } from "../../src/core/sortInPieces.ts";
import { atOnce, inTurns, type Pieces } from "../../src/core/turns.ts";
import { WorkspaceIndex } from "../../src/core/workspace/workspaceIndex.ts";
import { turnsOf } from "../rig/turnsOf.ts";
import { memoryFiles } from "./memoryFiles.ts";
import { random } from "./random.ts";
import { mapFinder } from "./workspace/mapFinder.ts";

describe("Work that runs at the same time", () => {
  it("shares the turns of the event loop: fifty pieces of work hold it no longer than one", async () => {
    function* work(): Pieces<void> {
      for (let piece = 0; piece < 10; piece++) {
        const began = performance.now();
        while (performance.now() - began < 1);
        yield;
      }
    }
    const turns = await turnsOf(() => Promise.all(Array.from({ length: 50 }, () => inTurns(work()))));
    assert.ok(turns >= 20, `${turns} turns in half a second of work`);
  });

  it("lets others have their turn while the contracts of many files are found", async () => {
    const text = `contract A {\n${"  function a() external pure returns (uint256) { return 1; }\n".repeat(1000)}}\n`;
    const files = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`/w/File${at}.sol`, text]));
    const index = new WorkspaceIndex({
      files: memoryFiles(files),
      finder: mapFinder(files, ["/w"]),
      folders: () => ["/w"],
    });
    const turns = await turnsOf(() => index.contracts());
    assert.equal((await index.contracts()).length, 1000);
    assert.ok(turns >= 10, `${turns} turns`);
  });
});

describe("Sorting in pieces", () => {
  it("comes to the same as sorting at once, equal items in their order", () => {
    const { below } = random("sorting in pieces");
    for (const length of [0, 1, 1023, 1024, 1025, 3000, 10_000]) {
      const items = Array.from({ length }, (_, at) => ({ at, key: below(50) }));
      const compare = (one: { key: number }, other: { key: number }) => one.key - other.key;
      assert.deepEqual(atOnce(sortInPieces(items, compare)), [...items].sort(compare), `${length} items`);
    }
  });
});
