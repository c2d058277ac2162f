/** How far a code is from the one that is looked for: 0 for the same but for the metadata hash, 1 for nothing in common. */
type Distance = number;

/** The one of some positions that lies nearest to another; `undefined` for none. */
function nearest(positions: Iterable<number>, to: number): number | undefined {
  let best: number | undefined;
  for (const one of positions) if (best === undefined || Math.abs(one - to) < Math.abs(best - to)) best = one;
  return best;
}

/**
 * In which order the commits of a history are tried. In turns: the one nearest to the time of the deployment, and the one
 * in the middle between the best so far and its better neighbour, since codes grow away from the one that was deployed.
 * Where the code was found and its metadata hash was not, what lies beside it comes first: only a comment was changed.
 * Every commit has its turn in the end.
 */
export class SearchOrder {
  /** Of the commits, oldest first: in milliseconds since 1970. */
  readonly #times: readonly number[];
  readonly #distances = new Map<number, Distance>();
  /** Those that are left, by how likely their time is, the likeliest first. */
  readonly #byTime: readonly number[];
  readonly #left: Set<number>;
  #at = 0;
  #isHalving = false;
  #best: number | undefined;

  /**
   * @param times oldest first
   * @param deployedAt without it the newest is the likeliest
   */
  constructor(times: readonly number[], deployedAt: number | undefined) {
    this.#times = times;
    const wanted = deployedAt ?? Infinity;
    const positions = times.map((_time, at) => at);
    this.#left = new Set(positions);
    const farness = (at: number) => {
      const time = times[at] ?? 0;
      if (wanted === Infinity) return -at;
      // What was committed afterwards was on disk before at times, but less often.
      return time <= wanted ? wanted - time : 2 * (time - wanted);
    };
    // Of commits of the same time the later one comes first.
    this.#byTime = positions.sort((a, b) => farness(a) - farness(b) || b - a);
  }

  /** The position of the next commit; `undefined` when all had their turn. */
  next(): number | undefined {
    while (this.#at < this.#byTime.length && !this.#left.has(this.#byTime[this.#at] ?? 0)) this.#at++;
    const likeliest = this.#byTime[this.#at];
    const best = this.#best;
    if (best === undefined || likeliest === undefined) return likeliest;
    if (this.#distances.get(best) === 0) return nearest(this.#left, best);
    return (this.#isHalving ? this.#middle(best) : undefined) ?? likeliest;
  }

  /**
   * What a commit came to.
   *
   * @param distance `undefined` where nothing could be compiled
   * @param isNew it was compiled; a commit that is in a known state costs nothing, and is no turn
   */
  tried(position: number, distance: Distance | undefined, isNew: boolean): void {
    this.#left.delete(position);
    if (isNew) this.#isHalving = !this.#isHalving;
    if (distance === undefined) return;
    this.#distances.set(position, distance);
    if (this.#best === undefined || distance < (this.#distances.get(this.#best) ?? 1)) this.#best = position;
  }

  /** The middle of the larger or better gap beside the best one. */
  #middle(best: number): number | undefined {
    let [before, after]: [number | undefined, number | undefined] = [undefined, undefined];
    for (const at of this.#distances.keys()) {
      if (at < best && (before === undefined || at > before)) before = at;
      if (at > best && (after === undefined || at < after)) after = at;
    }
    const gaps = [
      { from: before ?? -1, to: best, distance: before === undefined ? 1 : this.#distances.get(before) },
      {
        from: best,
        to: after ?? this.#times.length,
        distance: after === undefined ? 1 : this.#distances.get(after),
      },
    ].sort((a, b) => (a.distance ?? 1) - (b.distance ?? 1));
    for (const { from, to } of gaps) {
      const inside: number[] = [];
      for (let at = from + 1; at < to; at++) if (this.#left.has(at)) inside.push(at);
      const middle = nearest(inside, (from + to) / 2);
      if (middle !== undefined) return middle;
    }
    return undefined;
  }
}
