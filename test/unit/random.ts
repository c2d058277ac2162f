import { seed as printedSeed } from "../rig/proofSize.ts";

/** A source of random numbers that can be repeated. */
export interface Random {
  readonly seed: number;
  /** From 0 to below 1. */
  readonly next: () => number;
  /** From 0 to below `limit`. */
  readonly below: (limit: number) => number;
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T;
  /** One of a list that is not known to have any; throws where it has none. */
  readonly oneOf: <T>(choices: readonly T[]) => T;
}

/** Random numbers from a seed that is printed, and that the environment can give. */
export function random(name: string): Random {
  return randomFrom(printedSeed(name));
}

/** Random numbers from a seed, an integer from 0 to below 2^32. */
export function randomFrom(seed: number): Random {
  // mulberry32
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const oneOf = <T>(choices: readonly T[]) => {
    if (choices.length === 0) throw new Error("There is nothing to choose from.");
    // `undefined` and `null` are choices like any other.
    return choices[below(choices.length)] as T;
  };
  return { seed, next, below, pick: (choices) => oneOf(choices), oneOf };
}
