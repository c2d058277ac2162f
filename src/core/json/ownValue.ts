/**
 * The value under a key that may be any text, or `undefined`. `record[key]` would answer "constructor" and "toString"
 * with what every object inherits; here only the record's own values count, `__proto__` among them.
 */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  // eslint-disable-next-line foreign-keys/no-inherited-lookup -- the one place that makes sure of it
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
