import { commonRuns } from "./metadataSearch.ts";
import { contains, type RunsInterval } from "./runsInterval.ts";

/** A share of what is possible that is worth the next try; with less, it is better to cut the rest in halves. */
const LARGE_SHARE = 0.4;

/** A part of an interval in which every number makes the same code, as far as the codes show it. */
interface Stretch extends RunsInterval {
  readonly weight: number;
}

/**
 * The number of runs to try next: a usual one of the stretch that is the likeliest, or of the one in the middle of what is
 * possible, where what grows in proportion is in the middle.
 *
 * @param landmarks numbers from which on the code may be another one
 * @param submitted numbers that made another code
 */
export function nextRuns(
  possible: RunsInterval,
  landmarks: readonly number[],
  submitted: readonly number[],
): number | undefined {
  const stretches = cutAt(possible, landmarks);
  const untried = stretches.filter((stretch) => !submitted.some((runs) => contains(stretch, runs)));
  const stretch = likeliest(untried);
  if (stretch) return representative(stretch, submitted);
  // What the codes don't show makes a difference, too.
  const rest = cutAt(
    possible,
    submitted.flatMap((runs) => [runs, runs + 1]),
  ).filter(({ least }) => !submitted.includes(least));
  const left = likeliest(rest);
  return left && representative(left, submitted);
}

function cutAt({ least, most }: RunsInterval, landmarks: readonly number[]): Stretch[] {
  const starts = [...new Set([least, ...landmarks.filter((runs) => runs > least && runs <= most)])];
  starts.sort((a, b) => a - b);
  return starts.map((start, at) => {
    const stretch = { least: start, most: (starts[at + 1] ?? most + 1) - 1 };
    return { ...stretch, weight: weightOf(stretch) };
  });
}

/** The orders of two in a stretch, and what the usual numbers in it count for, the commoner ones for more. */
function weightOf(stretch: RunsInterval): number {
  const usual = commonRuns.reduce(
    (sum, runs, rank) => sum + (contains(stretch, runs) ? 6 / (1 + rank / 2) : 0),
    0,
  );
  return Math.log2((stretch.most + 1) / Math.max(stretch.least, 0.5)) + usual;
}

function likeliest(stretches: readonly Stretch[]): Stretch | undefined {
  const total = stretches.reduce((sum, { weight }) => sum + weight, 0);
  const [heaviest] = stretches.toSorted((a, b) => b.weight - a.weight);
  if (heaviest && heaviest.weight >= LARGE_SHARE * total) return heaviest;
  let sum = 0;
  return stretches.find(({ weight }) => (sum += weight) >= total / 2);
}

function representative({ least, most }: RunsInterval, submitted: readonly number[]): number {
  const usual = commonRuns.find((runs) => contains({ least, most }, runs) && !submitted.includes(runs));
  const middle = Math.round(Math.sqrt(Math.max(least, 1) * Math.max(most, 1)));
  return usual ?? Math.min(most, Math.max(least, middle));
}
