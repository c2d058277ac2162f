/** Freezes a value and everything in it, in place; a value that is frozen already is taken to be so to its depth. */
export function deepFrozen<T>(value: T): T {
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined || open.length > 0; next = open.pop()) {
    if (typeof next !== "object" || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const inner of Object.values(next)) open.push(inner);
  }
  return value;
}
