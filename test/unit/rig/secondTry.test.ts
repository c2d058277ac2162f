import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { afterSecondTry, failuresInSuites, filesToTryAgain } from "../../rig/secondTry.ts";
import type { KindReport } from "../../rig/sideBySide.ts";

const WINDOWS = ["editor", "e2e"];

function report(name: string, failures: readonly string[] = []): KindReport {
  const failed = failures.length;
  return { name, passed: 5, failed, failures, skipped: [], seconds: 1, notes: [] };
}

describe("What failed beside all the others is run once more, alone", () => {
  const missed = "test/e2e/verify.test.ts › sees what is sent\nno row yet";

  it("where it drives a window", () => {
    assert.deepEqual(filesToTryAgain([report("unit"), report("e2e", [missed, missed])], WINDOWS), [
      "test/e2e/verify.test.ts",
    ]);
  });

  it("never where anything else failed too, or a window ended without saying of what", () => {
    for (const other of [
      report("unit", ["counts\n1 is not 2"]),
      report("editor", ["The extension host ended with 1"]),
      { ...report("editor"), failed: 1 },
      report(
        "editor",
        ["a", "b", "c"].map((name) => `test/editor/${name}.test.ts › x\ny`),
      ),
    ])
      assert.deepEqual(filesToTryAgain([report("e2e", [missed]), other], WINDOWS), []);
  });

  it("and is counted as passed where it passes then, with the name of what was unsteady", () => {
    const [unit, e2e] = afterSecondTry([report("unit"), report("e2e", [missed])], [report("e2e")]);
    assert.deepEqual(unit, report("unit"));
    assert.deepEqual(e2e, { ...report("e2e"), passed: 6, unsteady: [missed] });
  });

  it("and has failed where it fails again, or did not run", () => {
    const first = [report("e2e", [missed])];
    assert.deepEqual(afterSecondTry(first, [report("e2e", [missed])]), first);
    assert.deepEqual(afterSecondTry(first, []), first);
    assert.deepEqual(afterSecondTry(first, [{ ...report("e2e"), passed: 0 }]), first);
  });

  it("as the file whose suite it is of, in a window that runs many", () => {
    const files = ["test/editor/review.test.ts", "test/editor/reviewOffers.test.ts"];
    assert.deepEqual(
      failuresInSuites(files, [
        "The review offers what the deployed code shows no settings where nothing proves them\nno review yet",
        "Another suite fails\nwhy",
      ]),
      [
        "test/editor/reviewOffers.test.ts › The review offers what the deployed code shows no settings where nothing proves them\nno review yet",
        "Another suite fails\nwhy",
      ],
    );
  });
});
