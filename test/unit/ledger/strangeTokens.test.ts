import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { tokenRow } from "../../../src/core/ledger/tokens/tokenRows.ts";
import { tokenDocument } from "../../../src/core/ledger/tokens/tokenDocument.ts";
import type { Token } from "../../../src/core/ledger/tokens/token.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../random.ts";
import { strangeToken, type StrangeBody } from "./strangeLedger.ts";
import { serviceOf, assertNoDigitLost, assertDrawable, bigintOf, scaled, find } from "./strangeChecks.ts";

const BODIES = proofSize({ sample: 150, whole: 5_000 });

describe(`${BODIES.toLocaleString("en-US")} strange tokens`, () => {
  function check({ text, integers }: StrangeBody, token: Token): void {
    assert.equal(token.text, text);
    assertNoDigitLost(integers, token.record);
    const inText = tokenDocument(token);
    for (const digits of integers) if (!inText.includes(digits)) assert.fail(`${digits} is not in the text`);
    const row = tokenRow(token);
    assertDrawable(row);
    const { record } = token;
    const total = bigintOf(record["total_supply"]);
    const decimals =
      record["type"] === "NON_FUNGIBLE_UNIQUE" ? 0 : Number(bigintOf(record["decimals"]) ?? NaN);
    if (total !== undefined) {
      const shown = find(row, "total");
      assert.equal(shown.copyText, String(total));
      assert.ok(shown.tooltip?.some((line) => line.includes(total.toLocaleString("en-US"))));
      if (decimals >= 0 && decimals < 10_000)
        assert.ok(shown.tooltip?.[0]?.startsWith(`Total supply: ${scaled(total, decimals)}`));
    }
    if (record["supply_type"] === "INFINITE") assert.equal(find(row, "maximum").description, "infinite");
    const expiry = find(find(row, "dates"), "expiry");
    const nanos = bigintOf(record["expiry_timestamp"]);
    if (nanos !== undefined) assert.equal(expiry.copyText, String(nanos));
    assert.equal(expiry.color, undefined);
    const keys = find(row, "keys").children ?? [];
    assert.equal(keys.length, 8);
    for (const { id, description = "" } of keys) {
      assert.equal(description.startsWith("none · "), record[id] === null);
      assert.equal(description === "not in the answer", record[id] === undefined);
    }
    assert.equal(find(row, "fees").children?.length ?? 0, token.fees.length);
  }

  it("lose no digit and reach no row with anything hostile", async () => {
    const source = random("strange tokens");
    for (let round = 0; round < BODIES; round++) {
      const strange = strangeToken(source);
      // Of another token it would be no answer.
      const text = strange.text.replace(/("token_id":\s*)"\d+\.\d+\.\d+"/g, '$1"0.0.123456"');
      const body = { ...strange, text };
      const service = serviceOf((target) => {
        if (target.endsWith("/0.0.123456")) return body.text;
        return source.below(2) === 0 ? strangeToken(source).text : undefined;
      });
      check(body, await service.token("0.0.123456"));
    }
  });
});
