/**
 * The fewest of some requirements that can't hold together, for a message: one that can't hold alone, else the first
 * pair, else a set of which none can be left out. Requirements of equal text count as one, the first.
 *
 * @param isPossible True when something satisfies all of them.
 */
export function smallestConflict<T>(
  requirements: readonly T[],
  textOf: (requirement: T) => string,
  isPossible: (some: readonly T[]) => boolean,
): readonly T[] {
  const distinct = [
    ...new Map(requirements.toReversed().map((one) => [textOf(one), one])).values(),
  ].reverse();
  const alone = distinct.find((one) => !isPossible([one]));
  if (alone !== undefined) return [alone];
  for (const [at, first] of distinct.entries()) {
    const second = distinct.slice(at + 1).find((other) => !isPossible([first, other]));
    if (second !== undefined) return [first, second];
  }
  let rest: readonly T[] = distinct;
  for (const one of distinct) {
    const without = rest.filter((other) => other !== one);
    if (!isPossible(without)) rest = without;
  }
  return rest;
}
