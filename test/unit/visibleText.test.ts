import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { visibleText } from "../../src/core/visibleText.ts";

describe("Text from elsewhere", () => {
  it("shows what would hide: controls, bidirectional marks, zero-width characters", () => {
    assert.equal(
      visibleText("a\u202Eb\u2066c\u200Dd\u0007e\uFEFF"),
      "a\\u{202e}b\\u{2066}c\\u{200d}d\\u{7}e\\u{feff}",
    );
    assert.equal(visibleText("one\r\ntwo\tthree\ud800"), "one two three\\u{d800}");
  });

  it("takes icons their meaning and leaves everything else", () => {
    assert.ok(!/\$\(\w/.test(visibleText("$(error) $(pass)")));
    assert.equal(visibleText("Ünïcödé – 漢字 🙂 $5 (five)"), "Ünïcödé – 漢字 🙂 $5 (five)");
  });
});
