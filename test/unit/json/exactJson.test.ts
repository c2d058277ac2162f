import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseExactJson } from "../../../src/core/json/exactJson.ts";
import { random, type Random } from "../random.ts";

/** A number literal and what it must come out as. */
function numberCase({ below, pick }: Random): readonly [literal: string, value: unknown] {
  const digits = (count: number) =>
    Array.from({ length: count }, (_, at) => String(at === 0 ? 1 + below(9) : below(10))).join("");
  const sign = pick(["", "", "-"]);
  switch (below(4)) {
    case 0: {
      const text = sign + digits(1 + below(15));
      return [text, Number(text)];
    }
    case 1: {
      const text = sign + digits(17 + below(70));
      return [text, text];
    }
    case 2: {
      // An integer written with an exponent, expanded here by moving the point one place at a time.
      const fraction = digits(1 + below(18));
      const exponent = fraction.length + below(20);
      const whole = digits(1);
      const expanded = sign + whole + fraction + "0".repeat(exponent - fraction.length);
      const text = `${sign}${whole}.${fraction}${pick(["e", "E", "e+"])}${exponent}`;
      return [text, Number.isSafeInteger(Number(expanded)) ? Number(expanded) : expanded];
    }
    default: {
      const text = `${sign}${below(1000)}.${below(1000)}5`;
      return [text, Number(text)];
    }
  }
}

function document(source: Random, depth: number): readonly [text: string, value: unknown] {
  const kind = depth === 0 ? source.below(2) : source.below(4);
  if (kind === 0) return numberCase(source);
  if (kind === 1) {
    const value = source.pick([
      "",
      "a:12345678901234567890",
      '[1e400,"',
      "\u2028 12345678901234567890",
      "0x" + "0".repeat(40),
      "\\",
    ]);
    return [JSON.stringify(value), value];
  }
  const parts = Array.from({ length: source.below(4) }, () => document(source, depth - 1));
  if (kind === 2)
    return [
      `[${parts.map(([text]) => text).join(source.pick([",", " ,\n"]))}]`,
      parts.map(([, value]) => value),
    ];
  return [
    `{${parts.map(([text], at) => `"k${at}" : ${text}`).join(",")}}`,
    Object.fromEntries(parts.map(([, value], at) => [`k${at}`, value])),
  ];
}

describe("Exact JSON", () => {
  it("loses no digit in 5,000 random documents", () => {
    const source = random("exact JSON");
    for (let round = 0; round < 5000; round++) {
      const [text, value] = document(source, 4);
      assert.deepEqual(parseExactJson(text), value, text);
    }
  });

  it("expands the expiry of a real token record, which came with an exponent", () => {
    const body =
      '{"expiry_timestamp": 1.706825707000718e18, "auto_renew_period": 7776000, "gas": -9223372036854775808}';
    assert.deepEqual(parseExactJson(body), {
      expiry_timestamp: "1706825707000718000",
      auto_renew_period: 7776000,
      gas: "-9223372036854775808",
    });
  });

  it("keeps seconds with nanoseconds to the last digit, and a fraction that a double gives back a number", () => {
    assert.deepEqual(
      parseExactJson(
        '{"at":1684759236.926863003,"of":[0.1234567890123456,1.50000000000000000,-2.5000000000000004e-7]}',
      ),
      { at: "1684759236.926863003", of: [0.1234567890123456, 1.5, -2.5000000000000004e-7] },
    );
    assert.deepEqual(parseExactJson("[9007199254740990.4, 0.10000000000000000555]"), [
      "9007199254740990.4",
      "0.10000000000000000555",
    ]);
  });

  it("keeps keys that are special to JavaScript as plain keys", () => {
    const value = parseExactJson('{"__proto__":{"polluted":12345678901234567890},"constructor":1}') as Record<
      string,
      unknown
    >;
    assert.deepEqual(Object.keys(value), ["__proto__", "constructor"]);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  it("reads what stands behind a byte order mark", () => {
    assert.deepEqual(parseExactJson('\ufeff{"a":1}'), { a: 1 });
  });

  it("keeps a number with an absurd exponent as it was written", () => {
    assert.equal(parseExactJson("[1e999999]")?.toString(), "1e999999");
  });

  it("throws for what is no JSON, and follows nesting however deep", () => {
    for (const text of ["", "{", "[1,]", "12345678901234567890x", "<html>"])
      assert.throws(() => parseExactJson(text), SyntaxError, text);
    let innermost = parseExactJson("[".repeat(200_000) + "12345678901234567890" + "]".repeat(200_000));
    while (Array.isArray(innermost)) innermost = (innermost as unknown[])[0];
    assert.equal(innermost, "12345678901234567890");
  });
});
