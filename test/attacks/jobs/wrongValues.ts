/** Values of every kind, as a server or a damaged file may have them where something else is expected. */
export const WRONG_VALUES: readonly unknown[] = [
  null,
  undefined,
  true,
  false,
  0,
  -1,
  42,
  1e308,
  "",
  "x",
  "\u202egpj.exe",
  "[Sign in](command:workbench.action.quit)",
  "y".repeat(100_000),
  [],
  [null],
  [[["x"]], { a: 1 }],
  {},
  { length: 3 },
  { toString: 1, valueOf: null },
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as unknown,
  nested(1_000),
];

/** Lists in lists. */
export function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

/** Every place of a value: the value itself and all that is in it, as chains of names. */
export function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, item]) => placesIn(item, [...at, name]))];
}

/** A copy with another value at a place; `undefined` takes it out. */
export function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  const entries = Object.entries(value as object).map(
    ([one, item]) => [one, one === name ? replaced(item, rest, by) : (item as unknown)] as const,
  );
  const kept = entries.filter(([, item]) => item !== undefined);
  return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept);
}
