import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atOnce } from "../../../src/core/concurrency/turns.ts";
import { constantPlacesInPieces } from "../../../src/core/matching/constantPlaces.ts";

const placesOf = (
  sources: Readonly<Record<string, string>>,
  values: readonly bigint[],
  language: "Solidity" | "Vyper" = "Solidity",
) =>
  values.map((value) => {
    const given = {
      language,
      sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    };
    const place = atOnce(constantPlacesInPieces(new Set([value]), given)).get(value);
    return place && `${place.name ?? "number"} ${place.file}:${place.line}`;
  });

describe("Where the sources say a value", () => {
  const SOURCE = [
    "uint256 constant BASE = 10 ** 4;",
    "contract A {",
    "  // SHARE = 77 in a comment",
    "  uint256 public constant SHARE = BASE / 4 + 1;",
    "  uint256 private constant LIMIT = 5 ether;",
    "  uint64 constant DELAY = 3 days;",
    '  bytes32 constant NAME = "vault";',
    "  uint8 constant FIRST = 9;",
    "  uint8 constant SECOND = 9;",
    "  function f(uint256 x) external pure returns (uint256) { return x * 41 + 43 + 43; }",
    "}",
  ].join("\n");

  it("is a constant, whatever it is made of, or the one number of that value", () => {
    const name = BigInt(`0x${Buffer.from("vault").toString("hex").padEnd(64, "0")}`);
    assert.deepEqual(placesOf({ "a.sol": SOURCE }, [10_000n, 2_501n, 5n * 10n ** 18n, 259_200n, name, 41n]), [
      "BASE a.sol:1",
      "SHARE a.sol:4",
      "LIMIT a.sol:5",
      "DELAY a.sol:6",
      "NAME a.sol:7",
      "number a.sol:10",
    ]);
  });

  it("is nowhere where several places say it, or none, or a comment alone", () => {
    assert.deepEqual(placesOf({ "a.sol": SOURCE }, [9n, 43n, 77n, 123n]), [
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is told of Vyper, too, and bears sources that are none", () => {
    const vyper =
      "# @version 0.4.3\nFEE: constant(uint256) = 25\n\n@external\ndef f() -> uint256:\n    return FEE\n";
    assert.deepEqual(placesOf({ "a.vy": vyper }, [25n], "Vyper"), ["FEE a.vy:2"]);
    assert.deepEqual(placesOf({ "a.sol": "contract { constant = ; ((((" }, [25n]), [undefined]);
  });

  it("is found at once in sources that are made to take long", () => {
    // Each is made of the one before a thousand times, and each stands beside thousands of numbers.
    const chain = Array.from(
      { length: 16 },
      (_, at) => `uint256 constant C${at + 1} = ${Array.from({ length: 900 }, () => `C${at}`).join("+")};`,
    );
    const nested = ["uint256 constant C0 = 0;", ...chain, "uint256 constant FEE = 25;"].join("\n");
    assert.deepEqual(placesOf({ "a.sol": nested }, [25n]), ["FEE a.sol:18"]);
    const many = Array.from({ length: 12_000 }, (_, at) => `uint256 constant N${at} = ${at + 1_000};`).join(
      "\n",
    );
    const numbers = Array.from({ length: 60_000 }, (_, at) => `x += ${at + 100_000};`).join("");
    const large = `${many}\nuint256 constant FEE = 25;\nfunction f() { ${numbers} }`;
    assert.ok(large.length < 1_400_000);
    assert.deepEqual(placesOf({ "a.sol": large.slice(0, 999_999) }, [25n]), ["FEE a.sol:12001"]);
    assert.deepEqual(placesOf({ "a.sol": "a:".repeat(400_000) }, [25n]), [undefined]);
  });
});
