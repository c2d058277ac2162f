import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { checkMayAsk, mayAsk, stopSignal, withAsking } from "../../../src/editor/ui/asking.ts";

describe("Whether a command may ask", () => {
  it("is settled by who called it, however deep and late it would ask", async () => {
    const deep = async () => {
      await setTimeout(1);
      checkMayAsk("Show Token", ["tokenId"]);
      return "asked";
    };
    await assert.rejects(
      withAsking(false, () => deep()),
      { code: "missing_argument", message: /^Show Token asks for nothing .* Give tokenId in it, .*\.$/ },
    );
    assert.equal(await withAsking(true, deep), "asked");
  });

  it("is kept apart for commands that run at the same time, and for what a person does in between", async () => {
    const answers = await Promise.all(
      [false, true, false].map((isPerson) =>
        withAsking(isPerson, async () => {
          await setTimeout(1);
          return [mayAsk(), withAsking(true, mayAsk)];
        }),
      ),
    );
    assert.deepEqual(answers, [
      [false, true],
      [true, true],
      [false, true],
    ]);
    assert.equal(mayAsk(), true);
  });
});

describe("Whether the program that called a command still wants it", () => {
  it("is known to everything that works for it, and to no command that begins meanwhile", async () => {
    const chat = new AbortController();
    const deep = async () => {
      await setTimeout(1);
      chat.abort();
      return [stopSignal(), withAsking(true, stopSignal)];
    };
    assert.deepEqual(await withAsking(true, deep, chat.signal), [chat.signal, undefined]);
    assert.throws(() => withAsking(true, () => checkMayAsk("Verify Contract"), chat.signal), {
      code: "cancelled",
    });
    assert.equal(stopSignal(), undefined);
  });
});
