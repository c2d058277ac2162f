import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonScan, TooManyParts } from "../../../src/core/json/jsonScan.ts";
import { setOwn } from "../../../src/core/json/setOwn.ts";
import { random, type Random } from "../random.ts";

const NAMES = [
  "a",
  "input",
  "__proto__",
  "a",
  'with "quotes" and \\',
  "ä{[,:]}",
  "",
  "\ud83d\ude00",
  "back\\",
];
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** JSON with blanks anywhere, names that repeat and every escape. */
function writtenJson(numbers: Random, depth: number): string {
  const blank = () => numbers.oneOf(["", "", " ", "\n\t", "\r\n"]);
  const some = (write: () => string) =>
    Array.from({ length: numbers.below(4) }, () => blank() + write() + blank()).join(",") || blank();
  const name = () => {
    const plain = JSON.stringify(numbers.oneOf(NAMES));
    return numbers.below(3) === 0 ? plain.replaceAll("a", "\\u0061") : plain;
  };
  switch (numbers.below(depth > 0 ? 6 : 4)) {
    case 0:
      return name();
    case 1:
      return numbers.oneOf(["0", "-1.5e+3", "12345678901234567890"]);
    case 2:
      return numbers.oneOf(["true", "false", "null"]);
    case 3:
      return numbers.oneOf(["[]", "{}", '""']);
    case 4:
      return `[${some(() => writtenJson(numbers, depth - 1))}]`;
    default:
      return `{${some(() => `${name()}${blank()}:${blank()}${writtenJson(numbers, depth - 1)}`)}}`;
  }
}

/** Takes a value apart by scanning, down to some depth or to where something is wanted. */
function scanned(scan: JsonScan, depth: number, isWanted: (name: string) => boolean): unknown {
  if (depth === 0 || scan.isList) return scan.value();
  const found = {};
  const isObject = scan.object((name) => {
    if (isWanted(name)) setOwn(found, name, scanned(scan, depth - 1, isWanted));
    else scan.skip();
  });
  return isObject ? found : "no object";
}

/** The same of a value that is there as a whole. */
function picked(value: unknown, depth: number, isWanted: (name: string) => boolean): unknown {
  if (depth === 0 || Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return "no object";
  const found = {};
  for (const [name, inner] of Object.entries(value))
    if (isWanted(name)) setOwn(found, name, picked(inner, depth - 1, isWanted));
  return found;
}

describe("A scan of JSON", () => {
  it("finds what JSON.parse finds, whatever is passed over", () => {
    const numbers = random("scans of JSON");
    for (let round = 0; round < 3_000; round++) {
      const text = `${numbers.oneOf(["", " "])}{"first":${writtenJson(numbers, 4)},"a":${writtenJson(numbers, 4)}}\n`;
      const [depth, unwanted] = [numbers.below(4), numbers.oneOf(NAMES)];
      const isWanted = (name: string) => name !== unwanted;
      const scan = new JsonScan(bytesOf(text), 1_000);
      const found = scanned(scan, depth, isWanted);
      scan.end();
      assert.deepEqual(found, picked(JSON.parse(text), depth, isWanted), text);
    }
  });

  it("says where a text breaks off, or goes on", () => {
    const text = '{"a": {"b": ["\\"", 1, {}]}, "c": "d\\\\", "e": true}';
    const all = (some: string) => {
      const scan = new JsonScan(bytesOf(some), 1_000);
      scan.object(() => scan.skip());
      scan.end();
    };
    all(text);
    all(`\ufeff${text} `);
    for (let end = 0; end < text.length; end++)
      assert.throws(() => all(text.slice(0, end)), SyntaxError, text.slice(0, end));
    for (const wrong of [`${text}x`, `${text}{}`, '{"a" 1}', '{"a":tru}', "{a:1}", '{"a":1 "b":2}', '{"a":}'])
      assert.throws(() => all(wrong), SyntaxError, wrong);
  });

  it("makes no values of more parts than were agreed, in all that is taken", () => {
    const text = bytesOf(`{"a": [${"[],".repeat(50)}[]], "b": [${"[],".repeat(50)}[]]}`);
    const taken = (most: number) => {
      const scan = new JsonScan(text, most);
      scan.object(() => scan.value());
    };
    taken(204);
    assert.throws(() => taken(203), TooManyParts);
  });
});
