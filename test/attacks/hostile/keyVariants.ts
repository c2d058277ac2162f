// Data with a name that every object inherits as a key, held against the same data with an ordinary name in its place:
// whatever a reader does with a key, it has to do the same with both.
import assert from "node:assert/strict";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { INHERITED_NAMES, sharedObjects } from "./prototypes.ts";

/**
 * An ordinary name for each, of the same length and at the same place of an order. A map: in an object literal the first
 * one would be no key.
 */
const ORDINARY: ReadonlyMap<(typeof INHERITED_NAMES)[number], string> = new Map([
  ["__proto__", "__protp__"],
  ["constructor", "constructos"],
  ["prototype", "prototypf"],
  ["toString", "toStrinh"],
  ["hasOwnProperty", "hasOwnPropertz"],
]);

const INNER: readonly ((name: string) => string)[] = [
  () => "1",
  () => '"x"',
  () => "null",
  () => "[]",
  () => '{"polluted":"yes"}',
  () => '{"content":"library Other {}"}',
  (name) => `{"${name}":{"polluted":"yes"}}`,
];

const shared = sharedObjects();

/** The JSON of a value with a name as each of its keys, and beside the keys of each object. */
function* variantsOf(json: string): Generator<(name: string) => string> {
  for (const { index, 0: key } of json.matchAll(/"(?:[^"\\]|\\.)*"(?=:)/g))
    yield (name) => `${json.slice(0, index)}"${name}"${json.slice(index + key.length)}`;
  for (const { index } of json.matchAll(/\{/g)) {
    const comma = json[index + 1] === "}" ? "" : ",";
    for (const inner of INNER)
      yield (name) => `${json.slice(0, index + 1)}"${name}":${inner(name)}${comma}${json.slice(index + 1)}`;
  }
}

/** What a reader makes of a text, as text. */
async function outcome(read: (json: string) => unknown, json: string): Promise<string> {
  try {
    return JSON.stringify([await read(json)], plain);
  } catch (error) {
    if (error instanceof LedgerLensError) return `${error.code}: ${error.message}`;
    throw new Error(`Failed for ${json}`, { cause: error });
  }
}

function plain(_name: string, value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) return [...(value as Iterable<unknown>)];
  return typeof value === "bigint" ? String(value) : value;
}

/**
 * Reads the variants of an example, and sees that nothing changes which objects share, and that each is read as with an
 * ordinary name.
 *
 * @param chosen which of the variants are tried
 * @returns how many there were
 */
export async function checkKeys(
  what: string,
  example: unknown,
  read: (json: string) => unknown,
  chosen: () => boolean = () => true,
): Promise<number> {
  const json = JSON.stringify(example);
  assert.notEqual(await outcome(read, json), await outcome(read, "{}"), `${what}: the example says nothing`);
  let count = 0;
  for (const variant of variantsOf(json))
    for (const name of INHERITED_NAMES) {
      if (!chosen()) continue;
      const found = await outcome(read, variant(name));
      shared.assertUntouched(`${what}: ${variant(name)}`);
      const ordinary = ORDINARY.get(name) ?? assert.fail(name);
      const expected = await outcome(read, variant(ordinary));
      assert.equal(found, expected.replaceAll(ordinary, name), `${what}: ${variant(name)}`);
      count++;
    }
  console.log(`${what}: ${count} variants`);
  return count;
}
