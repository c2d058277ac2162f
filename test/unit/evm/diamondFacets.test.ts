import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { diamondFacets } from "../../../src/core/chains/diamondFacets.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";

const DIAMOND = `0x${"d1".repeat(20)}`;
const word = (value: number | string) =>
  (typeof value === "number" ? value.toString(16) : value).padStart(64, "0");
const hex = (...words: readonly (number | string)[]) => `0x${words.map(word).join("")}`;
const [A, B] = ["aa".repeat(20), "bb".repeat(20)];

/** Answers both questions; a missing answer is a call that reverts. */
const node = (facetAddresses?: string, facets?: string) => ({
  call: (_: string, data: string) => {
    const answer = data === "0x52ef6b2c" ? facetAddresses : facets;
    return answer === undefined
      ? Promise.reject(new LedgerLensError("rpc_error", "execution reverted"))
      : Promise.resolve(answer);
  },
});

/** `facets()` of two facets with one and two functions. */
const FACETS = hex(32, 2, 64, 192, A, 64, 1, "11223344".padEnd(64, "0"), B, 64, 2, "5566", "7788");

describe("The facets that a diamond names", () => {
  it("are each told once, from either answer", async () => {
    const both = [`0x${A}`, `0x${B}`];
    assert.deepEqual(await diamondFacets(DIAMOND, node(hex(32, 3, A, B, A))), both);
    for (const other of [undefined, "0x", hex(32), hex(7)])
      assert.deepEqual(await diamondFacets(DIAMOND, node(other, FACETS)), both);
  });

  it("are none where the answers are no lists of addresses", async () => {
    const max = "f".repeat(64);
    const odd = [
      undefined,
      "0x",
      "0x1234",
      hex(1),
      hex(32, 0),
      hex(32, 2, A),
      hex(32, 1, 0),
      hex(32, 1, `1${A}`),
      hex(31, 1, A),
      hex(32, max),
      hex(max, 1, A),
      hex(32, 0xffffffff),
      hex(32, 1, max),
    ];
    for (const one of odd)
      for (const other of [...odd, hex(32, 1, 0xffffffe0)])
        await assert.rejects(diamondFacets(DIAMOND, node(one, other)), { code: "not_a_diamond" });
  });

  it("are not told to be none where the node can't be reached", async () => {
    const away = { call: () => Promise.reject(new LedgerLensError("unreachable", "The node is away.")) };
    await assert.rejects(diamondFacets(DIAMOND, away), { code: "unreachable" });
  });
});
