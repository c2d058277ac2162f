import type { Pieces } from "./turns.ts";

/** So many items are sorted, or merged, before a pause may be made. */
const PART_ITEMS = 1_024;

/** A sorted copy, in pieces; items that compare as equal stay in their order. */
export function* sortInPieces<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
): Pieces<readonly T[]> {
  let sorted: readonly T[] = [];
  const runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += PART_ITEMS) {
    runs.push(items.slice(from, from + PART_ITEMS).sort(compare));
    yield;
  }
  for (let level = runs; level.length > 0;) {
    [sorted = []] = level;
    if (level.length === 1) break;
    const next: (readonly T[])[] = [];
    for (let at = 0; at < level.length; at += 2)
      next.push(yield* merged(level[at] ?? [], level[at + 1] ?? [], compare));
    level = next;
  }
  return sorted;
}

function* merged<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (one: T, other: T) => number,
): Pieces<readonly T[]> {
  if (second.length === 0) return first;
  const all: T[] = [];
  let [at, other] = [0, 0];
  while (at < first.length && other < second.length) {
    const [one, two] = [first[at] as T, second[other] as T];
    if (compare(one, two) <= 0) {
      all.push(one);
      at++;
    } else {
      all.push(two);
      other++;
    }
    if (all.length % PART_ITEMS === 0) yield;
  }
  for (const rest of [first.slice(at), second.slice(other)]) for (const item of rest) all.push(item);
  return all;
}

/** The order of `<`, which is the same on every machine. */
export function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
