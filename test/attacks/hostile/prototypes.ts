import assert from "node:assert/strict";

/** Names that mean something on every object, array or function. */
export const INHERITED_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
] as const;

const SHARED = [
  ["Object.prototype", Object.prototype],
  ["Array.prototype", Array.prototype],
  ["Function.prototype", Function.prototype],
  ["String.prototype", String.prototype],
  ["Map.prototype", Map.prototype],
  ["Object", Object],
  ["toString", Object.getOwnPropertyDescriptor(Object.prototype, "toString")?.value],
  ["hasOwnProperty", Object.getOwnPropertyDescriptor(Object.prototype, "hasOwnProperty")?.value],
] as readonly (readonly [string, object])[];

/** What every object shares, as it is now: a later look tells whether anything was added, changed or taken away. */
export function sharedObjects(): { assertUntouched(what: string): void } {
  const before = SHARED.map(([, shared]) => descriptorsOf(shared));
  return {
    assertUntouched(what) {
      const changed = SHARED.flatMap(([name, shared], at) => restored(name, shared, before[at] ?? new Map()));
      assert.deepEqual(changed, [], `${what} changed what every object shares`);
    },
  };
}

/** The names that changed, put back as they were: one break is told once, and the tests that follow tell their own. */
function restored(
  name: string,
  shared: object,
  before: ReadonlyMap<PropertyKey, PropertyDescriptor>,
): string[] {
  const changed = new Set([...before.keys(), ...Reflect.ownKeys(shared)]);
  for (const [key, descriptor] of before) {
    const now = Object.getOwnPropertyDescriptor(shared, key);
    if (now && isSame(now, descriptor)) changed.delete(key);
    else if (now?.configurable !== false) Object.defineProperty(shared, key, descriptor);
  }
  for (const key of changed) if (!before.has(key)) Reflect.deleteProperty(shared, key);
  return [...changed].map((key) => `${name}.${String(key)}`);
}

function isSame(one: PropertyDescriptor, other: PropertyDescriptor): boolean {
  return (["value", "get", "set"] as const).every((part) => one[part] === other[part]);
}

function descriptorsOf(shared: object): Map<PropertyKey, PropertyDescriptor> {
  return new Map(
    Reflect.ownKeys(shared).map((key) => [key, Object.getOwnPropertyDescriptor(shared, key) ?? {}] as const),
  );
}
