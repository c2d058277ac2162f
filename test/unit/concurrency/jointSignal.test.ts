import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { withJointSignal } from "../../../src/core/concurrency/jointSignal.ts";

const MANY = 4_000;

describe("A signal of several", () => {
  it("aborts with the first one, for its reason", async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    await withJointSignal([one.signal, undefined, other.signal], (signal) => {
      assert.ok(!signal.aborted);
      other.abort("enough");
      one.abort("late");
      assert.equal(signal.reason, "enough");
      return Promise.resolve();
    });
  });

  it("is aborted from the beginning where one of them is", async () => {
    const over = AbortSignal.abort("over");
    const reason = await withJointSignal([new AbortController().signal, over], ({ reason }) =>
      Promise.resolve(reason as unknown),
    );
    assert.equal(reason, "over");
  });

  it("leaves nothing at a signal that lives on, also where the work fails", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { signal } = new AbortController();
    const work = async () => {
      for (let times = 0; times < MANY; times++)
        await withJointSignal([signal, new AbortController().signal], () =>
          times % 2 === 0 ? Promise.resolve() : Promise.reject(new Error("refused")),
        ).catch(() => undefined);
      collect();
      return process.memoryUsage().heapUsed;
    };
    await work();
    const heaps: number[] = [];
    for (let times = 0; times < 6; times++) heaps.push(await work());
    // What is left behind shows in every round; what the runtime does by itself does not.
    const growths = heaps.slice(1).map((heap, at) => (heap - (heaps[at] ?? 0)) / MANY);
    const each = growths.reduce((one, other) => Math.min(one, other));
    assert.ok(each < 60, `${each.toFixed(0)} bytes each`);
    assert.deepEqual(getEventListeners(signal, "abort"), []);
  });

  it("ends what was begun beside what failed", async () => {
    let beside: AbortSignal | undefined;
    const failing = withJointSignal([new AbortController().signal], (signal) => {
      beside = signal;
      return Promise.reject(new Error("failed"));
    });
    await assert.rejects(failing, /failed/);
    assert.ok(beside?.aborted);
    await withJointSignal([], (signal) => Promise.resolve((beside = signal)));
    assert.ok(!beside.aborted, "what ended well may go on with what it holds");
  });

  it("serves much work at once without a warning of the runtime", async () => {
    const { signal } = new AbortController();
    const warned: string[] = [];
    const warn = ({ name }: Error) => warned.push(name);
    process.on("warning", warn);
    await Promise.all(
      Array.from({ length: 50 }, () => withJointSignal([signal], () => new Promise(setImmediate))),
    );
    process.off("warning", warn);
    assert.ok(!warned.includes("MaxListenersExceededWarning"));
  });
});
