import { eachInPieces, type Pieces } from "../concurrency/turns.ts";
import { ownValue } from "./ownValue.ts";
import { setOwn } from "./setOwn.ts";

/** Of fewer entries the names are found faster than they are remembered. */
const MIN_REMEMBERED = 1_024;

/** The names of large frozen objects, which stay the same. */
const remembered = new WeakMap<object, readonly string[]>();

/** `Object.keys`, which takes a fiftieth of a second for 100,000 sources, once for an object that can't change. */
export function keysOf(record: object): readonly string[] {
  const known = remembered.get(record);
  if (known) return known;
  const names = Object.keys(record);
  if (names.length >= MIN_REMEMBERED && Object.isFrozen(record)) remembered.set(record, names);
  return names;
}

/** The same as {@link keysOf}, with pauses around what takes long. */
export function* namesInPieces(record: object): Pieces<readonly string[]> {
  yield;
  const names = keysOf(record);
  if (names.length >= MIN_REMEMBERED) yield;
  return names;
}

/**
 * Does something with each entry of an object, in pieces. `Object.entries` makes all of them at once, which takes three
 * times as long as their names alone.
 */
export function* eachEntryInPieces<T>(
  record: Readonly<Record<string, T>>,
  visit: (name: string, value: T) => void,
): Pieces<void> {
  const names = yield* namesInPieces(record);
  yield* eachInPieces(names, (name) => {
    const value = ownValue(record, name);
    if (value !== undefined) visit(name, value);
  });
}

/** `Object.fromEntries` in pieces. */
export function* recordInPieces<T>(
  entries: Iterable<readonly [name: string, value: T]>,
): Pieces<Record<string, T>> {
  const record: Record<string, T> = {};
  yield* eachInPieces(entries, ([name, value]) => setOwn(record, name, value));
  return record;
}
