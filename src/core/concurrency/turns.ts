/** So long work holds the event loop before others have their turn. */
const TURN_MS = 8;

/** When work of this turn of the event loop began, whichever it is: what runs at the same time shares one turn. */
let began: number | undefined;
/** Work that waits for its turn. */
const waiting: (() => void)[] = [];

/** Long work on the editor's thread, cut into turns, so that typing goes on in between. */
export class Turns {
  /** Whether others should have their turn now. */
  get isOver(): boolean {
    if (began !== undefined) return performance.now() - began > TURN_MS;
    began = performance.now();
    setImmediate(forget, began);
    return false;
  }

  /** Lets others have theirs. Of all work that waits, one piece of work goes on in a turn of the event loop. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(wake);
    });
  }
}

/** Not the turn of work that was woken before this was called, which goes on. */
function forget(ended: number): void {
  if (began === ended) began = undefined;
}

function wake(): void {
  began = undefined;
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(wake);
}

/** Long work that stops after every piece of a millisecond or so, and answers in the end. */
export type Pieces<T> = Generator<undefined, T, undefined>;

/** Does work piece by piece; others have their turn every few milliseconds. */
export async function inTurns<T>(work: Pieces<T>, signal?: AbortSignal): Promise<T> {
  const turns = new Turns();
  for (;;) {
    // Before the first piece as well: a thousand small things in a row are long work too.
    if (turns.isOver) {
      await turns.next();
      signal?.throwIfAborted();
    }
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Of many small things so many are looked at before a pause may be made. */
const ITEMS_OF_A_PIECE = 256;

/** Does something with each of many small things, in pieces. */
export function* eachInPieces<T>(items: Iterable<T>, visit: (item: T) => void): Pieces<void> {
  let seen = 0;
  for (const item of items) {
    if (++seen % ITEMS_OF_A_PIECE === 0) yield;
    visit(item);
  }
}

/** What each of many small things comes to, in pieces. */
export function* mapInPieces<T, U>(items: Iterable<T>, change: (item: T) => U): Pieces<U[]> {
  const all: U[] = [];
  yield* eachInPieces(items, (item) => all.push(change(item)));
  return all;
}

/** Those of many small things that are wanted, in pieces. */
export function* filterInPieces<T>(items: Iterable<T>, isWanted: (item: T) => boolean): Pieces<T[]> {
  const found: T[] = [];
  yield* eachInPieces(items, (item) => {
    if (isWanted(item)) found.push(item);
  });
  return found;
}

/** The first of many small things that is wanted, in pieces. */
export function* findInPieces<T>(items: Iterable<T>, isWanted: (item: T) => boolean): Pieces<T | undefined> {
  let seen = 0;
  for (const item of items) {
    if (++seen % ITEMS_OF_A_PIECE === 0) yield;
    if (isWanted(item)) return item;
  }
  return undefined;
}

/** A map that has an entry of each of many small things, in pieces. */
export function* mapOfInPieces<T, K, V>(
  items: Iterable<T>,
  entryOf: (item: T) => readonly [K, V],
): Pieces<Map<K, V>> {
  const map = new Map<K, V>();
  yield* eachInPieces(items, (item) => map.set(...entryOf(item)));
  return map;
}

/** Many small things by what they have in common, in pieces; those of a group are in their order. */
export function* groupInPieces<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Pieces<Map<K, T[]>> {
  const groups = new Map<K, T[]>();
  yield* eachInPieces(items, (item) => {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  });
  return groups;
}

/** Does work at once, for little of it. */
export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
