import { Turns } from "./turns.ts";

/**
 * Does work on every item, `size` at once at most; the results are in the order of the items. Others have their turn in
 * between, also where the work waits for nothing but memory.
 */
export async function inPool<Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const turns = new Turns();
  const worker = async () => {
    for (const [at, item] of queue) {
      results[at] = await work(item);
      if (turns.isOver) await turns.next();
    }
  };
  await Promise.all(Array.from({ length: Math.min(size, items.length) }, worker));
  return results;
}
