import { eachInPieces, type Pieces } from "../concurrency/turns.ts";
import { eachEntryInPieces } from "./entriesInPieces.ts";

/** Freezes a value and everything in it, in place; a value that is frozen already is taken to be so to its depth. */
export function deepFrozen<T>(value: T): T {
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined || open.length > 0; next = open.pop()) {
    if (typeof next !== "object" || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const inner of Object.values(next)) open.push(inner);
  }
  return value;
}

/**
 * The same as {@link deepFrozen}, in pieces. The value itself is frozen last, since from then on it counts as
 * frozen to its depth.
 */
export function* frozenInPieces<T>(value: T): Pieces<T> {
  const open: object[] = [];
  const find = (inner: unknown) => {
    if (typeof inner === "object" && inner !== null && inner !== value && !Object.isFrozen(inner))
      open.push(inner);
  };
  const findWithin = (container: object) =>
    Array.isArray(container)
      ? eachInPieces(container as unknown[], find)
      : eachEntryInPieces(container as Readonly<Record<string, unknown>>, (_name, inner) => find(inner));
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  yield* findWithin(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    Object.freeze(next);
    yield* findWithin(next);
  }
  return Object.freeze(value);
}
