import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CompilingProgress } from "../../../src/core/compilers/compilingProgress.ts";

describe("How long something has been compiling", () => {
  it("does not count while a person is asked, and begins anew behind that", async (test) => {
    test.mock.timers.enable({ apis: ["Date", "setInterval"] });
    const said: string[] = [];
    const progress = new CompilingProgress("0.8.28", (message) => said.push(message));
    const answer = Promise.withResolvers<boolean>();
    const asked = progress.uncounted(() => answer.promise);
    test.mock.timers.tick(60_000);
    assert.deepEqual(said, ["Compiling with 0.8.28…"]);
    answer.resolve(true);
    assert.equal(await asked, true);
    test.mock.timers.tick(1_000);
    test.mock.timers.tick(1_000);
    assert.deepEqual(said.slice(1), ["Compiling with 0.8.28… 1 s", "Compiling with 0.8.28… 2 s"]);
    progress.end();
    test.mock.timers.tick(5_000);
    assert.equal(said.length, 3);
  });
});
