import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodedInPieces } from "../../../src/core/json/decodedText.ts";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { piecesOf } from "../../rig/turnsOf.ts";

describe("A long text in UTF-8", () => {
  it("is what it is decoded at once, wherever its parts are cut", () => {
    for (const start of ["", "x", "xy", "\ufeff"]) {
      // A character of three bytes and one of four lie across the ends of parts.
      const bytes = new TextEncoder().encode(start + "€𝄞".repeat(400_000));
      assert.equal(atOnce(decodedInPieces(bytes)), new TextDecoder().decode(bytes));
      assert.ok(piecesOf(decodedInPieces(bytes)) >= 3);
    }
  });

  it("has replacement characters where bytes are none, as at once", () => {
    const broken = new Uint8Array(2_500_000).fill(0xe2);
    assert.equal(atOnce(decodedInPieces(broken)), new TextDecoder().decode(broken));
    assert.equal(atOnce(decodedInPieces(new Uint8Array())), "");
  });
});
