import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parsedInPieces } from "../../../src/core/json/parsedPieces.ts";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { piecesOf } from "../../rig/turnsOf.ts";
import { random, type Random } from "../random.ts";

/** What a reader makes of a text: its value with the order of its names, or that it is no JSON. */
function outcome(read: (text: string) => unknown, text: string): string {
  try {
    const value = read(text);
    return JSON.stringify([value, Object.getPrototypeOf(value ?? 0) === Object.prototype]);
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
    return "no JSON";
  }
}

function assertSame(text: string): void {
  assert.equal(
    outcome((one) => atOnce(parsedInPieces(one)), text),
    outcome(JSON.parse, text),
    text.length < 500 ? text : `${text.slice(0, 200)}…`,
  );
}

describe("JSON that is parsed in pieces", () => {
  it("is what JSON.parse makes of it, also of what is no JSON, however long it is", () => {
    const source = random("JSON parsed in pieces");
    for (let round = 0; round < 1000; round++) {
      const text = someJson(source, 4);
      assertSame(text);
      assertSame(spoilt(text, source));
    }
  });

  it("keeps escapes whole where a long text is parted", () => {
    for (let before = 65_530; before < 65_540; before++)
      for (const escape of [
        "\\\\",
        '\\"',
        "\\n",
        "\\u00e9",
        "\\ud83d\\ude00",
        "\\\\\\\\\\n",
        "\\\\".repeat(70_000),
      ])
        assertSame(`["${"a".repeat(before)}${escape}${"b".repeat(80_000)}"]`);
    for (const bad of ["\\", "\\u00", "\\x", "\n"])
      assertSame(`["${"a".repeat(65_533)}${bad}${"b".repeat(80_000)}"]`);
    assertSame(`["${"\\\\".repeat(70_000)}"]`);
    assertSame(`["${"\\\\".repeat(70_000)}\\"]`);
  });

  it("makes a property of every name, and of a name that comes twice the last value", () => {
    const long = JSON.stringify("a".repeat(40_000));
    for (const text of [
      `{"__proto__":{"polluted":true},"constructor":1,"2":1,"1":2,"long":${long}}`,
      `{"a":1,"b":${long},"a":{"c":2}}`,
      `{"a":1,"b":${long},}`,
      `[${long},]`,
      `[${long}`,
      `{"a":${long}} {}`,
      `${long}x`,
    ])
      assertSame(text);
    assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
  });

  it("comes in many pieces, so that others have their turn", () => {
    const sources = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`${at}.sol`, { content: 'string a = "b";\n'.repeat(5) }]),
    );
    const text = JSON.stringify({ sources });
    assert.ok(piecesOf(parsedInPieces(text)) >= 50, `few pieces of ${text.length} units`);
    assert.deepEqual(atOnce(parsedInPieces(text)), { sources });
  });
});

/** A value as a person or a program may have written it, of parts that are sometimes larger than what is parsed at once. */
function someJson(source: Random, depth: number): string {
  const { below, pick } = source;
  const blanks = () => pick(["", "", " ", "\n\t"]);
  const list = (open: string, close: string, item: () => string) =>
    open + Array.from({ length: below(6) }, () => blanks() + item() + blanks()).join(",") + close;
  switch (below(depth > 0 ? 7 : 4)) {
    case 0:
      return pick(["0", "-1.5e3", "true", "false", "null", "12345678901234567890"]);
    case 1:
      return JSON.stringify(pick(["", '"', "\\", '\\"', "{[", "}]", ",:", "\ud83d", "é\n"]));
    case 2:
      return JSON.stringify(pick(['a"\\', "{", "}"]).repeat(below(12_000)));
    case 3:
      return pick(["{}", "[]"]);
    case 4:
      return list("[", "]", () => someJson(source, depth - 1));
    default:
      return list(
        "{",
        "}",
        () =>
          `${JSON.stringify(pick(["a", "b", "__proto__", "1", "constructor", 'x"\\']))}${blanks()}:${blanks()}${someJson(source, depth - 1)}`,
      );
  }
}

/** A text with one sign less, more or another. */
function spoilt(text: string, { below, pick }: Random): string {
  const at = below(text.length + 1);
  return text.slice(0, at) + pick(["", ",", "}", '"', "\\", "x", "]", ":"]) + text.slice(at + below(2));
}
