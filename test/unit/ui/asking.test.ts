import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { askedAt, checkMayAsk, mayAsk, stopSignal, withAsking } from "../../../src/editor/ui/asking.ts";

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

describe("When a person asked for work", () => {
  it("is known to all of it, and of no work that a program or nobody asked for", async () => {
    const before = Date.now();
    const deep = async () => {
      await setTimeout(1);
      return askedAt();
    };
    const [person, program, chat] = await Promise.all([
      withAsking(true, deep),
      withAsking(false, deep),
      // A person answers, and it is the chat that asked.
      withAsking(true, deep, undefined, true),
    ]);
    assert.ok(person !== undefined && person >= before && person <= Date.now());
    assert.deepEqual([program, chat, askedAt()], [undefined, undefined, undefined]);
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
