/** What work did to the event loop that it ran on. */
export interface LoopUse {
  /**
   * The longest time for which others did not have their turn, in milliseconds of work of this thread: what other
   * processes take of a busy machine does not count.
   */
  readonly blockMs: number;
  /** How often others had their turn. */
  readonly turns: number;
}

/** Does work and finds out how long it blocked the event loop at most. */
export async function longestBlock(work: () => Promise<unknown>): Promise<LoopUse> {
  let turns = 0;
  let longest = 0;
  let last = threadMs();
  let isDone = false;
  const tick = () => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
    turns++;
    if (!isDone) setImmediate(tick);
  };
  await new Promise((resolve) => setImmediate(resolve));
  last = threadMs();
  setImmediate(tick);
  try {
    await work();
    // What was done after the last turn counts as well.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    isDone = true;
  }
  return { blockMs: longest, turns };
}

/** Milliseconds for which this thread has worked. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
