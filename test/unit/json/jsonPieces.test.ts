import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { jsonInPieces, textParts } from "../../../src/core/json/jsonPieces.ts";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { random, type Random } from "../random.ts";

const written = (value: unknown) => atOnce(jsonInPieces(value));

describe("JSON that is written in pieces", () => {
  it("is what JSON.stringify writes, to the byte, whatever the value is", () => {
    const source = random("JSON in pieces");
    for (let round = 0; round < 2000; round++) {
      const value = someValue(source, 4);
      assert.equal(written(value), JSON.stringify(value));
    }
  });

  it("keeps characters of two halves whole where a long text is parted", () => {
    for (const before of [65_534, 65_535, 65_536, 131_071]) {
      const text = `${"a".repeat(before)}😀\ud83d"\\\n${"é".repeat(70_000)}`;
      assert.equal(written({ text }), JSON.stringify({ text }));
      assert.equal([...textParts(text)].join(""), text);
      assert.deepEqual(
        Buffer.concat([...textParts(text)].map((part) => Buffer.from(part))),
        Buffer.from(text),
      );
    }
  });

  it("comes in many pieces, so that others have their turn", () => {
    let pieces = 0;
    const sources = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`${at}.sol`, { content: "contract A {}\n".repeat(10_000) }]),
    );
    for (const work = jsonInPieces({ sources }); !work.next().done;) pieces++;
    assert.ok(pieces >= 200, `${pieces} pieces of 14 MB`);
  });
});

function someValue(source: Random, depth: number): unknown {
  const { below } = source;
  switch (below(depth > 0 ? 9 : 6)) {
    case 0:
      return below(1000) / 7;
    case 1:
      return source.pick<unknown>([null, true, false, undefined, NaN, -0]) ?? null;
    case 2:
      return String.fromCharCode(...Array.from({ length: below(20) }, () => below(0x10000)));
    case 3:
      return "";
    case 4:
      return {};
    case 5:
      return [];
    case 6:
      return Array.from({ length: below(5) }, () =>
        below(9) === 0 ? undefined : someValue(source, depth - 1),
      );
    default:
      return Object.fromEntries(
        Array.from({ length: below(5) }, () => [
          source.pick(["a", "__proto__", "\ud800", "1", "constructor"]),
          below(9) === 0 ? undefined : someValue(source, depth - 1),
        ]),
      );
  }
}
