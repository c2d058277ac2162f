import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DoubleClicks } from "../../../src/editor/ui/doubleClicks.ts";
import { told } from "../../../src/editor/ui/toldPresses.ts";

/** A window that is never busy: it answers at once. */
const atOnce = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What is pressed, and how often that did something. */
function button() {
  const clicks = new DoubleClicks(atOnce);
  let done = 0;
  return {
    press: (what = "retry") => clicks.once(what, () => ++done),
    done: () => done,
  };
}

/** Until it is certain that so long nothing more was pressed. */
async function rest(ms: number): Promise<void> {
  const from = performance.now();
  while (told.until < from + ms) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("A double click on what sends at once", () => {
  it("does it once, though it was done before the second press came", () => {
    const { press, done } = button();
    assert.deepEqual([press(), press(), press()], [1, 1, 1]);
    assert.equal(done(), 1);
  });

  it("does each of two things", () => {
    const { press } = button();
    assert.deepEqual([press("one"), press("other")], [1, 2]);
  });

  it("does it again for a person who presses later", async () => {
    const { press } = button();
    press();
    await rest(1_000);
    assert.equal(press(), 2);
  });
});
