import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { describe, it, type TestContext } from "node:test";
import { sortInPieces } from "../../../src/core/concurrency/sortInPieces.ts";
import { atOnce, eachInPieces, inTurns, type Pieces } from "../../../src/core/concurrency/turns.ts";
import { placedContractsInPieces } from "../../../src/core/workspace/contracts.ts";
import { WorkspaceIndex } from "../../../src/core/workspace/workspaceIndex.ts";
import { piecesOf, turnsOf } from "../../rig/turnsOf.ts";
import { memoryFiles } from "../files/memoryFiles.ts";
import { random } from "../random.ts";
import { mapFinder } from "../workspace/mapFinder.ts";

/** A clock that only work moves, and how long the turns of the event loop are by it. */
async function workClock(test: TestContext) {
  // The turn of what was before has another clock.
  await new Promise(setImmediate);
  let now = performance.now();
  test.mock.method(performance, "now", () => now);
  const clock = {
    turns: 0,
    longestMs: 0,
    work(milliseconds: number) {
      now += milliseconds;
    },
  };
  let isDone = false;
  test.after(async () => {
    isDone = true;
    await new Promise(setImmediate);
  });
  const tick = (before: number) => {
    clock.turns++;
    clock.longestMs = Math.max(clock.longestMs, now - before);
    if (!isDone) setImmediate(tick, now);
  };
  setImmediate(tick, now);
  return clock;
}

describe("Work that runs at the same time", () => {
  it("shares the turns of the event loop: fifty pieces of work hold it no longer than one", async (test) => {
    const clock = await workClock(test);
    function* work(): Pieces<void> {
      for (let piece = 0; piece < 10; piece++) {
        clock.work(1);
        yield;
      }
    }
    await Promise.all(Array.from({ length: 50 }, () => inTurns(work())));
    assert.ok(clock.turns >= 50, `${clock.turns} turns in half a second of work`);
    assert.ok(clock.longestMs <= 16, `${clock.longestMs} ms`);
  });

  it("shares each turn to its end, whatever wakes it: a disk that answers, or the turn before", async (test) => {
    const clock = await workClock(test);
    function* work(pieces: number): Pieces<void> {
      for (let piece = 0; piece < pieces; piece++) {
        clock.work(4);
        yield;
      }
    }
    await Promise.all([
      ...Array.from({ length: 10 }, () => inTurns(work(6))),
      ...Array.from({ length: 10 }, async () => {
        for (let time = 0; time < 5; time++) {
          await stat(".");
          await inTurns(work(1));
        }
      }),
    ]);
    // Two pieces fill a turn, and a third may have begun.
    assert.ok(clock.longestMs < 30, `${clock.longestMs} ms`);
  });

  it("lets others have their turn where each piece of work is small, and there are very many", async (test) => {
    const clock = await workClock(test);
    for (let done = 0; done < 2_000; done++) await inTurns(eachInPieces([done], () => clock.work(0.1)));
    assert.ok(clock.turns >= 20, `${clock.turns} turns in a fifth of a second of work`);
    assert.ok(clock.longestMs <= 16, `${clock.longestMs} ms`);
  });

  it("lets others have their turn while the contracts of many files are found", async () => {
    const text = "contract A {\n  function a() external pure returns (uint256) { return 1; }\n}\n";
    const files = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`/w/File${at}.sol`, text]));
    const index = new WorkspaceIndex({
      files: memoryFiles(files),
      finder: mapFinder(files, ["/w"]),
      folders: () => ["/w"],
    });
    const turns = await turnsOf(() => index.contracts());
    assert.equal((await index.contracts()).length, 1000);
    assert.ok(turns >= 1000, `${turns} turns`);
  });
});

describe("A source of 25 MB", () => {
  const line = "  function a() external pure returns (uint256) { return 1; }\n";

  it("has its contracts found in many turns", async () => {
    const files = {
      "/w/Long.sol": `contract Long {\n${line.repeat(25e6 / line.length)}}\ncontract Last {}\n`,
    };
    const index = new WorkspaceIndex({
      files: memoryFiles(files),
      finder: mapFinder(files, ["/w"]),
      folders: () => ["/w"],
    });
    const turns = await turnsOf(() => index.contracts());
    assert.deepEqual(
      (await index.contracts()).map(({ name }) => name),
      ["Long", "Last"],
    );
    assert.ok(turns >= 60, `${turns} turns`);
    const text = files["/w/Long.sol"];
    assert.ok(piecesOf(placedContractsInPieces("/w/Long.sol", text)) >= 90);
  });

  it("ends its contract behind the same brace wherever a text or a comment with braces stands", () => {
    for (const strange of ['"}}"', "/* }} */", "// }}\n", "{{}}", "'\\'}'"]) {
      for (let at = 262_120; at < 262_150; at++) {
        const text = `contract A {${" ".repeat(at)}${strange}}\ncontract B {}`;
        const found = atOnce(placedContractsInPieces("/w/A.sol", text)).map(({ name }) => name);
        assert.deepEqual(found, ["A", "B"], `${strange} at ${at}`);
      }
    }
  });
});

describe("A file that changes while its contracts are read", () => {
  it("is known as it is in the end", async () => {
    const files = { "/w/A.sol": "contract Before {}" };
    const reader = memoryFiles(files);
    let isRead = false;
    const index: WorkspaceIndex = new WorkspaceIndex({
      files: {
        ...reader,
        read: async (path, most) => {
          const bytes = await reader.read(path, most);
          if (!isRead) {
            isRead = true;
            files["/w/A.sol"] = "contract After {}";
            index.invalidate(path);
          }
          return bytes;
        },
      },
      finder: mapFinder(files, ["/w"]),
      folders: () => ["/w"],
    });
    assert.deepEqual(
      (await index.contracts()).map(({ name }) => name),
      ["After"],
    );
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
