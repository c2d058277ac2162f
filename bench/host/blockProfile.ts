import { Session, type Profiler } from "node:inspector";
import { promisify } from "node:util";
import { longestBlock, type Block, type LoopUse } from "../../test/rig/longestBlock.ts";

/** Blocks shorter than this are not explained. */
const MIN_MS = 30;
/** So many blocks are explained, the longest first. */
const MAX_BLOCKS = 4;
/** Of a block, the calls that took at least this part of it. */
const MIN_PART = 0.06;

/** What work did to the event loop, and what the thread did in the longest blocks: a line for each call. */
export interface ExplainedUse extends LoopUse {
  readonly explanation: readonly string[];
}

/** What was called in a time, with what it called itself. */
interface Call {
  readonly name: string;
  ms: number;
  readonly calls: Map<string, Call>;
}

/** As {@link longestBlock}, with a profile of the thread. */
export async function explainedBlocks(work: () => Promise<unknown>): Promise<ExplainedUse> {
  const session = new Session();
  session.connect();
  const post = promisify(session.post.bind(session)) as (name: string, args?: object) => Promise<unknown>;
  await post("Profiler.enable");
  await post("Profiler.setSamplingInterval", { interval: 500 });
  await post("Profiler.start");
  const use = await longestBlock(work);
  const { profile } = (await post("Profiler.stop")) as Profiler.StopReturnType;
  session.disconnect();
  const blocks = use.blocks.filter(({ cpuMs }) => cpuMs >= MIN_MS).slice(0, MAX_BLOCKS);
  return { ...use, explanation: blocks.flatMap((block) => explained(block, profile)) };
}

function explained(block: Block, profile: Profiler.Profile): string[] {
  // The profiler's clock is that of the system, in microseconds; `performance.now()` counts from the start.
  const offset = Number(process.hrtime.bigint() / 1000n) - performance.now() * 1000;
  const to = block.endedAt * 1000 + offset;
  const from = to - block.wallMs * 1000;
  const root = callsBetween(profile, from, to);
  return [
    `    block of ${block.cpuMs.toFixed(1)} ms (${block.wallMs.toFixed(1)} ms by the clock)`,
    ...lines(root, root.ms * MIN_PART, "      "),
  ];
}

/** @param from microseconds */
function callsBetween(profile: Profiler.Profile, from: number, to: number): Call {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const root: Call = { name: "", ms: 0, calls: new Map() };
  let at = profile.startTime;
  for (const [index, id] of (profile.samples ?? []).entries()) {
    at += profile.timeDeltas?.[index] ?? 0;
    const next = at + (profile.timeDeltas?.[index + 1] ?? 0);
    const ms = (Math.min(next, to) - Math.max(at, from)) / 1000;
    if (ms <= 0) continue;
    const names: string[] = [];
    for (let one: number | undefined = id; one !== undefined; one = parents.get(one)) {
      const frame = nodes.get(one)?.callFrame;
      if (frame && frame.functionName !== "(root)") names.unshift(nameOf(frame));
    }
    let call = root;
    root.ms += ms;
    for (const name of names) {
      const inner = call.calls.get(name) ?? { name, ms: 0, calls: new Map<string, Call>() };
      call.calls.set(name, inner);
      inner.ms += ms;
      call = inner;
    }
  }
  return root;
}

function nameOf({
  functionName,
  url,
  lineNumber,
  columnNumber,
}: Profiler.Profile["nodes"][number]["callFrame"]) {
  const file = url.split("/").slice(-2).join("/");
  return `${functionName || "(anonymous)"}${file && ` ${file}:${lineNumber + 1}:${columnNumber + 1}`}`;
}

function lines({ calls }: Call, least: number, indent: string): string[] {
  return [...calls.values()]
    .filter(({ ms }) => ms >= least)
    .sort((one, other) => other.ms - one.ms)
    .flatMap((call) => {
      // A chain of calls with one that matters stands in one column.
      const inner = [...call.calls.values()].filter(({ ms }) => ms >= least);
      const deeper = inner.length > 1 ? `${indent}| ` : indent;
      return [`${indent}${call.ms.toFixed(1)} ms ${call.name}`, ...lines(call, least, deeper)];
    });
}
