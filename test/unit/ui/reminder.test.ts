import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { Reminder } from "../../../src/editor/ui/reminder.ts";

/** A listener that may miss what it is told, on a clock that the test moves. */
function listener({ mock }: TestContext) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const state = { isAwaiting: false, isTaking: false, misses: 0, told: 0 };
  const reminder = new Reminder(
    () => state.isAwaiting,
    () => state.isTaking,
    () => {
      state.told++;
      state.isAwaiting = state.misses-- > 0;
    },
  );
  return { state, reminder, pass: (milliseconds: number) => mock.timers.tick(milliseconds) };
}

describe("A reminder of what was told", () => {
  it("says nothing where it was taken in time", (t) => {
    const { state, reminder, pass } = listener(t);
    state.isAwaiting = true;
    reminder.watch();
    pass(1900);
    state.isAwaiting = false;
    pass(600_000);
    assert.equal(state.told, 0);
  });

  it("tells it again until it is taken, and from the beginning the next time", (t) => {
    const { state, reminder, pass } = listener(t);
    for (let time = 0; time < 2; time++) {
      Object.assign(state, { isAwaiting: true, misses: 2, told: 0 });
      reminder.watch();
      reminder.watch();
      pass(1999);
      assert.equal(state.told, 0);
      pass(1);
      assert.equal(state.told, 1);
      pass(4000);
      assert.equal(state.told, 2);
      pass(8000);
      assert.equal(state.told, 3);
      pass(600_000);
      assert.equal(state.told, 3);
    }
  });

  it("says nothing while something is being taken, however long that takes", (t) => {
    const { state, reminder, pass } = listener(t);
    Object.assign(state, { isAwaiting: true, isTaking: true });
    reminder.watch();
    pass(600_000);
    assert.equal(state.told, 0);
    state.isTaking = false;
    pass(2000);
    assert.equal(state.told, 1);
  });

  it("waits as long again after something was taken, for what is left", (t) => {
    const { state, reminder, pass } = listener(t);
    state.isAwaiting = true;
    reminder.watch();
    for (let time = 0; time < 5; time++) {
      pass(1900);
      reminder.taken();
    }
    assert.equal(state.told, 0);
    pass(2000);
    assert.equal(state.told, 1);
  });

  it("gives up after six times, until something is taken", (t) => {
    const { state, reminder, pass } = listener(t);
    Object.assign(state, { isAwaiting: true, misses: Infinity });
    reminder.watch();
    for (let wait = 2000; wait <= 64_000; wait *= 2) pass(wait);
    pass(3_600_000);
    reminder.watch();
    pass(3_600_000);
    assert.equal(state.told, 6);
    Object.assign(state, { isAwaiting: false, misses: 0 });
    reminder.watch();
    state.isAwaiting = true;
    reminder.watch();
    pass(2000);
    assert.equal(state.told, 7);
  });

  it("is silent once stopped", (t) => {
    const { state, reminder, pass } = listener(t);
    state.isAwaiting = true;
    reminder.watch();
    reminder.stop();
    pass(600_000);
    assert.equal(state.told, 0);
  });
});
