import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { secretsInPieces } from "../../../src/core/sources/sourceSecrets.ts";
import { lineEndsBetween, lineNumberOf, placesIn } from "../../../src/core/text/textPlace.ts";
import { random } from "../random.ts";

describe("A place in a text", () => {
  it("is counted over lines that end with LF, CR or both, as the editor counts them", () => {
    const text = 'a\rb\rimport "x";';
    assert.equal(lineNumberOf(text, text.indexOf("import")), 3);
    assert.deepEqual(placesIn(text)(text.indexOf('"x"')), { line: 2, character: 7 });
    assert.equal(lineNumberOf("a\r\nb\nc\r\rd", 8), 5);
  });

  it("has one line, by its number and by its place, also where it is counted in parts", () => {
    const { below } = random("places of texts");
    for (let round = 0; round < 500; round++) {
      const text = Array.from({ length: below(40) }, () => "ab\r\n"[below(4)]).join("");
      const placeOf = placesIn(text);
      for (let at = 0; at <= text.length; at++) {
        const number = lineNumberOf(text, at);
        assert.equal(placeOf(at).line + 1, number, JSON.stringify([text, at]));
        const half = below(at + 1);
        assert.equal(1 + lineEndsBetween(text, 0, half) + lineEndsBetween(text, half, at), number);
      }
    }
  });

  it("is where a possible secret stands, in a large file, too", () => {
    const secret = `privateKey = "0x${"9f".repeat(16)}${"3b".repeat(16)}"`;
    for (const end of ["\r", "\n", "\r\n"]) {
      // The parts in which a file is looked through end within a CR LF.
      for (const first of ["a", "b".repeat(65_535), "c".repeat(70_000)]) {
        const [found] = atOnce(secretsInPieces([first, "second", secret].join(end)));
        assert.equal(found?.line, 3, JSON.stringify([end, first.length]));
      }
    }
  });
});
