/** Milliseconds of the fastest of several runs of each piece of work, taken in turns so that both see the same machine. */
export async function fastestInTurns(
  work: readonly (() => Promise<unknown>)[],
  rounds = 30,
): Promise<number[]> {
  const fastest = work.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    for (const [at, run] of work.entries()) {
      const started = performance.now();
      await run();
      fastest[at] = Math.min(fastest[at] ?? Infinity, performance.now() - started);
    }
  }
  return fastest;
}

/** Milliseconds of the median run of each piece of work, taken in turns so that all see the same machine. */
export async function medianInTurns(
  work: readonly (() => Promise<unknown>)[],
  rounds = 60,
): Promise<number[]> {
  const times = work.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    for (const [at, run] of work.entries()) {
      const started = performance.now();
      await run();
      times[at]?.push(performance.now() - started);
    }
  }
  return times.map(median);
}

/** The middle one; of an even number the upper of both. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity;
}

/** One line of figures: a ratio with what it is made of. */
export function printRatio(name: string, ours: number, yardstick: number, against: string): void {
  const milliseconds = (value: number) => `${value.toFixed(2)} ms`;
  console.log(
    `${name}: ${(ours / yardstick).toFixed(2)} × ${against} (${milliseconds(ours)} against ${milliseconds(yardstick)})`,
  );
}
