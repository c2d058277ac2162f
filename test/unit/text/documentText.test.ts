import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { visibleJson } from "../../../src/core/json/jsonText.ts";
import { foreign } from "../../../src/core/text/shownText.ts";
import { documentText, jsonDocument, logText } from "../../../src/core/text/documentText.ts";

const HOSTILE = "a\u202eb\u0000c\u200bd\u{e0041}e\ud800f\u2800g\ue000";

describe("Text of several lines", () => {
  it("keeps its lines and shows what would hide in them", () => {
    assert.equal(
      documentText(`one\r\n\ttwo ${HOSTILE}`),
      "one\r\n\ttwo a\\u{202e}b\\u{0}c\\u{200b}d\\u{e0041}e\\u{d800}f\\u{2800}g\\u{e000}",
    );
  });

  it("is the same value as JSON, with nothing in it that hides", () => {
    const value = { [HOSTILE]: [HOSTILE, 12, "\u2028\u2066 plain 漢字 🙂"] };
    const shown = jsonDocument(JSON.stringify(value, null, 2));
    assert.deepEqual(JSON.parse(shown), value);
    assert.doesNotMatch(shown.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{DI}\u2028\u2029\u2800]/u);
    assert.ok(shown.includes("plain 漢字 🙂"));
  });

  it("shows in a document, in JSON and in the log what it shows in a row, and keeps an emoji whole everywhere", () => {
    const hidden = [
      ...["\u0000", "\u0085", "\u00ad", "\u061c", "\u115f", "\u180b", "\u200b", "\u200f", "\u2028", "\u202e"],
      ...[
        "\u2066",
        "\u2800",
        "\u3164",
        "\ud800",
        "\ue000",
        "\ufe0f",
        "\ufeff",
        "\uffa0",
        "\u{e0041}",
        "\u{f0000}",
      ],
    ];
    for (const one of hidden) {
      const text = `a${one}b`;
      const row = foreign(text);
      assert.equal(row, `a\\u{${(one.codePointAt(0) ?? 0).toString(16)}}b`);
      assert.equal(documentText(text), row);
      assert.equal(logText(text), row);
      for (const json of [jsonDocument(JSON.stringify(text)), visibleJson(text)]) {
        assert.match(json, /^"a(?:\\u[0-9a-f]{4}){1,2}b"$/);
        assert.equal(JSON.parse(json), text);
      }
    }
    const warned = "⚠\ufe0f";
    assert.deepEqual(
      [
        foreign(warned),
        documentText(warned),
        logText(warned),
        jsonDocument(`"${warned}"`),
        visibleJson(warned),
      ],
      [warned, warned, warned, `"${warned}"`, `"${warned}"`],
    );
  });

  it("can't forge an entry of the log", () => {
    const forged = "refused\n2026-01-01 00:00:00.000 [info] Vault is verified\r\nand\rmore\u001b[2J";
    assert.equal(
      logText(forged),
      "refused\n    2026-01-01 00:00:00.000 [info] Vault is verified\n    and\n    more\\u{1b}[2J",
    );
  });
});
