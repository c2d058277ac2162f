import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SharedWork } from "../../../src/core/concurrency/sharedWork.ts";

describe("Work that several wait for", () => {
  /** Work that a test ends, and that ends when it is left. */
  function work() {
    const begun: { readonly ends: AbortSignal; readonly result: PromiseWithResolvers<string> }[] = [];
    const begin = (ends: AbortSignal) => {
      const result = Promise.withResolvers<string>();
      ends.addEventListener("abort", () => result.reject(new Error("ended")));
      begun.push({ ends, result });
      return result.promise;
    };
    return { begun, begin, shared: new SharedWork<string>() };
  }

  it("is done once for all who want it meanwhile, and again for one who comes later", async () => {
    const { begun, begin, shared } = work();
    const both = [shared.join("one", begin), shared.join("one", begin), shared.join("another", begin)];
    assert.equal(begun.length, 2);
    begun[0]?.result.resolve("one");
    begun[1]?.result.resolve("another");
    assert.deepEqual(await Promise.all(both), ["one", "one", "another"]);
    void shared.join("one", begin).catch(() => undefined);
    assert.equal(begun.length, 3);
  });

  it("goes on while one waits, and is ended when the last one leaves", async () => {
    const { begun, begin, shared } = work();
    const [first, second] = [new AbortController(), new AbortController()];
    const both = [shared.join("one", begin, first.signal), shared.join("one", begin, second.signal)];
    first.abort(new Error("left"));
    await assert.rejects(both[0] ?? Promise.resolve(), /left/);
    assert.equal(begun[0]?.ends.aborted, false);
    second.abort(new Error("left, too"));
    await assert.rejects(both[1] ?? Promise.resolve(), /left, too/);
    assert.equal(begun[0].ends.aborted, true);
  });

  it("begins anew for one who comes while it is being ended, and is told of what ends", async () => {
    const { begun, begin, shared } = work();
    const leaves = new AbortController();
    const ended = Promise.withResolvers<string>();
    const left = shared.join("one", () => ended.promise, leaves.signal);
    leaves.abort(new Error("left"));
    await assert.rejects(left, /left/);
    let before: Promise<unknown> | undefined;
    const again = shared.join("one", (ends, ending) => {
      before = ending;
      return begin(ends);
    });
    begun[0]?.result.resolve("done");
    assert.equal(await again, "done");
    ended.reject(new Error("ended"));
    await assert.rejects(before ?? Promise.resolve(), /ended/);
  });

  it("fails for all who wait", async () => {
    const { begun, begin, shared } = work();
    const both = [shared.join("one", begin), shared.join("one", begin)];
    begun[0]?.result.reject(new Error("no"));
    for (const one of both) await assert.rejects(one, /no/);
    await assert.rejects(shared.join("one", begin, AbortSignal.abort(new Error("late"))), /late/);
    assert.equal(begun.length, 1);
  });
});
