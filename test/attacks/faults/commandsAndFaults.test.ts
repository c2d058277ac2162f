import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { proofSize } from "../../rig/proofSize.ts";
import { spreadSample } from "../../rig/spreadSample.ts";
import { random } from "../../unit/random.ts";
import { nameOf, runCell, troubleName, undisturbed, type Cell } from "./cell.ts";
import { cells, TARGETS, trustedAuthority } from "./troubles.ts";

/** Cells wait for sockets and time-outs most of the time. */
const AT_ONCE = 8;

const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));

/** Runs cells, several at a time; answers what is wrong with each that fails. */
async function failuresOf(list: readonly Cell[], expected: ReadonlyMap<string, unknown>): Promise<string[]> {
  const waiting = [...list];
  const failures: string[] = [];
  const work = async () => {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      try {
        await runCell(cell, expected.get(cell.target.command));
      } catch (error) {
        failures.push(`${nameOf(cell)}\n    ${told(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures.sort();
}

function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = error.message.split("\n").slice(0, 12).join("\n    ");
  return error.cause === undefined
    ? lines
    : `${lines}: ${told(error.cause)}\n${(error.cause as Error).stack?.split("\n").slice(1, 6).join("\n") ?? ""}`;
}

describe("Every command at every fault of a service", async () => {
  const all = cells(await trustedAuthority());
  const { below } = random("commands and faults");
  const size = proofSize({ sample: 140, whole: all.length });
  const chosen = new Set(
    spreadSample(all, size, below, ({ target, trouble }) => [target, troubleName(trouble)]),
  );
  let expected: ReadonlyMap<string, unknown> = new Map();
  let count = 0;

  before(async () => {
    expected = await undisturbed([...new Set(TARGETS.map(({ command }) => command))]);
  });

  for (const target of TARGETS) {
    const own = all.filter((cell) => cell.target === target && chosen.has(cell));
    it(`${target.command} at ${target.at}: one sentence, nothing twice, nothing lost, and works again`, async () => {
      const failures = await failuresOf(own, expected);
      count += own.length;
      assert.equal(failures.length, 0, `${failures.length} of ${own.length} cells:\n${failures.join("\n")}`);
    });
  }

  it("leaves out no target and no trouble", () => {
    const met = (keyOf: (cell: Cell) => unknown, cells: Iterable<Cell>) =>
      new Set([...cells].map(keyOf)).size;
    for (const keyOf of [({ target }: Cell) => target, ({ trouble }: Cell) => troubleName(trouble)])
      assert.equal(met(keyOf, chosen), met(keyOf, all));
  });

  it("leaves no rejection unhandled", () => {
    console.log(`commands and faults: ${count} of ${all.length} cells`);
    assert.deepEqual(unhandled, []);
  });
});
