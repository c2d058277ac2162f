import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AbiCoder } from "ethers";
import { diamondFacets } from "../../../src/core/chains/diamondFacets.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { random } from "../random.ts";
import { threadMs } from "../../rig/threadTime.ts";

const DIAMOND = `0x${"d1".repeat(20)}`;
const facet = (at: number) => `0x${String(at).padStart(40, "1")}`;
const coder = AbiCoder.defaultAbiCoder();
const addressesOf = (list: readonly string[]) => coder.encode(["address[]"], [list]);
const facetsOf = (list: readonly string[]) =>
  coder.encode(["tuple(address,bytes4[])[]"], [list.map((one) => [one, ["0x12345678", "0x9abcdef0"]])]);
const REVERTED = new LedgerLensError("rpc_error", "The chain's node refused: execution reverted.");

/** A node that answers both questions of the loupe, or refuses. */
function diamond(facetAddresses: string | undefined, facets?: string) {
  return {
    call: (_address: string, data: string) => {
      const answer = data === "0x52ef6b2c" ? facetAddresses : facets;
      return answer === undefined ? Promise.reject(REVERTED) : Promise.resolve(answer);
    },
  };
}

const notADiamond = { code: "not_a_diamond" };

describe("The facets that a diamond names", () => {
  it("are each named once, in their order, also itself, which is asked nothing more", async () => {
    const list = [facet(3), DIAMOND, facet(1), facet(3), DIAMOND];
    const expected = [facet(3), DIAMOND, facet(1)];
    assert.deepEqual(await diamondFacets(DIAMOND, diamond(addressesOf(list))), expected);
    assert.deepEqual(await diamondFacets(DIAMOND, diamond(undefined, facetsOf(list))), expected);
  });

  it("are those of facets() where facetAddresses() lies in its form", async () => {
    const lies = ["0x", "0x00", `0x${"f".repeat(64)}`, `0x${"ff".repeat(64)}`, addressesOf([]), "not hex"];
    for (const lie of lies)
      assert.deepEqual(await diamondFacets(DIAMOND, diamond(lie, facetsOf([facet(1)]))), [facet(1)]);
  });

  it("are none where it reverts, names more than a diamond can have, or promises more than it sends", async () => {
    const tooMany = addressesOf(Array.from({ length: 1_001 }, (_one, at) => facet(at)));
    const promised = `0x${"20".padStart(64, "0")}${"3e8".padStart(64, "0")}${facet(1).slice(2).padStart(64, "0")}`;
    for (const answer of [undefined, tooMany, promised])
      await assert.rejects(diamondFacets(DIAMOND, diamond(answer, answer)), notADiamond);
  });

  it("are read of an answer of 16 MB in a moment", async () => {
    const began = threadMs();
    await assert.rejects(diamondFacets(DIAMOND, diamond(`0x${"ab".repeat(8_000_000)}`)), notADiamond);
    const followed = `${addressesOf([facet(1)])}${"00".repeat(4_000_000)}`;
    assert.deepEqual(await diamondFacets(DIAMOND, diamond(followed)), [facet(1)]);
    assert.ok(threadMs() - began < 5_000);
  });

  it("are addresses or none, whatever is changed in an answer", async () => {
    const dice = random("Answers of diamonds");
    const honest = [addressesOf([facet(1), facet(2), facet(3)]), facetsOf([facet(1), facet(2)])];
    let named = 0;
    for (let at = 0; at < 2_000; at++) {
      const digits = Array.from(dice.oneOf(honest).slice(2));
      for (let changes = dice.below(4); changes >= 0; changes--)
        digits[dice.below(digits.length)] = dice.below(16).toString(16);
      const answer = `0x${digits.slice(0, dice.below(3) === 0 ? dice.below(digits.length) : undefined).join("")}`;
      try {
        const found = await diamondFacets(DIAMOND, diamond(answer, answer));
        named++;
        for (const one of found) assert.match(one, /^0x[0-9a-f]{40}$/);
        assert.equal(new Set(found).size, found.length);
      } catch (error) {
        assert.ok(error instanceof LedgerLensError, String(error));
        assert.equal(error.code, "not_a_diamond");
      }
    }
    assert.ok(named > 100 && named < 1_900, `${named} answers named facets`);
  });

  it("can't be asked for where the node does not answer", async () => {
    const down = new LedgerLensError("unreachable", "The chain's node can't be reached.");
    await assert.rejects(diamondFacets(DIAMOND, { call: () => Promise.reject(down) }), {
      code: "unreachable",
    });
  });
});
