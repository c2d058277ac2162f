import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { Settling } from "../../../src/core/concurrency/settling.ts";

describe("What is done once nothing is heard any more", () => {
  let done = 0;
  let settling: Settling;
  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
    done = 0;
    settling = new Settling(() => done++, 2_000, 10_000);
  });
  afterEach(() => {
    settling.stop();
    mock.timers.reset();
  });

  it("is done once for all that comes in one go", () => {
    for (let at = 0; at < 5; at++) {
      settling.hear();
      mock.timers.tick(1_000);
    }
    assert.equal(done, 0);
    mock.timers.tick(1_000);
    assert.equal(done, 1);
    mock.timers.tick(60_000);
    assert.equal(done, 1);
  });

  it("is not put off for ever by a file that is written all the time", () => {
    for (let second = 0; second < 60; second++) {
      settling.hear();
      mock.timers.tick(1_000);
    }
    assert.equal(done, 6);
    // The longest wait is shorter than one that is asked for.
    settling.hear(60_000);
    mock.timers.tick(10_000);
    assert.equal(done, 7);
  });

  it("is done in its time after the clock was set back, and not at all once it is stopped", () => {
    settling.hear();
    mock.timers.setTime(0);
    settling.hear();
    mock.timers.tick(2_000);
    assert.equal(done, 1);
    settling.hear();
    settling.stop();
    mock.timers.tick(60_000);
    assert.equal(done, 1);
  });
});
