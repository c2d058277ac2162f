import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LedgerLensError } from "../../../src/core/errors.ts";
import {
  foreign,
  foreignSentence,
  joined,
  MAX_PART_CHARACTERS,
  MAX_SENTENCE_CHARACTERS,
  shown,
} from "../../../src/core/text/shownText.ts";
import { random } from "../random.ts";
import { EDITORS_ICON, EDITORS_LINK } from "./editorsRules.ts";

describe("Text from elsewhere", () => {
  it("shows what would hide: controls, bidirectional marks, fillers, halves of characters", () => {
    assert.equal(
      foreign("a\u202Eb\u2066c\u200Dd\u0007e\uFEFF"),
      "a\\u{202e}b\\u{2066}c\\u{200d}d\\u{7}e\\u{feff}",
    );
    assert.equal(foreign("one\r\ntwo\tthree\ud800"), "one two three\\u{d800}");
    assert.equal(foreign("a\u00a0b\u3000c"), "a b c");
    const hidden = [
      ...["\0", "\x1b", "\x7f", "\x85", "\x9b", "\xad", "\u034f", "\u061c", "\u115f", "\u1160", "\u17b4"],
      ...["\u180b", "\u180e", "\u200b", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202d", "\u2060"],
      ...["\u2062", "\u2065", "\u2069", "\u206f", "\u2800", "\u3164", "\ufe00", "\ufe0f", "\uffa0", "\ufff9"],
      ...["\udc00", "\u{1d173}", "\u{e0001}", "\u{e0041}", "\u{e0100}", "\ue000", "\u{10fffd}"],
    ];
    for (const character of hidden)
      assert.match(foreign(`a${character}b`), /^a\\u\{[0-9a-f]+\}b$/, character.codePointAt(0)?.toString(16));
  });

  it("takes links and icons their meaning and leaves everything else", () => {
    const link = "[Sign in](command:workbench.action.files.newUntitledFile)";
    assert.equal(foreign(link), "[Sign in] (command:workbench.action.files.newUntitledFile)");
    assert.equal(foreign("$(error) $(sync~spin)"), "$ (error) $ (sync~spin)");
    const usual = "Ünïcödé – 漢字 🙂 ⚠️ $5 (five) a[1] (b) https://example.org/a?b=c#d";
    assert.equal(foreign(usual), usual);
  });

  it("gives no meaning to what stands between parts either", () => {
    assert.equal(shown`[${"a"}](${"command:b"})`, "[a] (command:b)");
    assert.equal(shown`${"[a]"}${"(command:b)"} ${"$"}${"(error)"}`, "[a] (command:b) $ (error)");
    assert.equal(joined([shown`${"[a]"}`, shown`${"(command:b)"}`], " "), "[a] (command:b)");
  });

  it("leaves what it has made as it is, and makes nothing that the editor reads as a link or an icon", () => {
    const { seed, below, pick } = random("texts to be shown");
    const pieces: [string, ...string[]] = [
      "$",
      ...["(", ")", "[", "]", "](", "$(", "command:a", "https://a", "error", " ", "\n", "\\", "{", "…"],
      ...["a", "🙂", "\ud83d", "\ude42", "\u202e", "\ufe0f", "⚠", "\u200b", "\u00a0", '"t"'],
    ];
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: 1 + below(30) }, () => pick(pieces)).join("");
      const limit = 5 + below(60);
      const made = foreign(text, limit);
      const told = `seed ${seed}: ${JSON.stringify(text)}`;
      assert.equal(foreign(made, limit), made, told);
      assert.ok(made.length <= limit, told);
      assert.doesNotMatch(made, /\p{Cs}/u, told);
      assert.doesNotMatch(made, EDITORS_ICON, told);
      assert.doesNotMatch(made, EDITORS_LINK, told);
      const sentence = shown`[${text}](${made}) $${text}`;
      assert.equal(foreignSentence(sentence), sentence, told);
      assert.doesNotMatch(sentence, EDITORS_ICON, told);
      assert.doesNotMatch(sentence, EDITORS_LINK, told);
    }
  });
});

describe("The length of a sentence", () => {
  it("is bounded whatever a server says, and its end still says what to do", () => {
    const long = "long ".repeat(1_000);
    assert.equal(foreign(long).length, MAX_PART_CHARACTERS);
    const one = shown`Vault is not verified: ${long}. Try again.`;
    assert.ok(one.length < MAX_PART_CHARACTERS + 50);
    assert.match(one, /^Vault is not verified: long long .*…\. Try again\.$/);
    const many = shown`${long} and ${long} and ${long} and ${long} and ${long}. Try again.`;
    assert.ok(many.length <= MAX_SENTENCE_CHARACTERS);
    assert.ok(many.endsWith("…. Try again."));
    assert.equal(foreignSentence("x".repeat(50_000_000)).length, MAX_SENTENCE_CHARACTERS);
  });

  it("is cut between characters, and never inside an id that was shortened before", () => {
    for (let limit = 2; limit < 20; limit++) assert.doesNotMatch(foreign("🙂".repeat(20), limit), /\p{Cs}/u);
    for (let limit = 10; limit < 21; limit++)
      assert.equal(foreign("deployed 0x1234…abcd and more words", limit), "deployed…", String(limit));
    assert.equal(foreign("12345678 \u202e and more", 12), "12345678…");
  });

  it("is that of an error too, and the whole text stays for the log", () => {
    const said = "no ".repeat(2_000);
    const error = new LedgerLensError("refused", `The service refused: ${said}`, { detail: "POST /verify" });
    assert.ok(error.message.length <= MAX_SENTENCE_CHARACTERS);
    assert.match(error.message, /^The service refused: no no .* no…$/);
    assert.equal(error.detail, `The service refused: ${said}\nPOST /verify`);
    assert.equal(new LedgerLensError("refused", "It refused.").detail, undefined);
  });
});
