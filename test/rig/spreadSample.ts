/**
 * So many of all, at random, and none twice. What came least so far by the first key comes next, and among these what came
 * least by the next key: a sample that is always drawn alike would else leave out the same values for ever.
 *
 * @param below a random integer from 0 to below a limit
 * @param keysOf what a sample has to have some of each of, the most important first
 */
export function spreadSample<T>(
  all: readonly T[],
  size: number,
  below: (limit: number) => number,
  keysOf: (one: T) => readonly unknown[],
): T[] {
  if (size >= all.length) return [...all];
  const left = [...all];
  const shuffled = all.map(() => left.splice(below(left.length), 1)[0] as T);
  const counts = new Map<unknown, number>();
  const chosen: T[] = [];
  while (chosen.length < size) {
    let best: { readonly at: number; readonly met: readonly number[] } | undefined;
    for (const [at, one] of shuffled.entries()) {
      const met = keysOf(one).map((key) => counts.get(key) ?? 0);
      if (best === undefined || isLess(met, best.met)) best = { at, met };
    }
    const [next] = shuffled.splice(best?.at ?? 0, 1) as [T];
    for (const key of keysOf(next)) counts.set(key, (counts.get(key) ?? 0) + 1);
    chosen.push(next);
  }
  return chosen;
}

/** Whether the first figure that differs is the smaller one. */
function isLess(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((count, index) => count !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}
