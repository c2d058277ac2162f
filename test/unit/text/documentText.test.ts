import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { documentText, jsonDocument, logText } from "../../../src/core/text/documentText.ts";

const HOSTILE = "a\u202eb\u0000c\u200bd\u{e0041}e\ud800";

describe("Text of several lines", () => {
  it("keeps its lines and shows what would hide in them", () => {
    assert.equal(
      documentText(`one\r\n\ttwo ${HOSTILE}`),
      "one\r\n\ttwo a\\u{202e}b\\u{0}c\\u{200b}d\\u{e0041}e\\u{d800}",
    );
  });

  it("is the same value as JSON, with nothing in it that hides", () => {
    const value = { [HOSTILE]: [HOSTILE, 12, "\u2028\u2066 plain 漢字 🙂"] };
    const shown = jsonDocument(JSON.stringify(value, null, 2));
    assert.deepEqual(JSON.parse(shown), value);
    assert.doesNotMatch(shown.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2028\u2029]/u);
    assert.ok(shown.includes("plain 漢字 🙂"));
  });

  it("can't forge an entry of the log", () => {
    const forged = "refused\n2026-01-01 00:00:00.000 [info] Vault is verified\r\nand\rmore\u001b[2J";
    assert.equal(
      logText(forged),
      "refused\n    2026-01-01 00:00:00.000 [info] Vault is verified\n    and\n    more\\u{1b}[2J",
    );
  });
});
