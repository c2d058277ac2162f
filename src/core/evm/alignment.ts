import { type Pieces } from "../concurrency/turns.ts";

/** A run of equal items: `length` of them from `left` on in the one list, from `right` on in the other. */
interface EqualRun {
  readonly left: number;
  readonly right: number;
  readonly length: number;
}

/** Sizes of the windows that anchor two lists to each other, the surest first. */
const ANCHOR_WINDOWS = [24, 10, 4, 2];
/** Beyond so many differences two parts count as replaced, which keeps the time in proportion to the length. */
const MAX_DIFFERENCES = 300;
/** So many windows are looked at before a pause may be made. */
const WINDOWS_OF_A_PIECE = 512;

/**
 * The runs that two lists have in common, in order, as a reader would line them up: first what occurs just
 * once in both lists, ever shorter windows between that, and the shortest edit script (Myers) in the gaps.
 */
export function* alignInPieces(left: readonly string[], right: readonly string[]): Pieces<EqualRun[]> {
  const numbers = new Map<string, number>();
  const number = (key: string) => {
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    return known;
  };
  const runs: EqualRun[] = [];
  yield* alignRange(left.map(number), right.map(number), 0, left.length, 0, right.length, 0, runs);
  return joined(runs);
}

type Numbers = readonly number[];

function* alignRange(
  a: Numbers,
  b: Numbers,
  aStart: number,
  aEnd: number,
  bStart: number,
  bEnd: number,
  level: number,
  runs: EqualRun[],
): Pieces<void> {
  let [a0, b0, a1, b1] = [aStart, bStart, aEnd, bEnd];
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) [a0, b0] = [a0 + 1, b0 + 1];
  if (a0 > aStart) runs.push({ left: aStart, right: bStart, length: a0 - aStart });
  let tail = 0;
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) [a1, b1, tail] = [a1 - 1, b1 - 1, tail + 1];
  if (a0 < a1 && b0 < b1) {
    const window = ANCHOR_WINDOWS[level];
    const anchors = window === undefined ? [] : yield* findAnchors(a, b, a0, a1, b0, b1, window);
    if (window === undefined) {
      yield* shortestScript(a, b, a0, a1, b0, b1, runs);
    } else if (anchors.length === 0) {
      yield* alignRange(a, b, a0, a1, b0, b1, level + 1, runs);
    } else {
      for (const anchor of anchors) {
        if (anchor.left < a0 || anchor.right < b0) continue;
        yield* alignRange(a, b, a0, anchor.left, b0, anchor.right, level, runs);
        let length = window;
        while (
          anchor.left + length < a1 &&
          anchor.right + length < b1 &&
          a[anchor.left + length] === b[anchor.right + length]
        )
          length++;
        runs.push({ ...anchor, length });
        [a0, b0] = [anchor.left + length, anchor.right + length];
      }
      yield* alignRange(a, b, a0, a1, b0, b1, level + 1, runs);
    }
  }
  if (tail > 0) runs.push({ left: aEnd - tail, right: bEnd - tail, length: tail });
}

/** The windows that occur exactly once on either side, thinned to the longest sequence that keeps the order. */
function* findAnchors(
  a: Numbers,
  b: Numbers,
  a0: number,
  a1: number,
  b0: number,
  b1: number,
  window: number,
): Pieces<{ left: number; right: number }[]> {
  const once = function* (list: Numbers, start: number, end: number): Pieces<Map<string, number>> {
    const places = new Map<string, number>();
    for (let at = start; at + window <= end; at++) {
      if (at % WINDOWS_OF_A_PIECE === 0) yield;
      const key = list.slice(at, at + window).join();
      places.set(key, places.has(key) ? -1 : at);
    }
    return places;
  };
  const inRight = yield* once(b, b0, b1);
  const pairs: { left: number; right: number }[] = [];
  for (const [key, left] of yield* once(a, a0, a1)) {
    const right = inRight.get(key);
    if (left >= 0 && right !== undefined && right >= 0) pairs.push({ left, right });
  }
  return longestIncreasing(pairs);
}

function longestIncreasing(
  pairs: readonly { left: number; right: number }[],
): { left: number; right: number }[] {
  const ends: number[] = [];
  const previous: number[] = [];
  pairs.forEach(({ right }, at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.right ?? 0) < right) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = at;
  });
  const chosen: { left: number; right: number }[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair) chosen.push(pair);
  }
  return chosen.reverse();
}

/** Myers' greedy algorithm (An O(ND) Difference Algorithm, 1986), given up beyond a limit. */
function* shortestScript(
  a: Numbers,
  b: Numbers,
  a0: number,
  a1: number,
  b0: number,
  b1: number,
  runs: EqualRun[],
): Pieces<void> {
  const [n, m] = [a1 - a0, b1 - b0];
  const limit = Math.min(n + m, MAX_DIFFERENCES);
  const furthest = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let d = 0; d <= limit; d++) {
    yield;
    trace.push(new Map(furthest));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
      let x = down ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      while (x < n && x - k < m && a[a0 + x] === b[b0 + x - k]) x++;
      furthest.set(k, x);
      if (x >= n && x - k >= m) {
        collectScript(trace, n, m, a0, b0, runs);
        return;
      }
    }
  }
}

function collectScript(
  trace: readonly ReadonlyMap<number, number>[],
  n: number,
  m: number,
  a0: number,
  b0: number,
  runs: EqualRun[],
): void {
  const found: EqualRun[] = [];
  let [x, y] = [n, m];
  for (let d = trace.length - 1; d >= 0; d--) {
    const furthest = trace[d];
    const k = x - y;
    const down = k === -d || (k !== d && (furthest?.get(k - 1) ?? -1) < (furthest?.get(k + 1) ?? -1));
    const before = down ? k + 1 : k - 1;
    const fromX = furthest?.get(before) ?? 0;
    const startX = d === 0 ? 0 : down ? fromX : fromX + 1;
    if (x > startX) found.push({ left: a0 + startX, right: b0 + startX - k, length: x - startX });
    [x, y] = [fromX, fromX - before];
  }
  for (const run of found.reverse()) runs.push(run);
}

function joined(runs: readonly EqualRun[]): EqualRun[] {
  const whole: EqualRun[] = [];
  for (const run of runs) {
    const last = whole.at(-1);
    if (last && last.left + last.length === run.left && last.right + last.length === run.right)
      whole[whole.length - 1] = { ...last, length: last.length + run.length };
    else whole.push(run);
  }
  return whole;
}
