import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseExactJson } from "../../../src/core/json/exactJson.ts";
import { amountText } from "../../../src/core/text/counted.ts";
import {
  groupDigits,
  hbarText,
  integerText,
  percentText,
  readDecimals,
  scaleDown,
} from "../../../src/core/text/exactDecimal.ts";
import {
  checkTimestampQuery,
  dateOfNanos,
  dateText,
  expiryNanos,
  timestampNanos,
  timestampQueryOf,
} from "../../../src/core/ledger/references/timestamp.ts";
import { random } from "../random.ts";

const MAX_INT64 = "9223372036854775807";

describe("Amounts", () => {
  it("are scaled to the last digit at 2^63 − 1", () => {
    assert.equal(amountText("9223372036854775806", 8), "92,233,720,368.54775806");
    assert.equal(amountText(MAX_INT64, 0), "9,223,372,036,854,775,807");
    assert.equal(amountText(MAX_INT64, 75), `0.${MAX_INT64.padStart(75, "0")}`);
    assert.equal(amountText("5432109876543", 6), "5,432,109.876543");
    assert.equal(amountText("-150", 2), "-1.5");
    assert.equal(amountText("0", 75), "0");
    assert.equal(scaleDown("1", 1000).length, 1002);
    assert.equal(amountText("1500", undefined), "1,500 smallest units");
    assert.equal(amountText("-1", undefined), "-1 smallest unit");
    assert.equal(hbarText("50000000"), "0.5 ℏ");
    assert.equal(hbarText(MAX_INT64), "92,233,720,368.54775807 ℏ");
  });

  it("are what integer arithmetic makes of them, whatever the decimals", () => {
    const { below, pick } = random("amounts");
    for (let round = 0; round < 5000; round++) {
      const amount = BigInt(below(2 ** 32)) ** BigInt(pick([0, 1, 2, 3])) * pick([1n, -1n, 10n, 1000n]);
      const decimals = below(90);
      const shown = scaleDown(String(amount), decimals);
      assert.match(shown, /^-?\d+(?:\.\d+)?$/);
      const [whole = "", fraction = ""] = shown.split(".");
      assert.doesNotMatch(fraction, /0$/);
      const sign = shown.startsWith("-") ? -1n : 1n;
      const back =
        BigInt(whole.replace("-", "")) * 10n ** BigInt(decimals) +
        BigInt(`0${fraction.padEnd(decimals, "0")}`);
      assert.equal(back * sign, amount);
    }
  });

  it("come as numbers, strings and literals with an exponent", () => {
    for (const [value, digits] of [
      [5, "5"],
      [-0, "0"],
      [10n ** 30n, "1" + "0".repeat(30)],
      ["0005", "5"],
      ["1.5e3", "1500"],
      ["1.684759236926863003e18", "1684759236926863003"],
      ["-12", "-12"],
      ["12.000", "12"],
    ] as const)
      assert.equal(integerText(value), digits);
    for (const value of [
      0.5,
      2 ** 53,
      "0.5",
      "1.55e1",
      "",
      "abc",
      "0x10",
      null,
      undefined,
      {},
      "1e1001",
      "9".repeat(1001),
    ])
      assert.equal(integerText(value), undefined);
    assert.deepEqual(["75", 8, "1000", "-1", null, "1.5", "99999"].map(readDecimals), [
      75,
      8,
      1000,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(groupDigits("-1234567.1234567"), "-1,234,567.1234567");
  });

  it("are fractions whose percentage is exact, or says that it is not", () => {
    assert.equal(percentText("1", "100"), "1");
    assert.equal(percentText("1", "8"), "12.5");
    assert.equal(percentText("1", "30000"), "≈ 0.003333");
    assert.equal(percentText("2", "3"), "≈ 66.6667");
    assert.equal(percentText("-1", "3"), "≈ -33.3333");
    assert.equal(percentText(MAX_INT64, "1"), "922,337,203,685,477,580,700");
    assert.match(percentText("1", MAX_INT64) ?? "", /^≈ 0\.0{16}1084/);
    assert.equal(percentText("1", "0"), undefined);
  });
});

describe("Times", () => {
  it("of a token's expiry come in five forms and mean the same nanosecond", () => {
    const nanos = 1684759236926863003n;
    for (const literal of [
      "1684759236926863003",
      "1.684759236926863003e18",
      '"1684759236926863003"',
      '"1.684759236926863003e18"',
      '"1684759236.926863003"',
    ])
      assert.equal(expiryNanos(parseExactJson(literal)), nanos, literal);
    assert.equal(expiryNanos(parseExactJson("1.7622556834341256e+18")), 1762255683434125600n);
    for (const value of [null, undefined, "", "soon", {}, 1.5]) assert.equal(expiryNanos(value), undefined);
    assert.equal(dateOfNanos(nanos), "2023-05-22 12:40:36.926863003 UTC");
  });

  it("are decimal fractions of seconds, padded on the right", () => {
    assert.equal(timestampNanos("1.5"), 1_500_000_000n);
    assert.equal(timestampNanos("1640084590.665216882"), 1640084590665216882n);
    assert.equal(timestampNanos("1"), 1_000_000_000n);
    for (const text of ["", "1.", ".5", "1.1234567890", "-1", 5, null, "12345678901.0"])
      assert.equal(timestampNanos(text), undefined);
    assert.equal(dateText("1640084590.500000000"), "2021-12-21 11:03:10.5 UTC");
    assert.equal(dateText("whenever"), "whenever");
    assert.equal(dateText("12345678901.0"), "12345678901.0");
    assert.equal(dateOfNanos(10n ** 40n), `${10n ** 40n} ns since 1970`);
  });

  it("are asked for with the operators that the ledger knows", () => {
    for (const query of ["1684759236.926863003", "eq:1684759236", "lt:1684759236.5", " lte:1.5 "])
      assert.equal(checkTimestampQuery(query), query.trim());
    for (const operator of ["gt", "gte", "ne"])
      assert.throws(() => checkTimestampQuery(`${operator}:1684759236`), {
        code: "invalid_parameter",
        message: `A token can't be asked for with the operator "${operator}": use eq, lt or lte.`,
      });
    for (const query of ["", "yesterday", "1.1234567891", "12345678901", "1684759236x5", "eq:1&limit=2"])
      assert.throws(() => checkTimestampQuery(query), { code: "invalid_parameter" });
  });

  it("are typed as a date that exists", () => {
    assert.equal(timestampQueryOf("2024-02-29 12:00"), "1709208000");
    assert.equal(timestampQueryOf("lte:2023-12-31T23:30-02:00"), "lte:1704072600");
    for (const query of ["2024-02-30 12:00", "2023-02-29", "2023-04-31T10:00Z", "2023-13-01", "1969-12-31"])
      assert.throws(() => timestampQueryOf(query), { code: "invalid_parameter" }, query);
  });
});
