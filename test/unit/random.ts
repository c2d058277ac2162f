import { seed as printedSeed } from "../rig/proofSize.ts";

/** A source of random numbers that can be repeated. */
export interface Random {
  readonly seed: number;
  /** From 0 to below 1. */
  readonly next: () => number;
  /** From 0 to below `limit`. */
  readonly below: (limit: number) => number;
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T;
}

/** Random numbers from a seed that is printed, and that the environment can give. */
export function random(name: string): Random {
  const seed = printedSeed(name);
  // mulberry32
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { seed, next, below, pick: (choices) => choices[below(choices.length)] ?? choices[0] };
}
