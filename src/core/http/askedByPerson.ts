import { AsyncLocalStorage } from "node:async_hooks";

const askedAt = new AsyncLocalStorage<number>();

/**
 * Does what a person has just asked for: a service that said before that it wants to wait is asked all the same, since the
 * person may have been told so. What it says from then on holds for this work, too.
 *
 * @param now milliseconds since the epoch
 */
export function askedByPerson<T>(work: () => T, now = Date.now()): T {
  return askedAt.run(now, work);
}

/** When a person asked for the work that goes on; `undefined` for what nobody asked for. */
export function personAskedAt(): number | undefined {
  return askedAt.getStore();
}
