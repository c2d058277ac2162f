import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withShortIds } from "../../../src/core/text/inBrief.ts";

describe("Long ids in a narrow place", () => {
  it("are shortened in the middle, wherever they stand in a text", () => {
    for (const [text, short] of [
      ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x5fbd…0aa3"],
      [`ED25519 · ${"5a2b".repeat(16)}`, "ED25519 · 5a2b5a…5a2b"],
      [`[0x${"ab".repeat(32)}, 0x${"12".repeat(20)}]`, "[0xabab…abab, 0x1212…1212]"],
      [`hash 0x${"cd".repeat(48)}.`, "hash 0xcdcd…cdcd."],
      [`build-info/${"27b7".repeat(8)}.json`, "build-info/27b727…27b7.json"],
      ["job 7b2f0000-0000-4000-8000-00000000c0de", "job 7b2f00…c0de"],
    ] as const)
      assert.equal(withShortIds(text), short);
  });

  it("are told from numbers, from other bytes and from words", () => {
    for (const text of [
      "1".repeat(40),
      `0.${"0".repeat(63)}1`,
      `0xa9059cbb${"00".repeat(64)}`,
      `x${"ab".repeat(20)}`,
      "0.0.5001@…216882",
      "0x5fbd…0aa3",
      "",
    ])
      assert.equal(withShortIds(text), text);
  });
});
