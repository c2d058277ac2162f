import { threadMs } from "./threadTime.ts";

/** A time for which others did not have their turn, in milliseconds. */
export interface Block {
  /** Work of this thread: what other processes take of a busy machine does not count. */
  readonly cpuMs: number;
  /** By the clock. */
  readonly wallMs: number;
  /** When it ended, by `performance.now()`. */
  readonly endedAt: number;
}

/** What work did to the event loop that it ran on. */
export interface LoopUse {
  /** The longest of its blocks in {@link Block.cpuMs}. */
  readonly blockMs: number;
  /** The longest by the clock, which is another one where the machine is busy or the disk slow. */
  readonly wallMs: number;
  /** How often others had their turn. */
  readonly turns: number;
  /** The longest blocks, the longest first. */
  readonly blocks: readonly Block[];
}

/** So many of the longest blocks are kept. */
const KEPT = 10;

/** Does work and finds out how long it blocked the event loop at most. */
export async function longestBlock(work: () => Promise<unknown>): Promise<LoopUse> {
  let turns = 0;
  let wallMs = 0;
  let blocks: readonly Block[] = [];
  let isDone = false;
  let last = { cpu: 0, wall: 0 };
  const tick = () => {
    const now = { cpu: threadMs(), wall: performance.now() };
    const block = { cpuMs: now.cpu - last.cpu, wallMs: now.wall - last.wall, endedAt: now.wall };
    wallMs = Math.max(wallMs, block.wallMs);
    const least = blocks.length < KEPT ? 0 : (blocks.at(-1)?.cpuMs ?? 0);
    if (block.cpuMs > least)
      blocks = [...blocks, block].sort((one, other) => other.cpuMs - one.cpuMs).slice(0, KEPT);
    last = now;
    turns++;
    if (!isDone) setImmediate(tick);
  };
  await new Promise((resolve) => setImmediate(resolve));
  last = { cpu: threadMs(), wall: performance.now() };
  setImmediate(tick);
  try {
    await work();
    // What was done after the last turn counts as well.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    isDone = true;
  }
  return { blockMs: blocks[0]?.cpuMs ?? 0, wallMs, turns, blocks };
}
