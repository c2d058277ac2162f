import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RequestPace } from "../../../src/core/files/requestPace.ts";

/** A disk whose answers take as long as it is told, and what was asked of it in which way. */
function disk(milliseconds: number) {
  let now = 1_000;
  const asked: ("here" | "elsewhere")[] = [];
  const pace = new RequestPace(() => now);
  const answer = (way: "here" | "elsewhere") => {
    asked.push(way);
    now += times.milliseconds;
    return "bytes";
  };
  const times = { milliseconds };
  return {
    asked,
    times,
    pass: (passed: number) => (now += passed),
    read: () =>
      pace.request(
        () => answer("here"),
        () => Promise.resolve().then(() => answer("elsewhere")),
      ),
  };
}

describe("The pace of requests to a disk", () => {
  it("hands the first request over, and makes those that follow on the spot while answers come at once", async () => {
    const { asked, read } = disk(0.02);
    for (let at = 0; at < 5; at++) assert.equal(await read(), "bytes");
    assert.deepEqual(asked, ["elsewhere", "here", "here", "here", "here"]);
  });

  it("lets others have their turn after a few milliseconds", async () => {
    const { asked, read } = disk(1);
    for (let at = 0; at < 20; at++) await read();
    const longest = asked
      .join(" ")
      .split("elsewhere")
      .map((row) => row.trim().split(" ").length);
    assert.ok(asked.includes("here"));
    assert.ok(Math.max(...longest) <= 8, asked.join(" "));
  });

  it("makes no request on the spot for a while after a slow one", async () => {
    const { asked, read, times, pass } = disk(0.02);
    await read();
    times.milliseconds = 30;
    await read();
    times.milliseconds = 0.02;
    for (let at = 0; at < 4; at++) await read();
    assert.deepEqual(asked, ["elsewhere", "here", "elsewhere", "elsewhere", "elsewhere", "elsewhere"]);
    pass(1_000);
    for (let at = 0; at < 2; at++) await read();
    assert.deepEqual(asked.slice(-2), ["elsewhere", "here"]);
  });

  it("never makes one on the spot where even the first is slow", async () => {
    const { asked, read } = disk(50);
    for (let at = 0; at < 5; at++) await read();
    assert.ok(!asked.includes("here"));
  });

  it("answers a failure as a failure, in either way", async () => {
    const pace = new RequestPace();
    const fail = () => {
      throw new Error("EIO");
    };
    for (let at = 0; at < 3; at++)
      await assert.rejects(
        pace.request(fail, () => Promise.resolve().then(fail)),
        /EIO/,
      );
  });
});
