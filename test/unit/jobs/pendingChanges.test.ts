import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PendingChanges } from "../../../src/core/jobs/pendingChanges.ts";

const MINUTE = 60_000;
const of = (path: string, isNew = false) => ({ path, isNew });

describe("Changes of records that are still to be looked at", () => {
  it("are one of each path, which stays new", () => {
    const changes = new PendingChanges();
    for (let second = 0; second < 10_000; second++) changes.add(of("/p/broadcast/log.txt"), second);
    changes.add(of("/p/deployments", true), 1);
    changes.add(of("/p/deployments"), 2);
    assert.deepEqual(changes.take(), [of("/p/broadcast/log.txt"), of("/p/deployments", true)]);
    assert.deepEqual(changes.take(), []);
  });

  it("are a thousand at most, of which the newest stay, also where a run is waited for", () => {
    const changes = new PendingChanges();
    for (let at = 0; at < 5_000; at++) changes.add(of(`/p/broadcast/${at}.json`), at);
    const taken = changes.take();
    assert.equal(taken.length, 1_000);
    changes.add(of("/p/broadcast/last.json"), 6_000);
    changes.putBack(taken, 6_000);
    assert.equal(changes.all.length, 1_000);
    assert.equal(changes.all.at(-1)?.path, "/p/broadcast/last.json");
    assert.equal(changes.all.at(-2)?.path, "/p/broadcast/4999.json");
  });

  it("let a run be waited for while it says something, and for ten minutes where only another file does", () => {
    const changes = new PendingChanges();
    changes.add(of("/p/broadcast/run.json"), 0);
    assert.equal(changes.patienceMs(0), MINUTE);
    assert.equal(changes.patienceMs(MINUTE), 0);
    changes.add(of("/p/broadcast/run.json"), 5 * MINUTE);
    changes.putBack(changes.take(), 5 * MINUTE);
    let now = 5 * MINUTE;
    for (; now < 15 * MINUTE; now += 1_000) {
      changes.add(of("/p/broadcast/log.txt"), now);
      changes.putBack(changes.take(), now);
      assert.ok(changes.patienceMs(now) > 0);
    }
    changes.add(of("/p/broadcast/log.txt"), now);
    assert.equal(changes.patienceMs(now), 0);
    changes.settled();
    assert.equal(changes.patienceMs(now), MINUTE);
  });
});
