import type { TestContext } from "node:test";

/**
 * The most entries of an object, and UTF-16 units of JSON, that are made or read by one call on this thread from here to
 * the end of the test.
 */
export function mostAtOnce(test: TestContext): { entries: number; units: number } {
  const most = { entries: 0, units: 0 };
  const { entries, values, fromEntries } = Object;
  const { parse, stringify } = JSON;
  const noteEntries = <T extends { readonly length: number }>(made: T): T => {
    if (made.length > 1_000) most.entries = Math.max(most.entries, made.length);
    return made;
  };
  const noteText = <T extends string | undefined>(text: T): T => {
    most.units = Math.max(most.units, text?.length ?? 0);
    return text;
  };
  // A mock of the test runner would keep every call of hundreds of thousands.
  Object.assign(Object, {
    entries: (value: object): unknown => noteEntries(entries(value)),
    values: (value: object): unknown => noteEntries(values(value)),
    fromEntries: (made: Iterable<[string, unknown]>): unknown => fromEntries(noteEntries([...made])),
  });
  Object.assign(JSON, {
    parse: (text: string): unknown => parse(noteText(text)),
    stringify: (value: unknown): unknown => noteText(stringify(value)),
  });
  test.after(() => {
    Object.assign(Object, { entries, values, fromEntries });
    Object.assign(JSON, { parse, stringify });
  });
  return most;
}
