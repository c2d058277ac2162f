import type { Clock } from "../src/core/concurrency/clock.ts";
import { JsonClient } from "../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../test/rig/directNetwork.ts";
import { PollLoop } from "../src/core/status/pollLoop.ts";
import { nextPollMs } from "../src/core/status/pollPace.ts";
import { StatusPage } from "../src/core/status/statusPage.ts";
import { startStatusPage } from "../test/sandbox/statusPage.ts";
import { random, type Random } from "../test/unit/random.ts";

const INSTALLED = 1_000_000;
/** So many are simulated; each stands for as many others. */
const SIMULATED = 2000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Everybody lives in one time zone, which is the worst case: opened around nine, closed nine hours later. */
const OPENED = [8.5 * HOUR, 9.5 * HOUR] as const;
const OPEN_FOR = 9 * HOUR;
const BREAK = [3.5 * HOUR, 4.5 * HOUR] as const;
/** The status page itself is down in the busiest part of the day. */
const OUTAGE = [15 * HOUR, 15.5 * HOUR] as const;
/** Of those who sit before their editor when an outage begins or ends, so many look by hand in the next ten minutes. */
const CURIOUS = 0.3;
const FIXED_MS = 300 * SECOND;

/** How people use their windows. */
interface Habit {
  readonly name: string;
  readonly windows: number;
  /** Mean time in one window and then elsewhere; without it the one window is always in focus while open. */
  readonly glanceMs?: number;
  /** Of the time open, breaks left aside. */
  readonly focusedShare: number;
}

const HABITS: readonly Habit[] = [
  { name: "one window, in focus for 8 of the 9 h that it is open", windows: 1, focusedShare: 1 },
  {
    name: "two windows, one of them in focus half of the time",
    windows: 2,
    glanceMs: 4 * MINUTE,
    focusedShare: 0.5,
  },
];

/** Requests by minute of the day: with a body in the answer, and without. */
interface Load {
  readonly full: Float64Array;
  readonly light: Float64Array;
}

/** Time in steps of a second for many thousands of sleepers. */
class SteppedClock implements Clock {
  #now = 0;
  readonly #bySecond = new Map<number, (() => void)[]>();

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      // A caller that is no longer waited for is woken and looks at its signal.
      const second = Math.ceil((this.#now + milliseconds) / SECOND);
      this.at(second * SECOND, () => {
        if (!signal?.aborted) resolve();
      });
    });
  }

  at(time: number, wake: () => void): void {
    const second = Math.max(Math.ceil(time / SECOND), Math.floor(this.#now / SECOND) + 1);
    const due = this.#bySecond.get(second);
    if (due) due.push(wake);
    else this.#bySecond.set(second, [wake]);
  }

  async run(until: number): Promise<void> {
    for (let second = 0; second * SECOND <= until; second++) {
      this.#now = second * SECOND;
      const due = this.#bySecond.get(second);
      if (!due) continue;
      this.#bySecond.delete(second);
      for (const wake of due) wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** A day of the policy, by its own loop and pace. */
async function simulatePolicy(habit: Habit, settingSeconds: number, seeded: Random): Promise<Load> {
  const clock = new SteppedClock();
  const load = emptyLoad();
  for (let editor = 0; editor < SIMULATED; editor++) {
    const { openedAt, closedAt, breakAt, backAt } = dayOf(seeded);
    const windows = Array.from(
      { length: habit.windows },
      () => new PolledWindow(clock, load, settingSeconds, seeded),
    );
    clock.at(openedAt, () => {
      for (const window of windows) window.loop.use();
    });
    const isThere = (time: number) => time < closedAt && (time < breakAt || time >= backAt);
    if (habit.glanceMs === undefined) {
      const [window] = windows;
      for (const [time, focused] of [
        [openedAt, true],
        [breakAt, false],
        [backAt, true],
      ] as const)
        clock.at(time, () => window && (window.loop.focused = focused));
    } else {
      for (let time = openedAt; time < closedAt;) {
        const window = windows[seeded.below(windows.length)];
        const until = Math.min(time + exponential(habit.glanceMs, seeded), closedAt);
        if (window && isThere(time)) {
          clock.at(time, () => (window.loop.focused = true));
          clock.at(until, () => (window.loop.focused = false));
        }
        time = until + exponential(habit.glanceMs, seeded);
      }
    }
    clock.at(closedAt, () => {
      for (const window of windows) window.loop.dispose();
    });
    for (const moment of OUTAGE) {
      if (seeded.next() >= CURIOUS) continue;
      const wait = seeded.next() * 10 * MINUTE;
      clock.at(moment, () => {
        const window = windows.find(({ loop }) => loop.focused);
        if (window) clock.at(moment + wait, () => void window.loop.pollNow());
      });
    }
  }
  await clock.run(DAY);
  return load;
}

/** One window of one editor: what the monitor does, without its network. */
class PolledWindow {
  readonly loop: PollLoop;
  #misses = 0;
  #knowsTag = false;
  #dueAt = 0;

  constructor(clock: SteppedClock, load: Load, settingSeconds: number, seeded: Random) {
    this.loop = new PollLoop({
      clock,
      focused: false,
      dueIn: () => Math.max(0, this.#dueAt - clock.now()),
      poll: () => {
        const now = clock.now();
        const isDown = now >= OUTAGE[0] && now < OUTAGE[1];
        count(load, now, this.#knowsTag || isDown ? "light" : "full");
        this.#misses = isDown ? this.#misses + 1 : 0;
        this.#knowsTag ||= !isDown;
        const pace = { settingSeconds, maxAgeMs: 10 * SECOND, misses: this.#misses };
        this.#dueAt = now + nextPollMs(pace, seeded.next());
        return Promise.resolve();
      },
    });
  }
}

/** The same day of a timer that fires every five minutes in every open window, and asks for everything. */
function simulateFixed(habit: Habit, seeded: Random): Load {
  const load = emptyLoad();
  for (let editor = 0; editor < SIMULATED; editor++) {
    const { openedAt, closedAt, breakAt, backAt } = dayOf(seeded);
    for (let window = 0; window < habit.windows; window++) {
      for (let time = openedAt; time < closedAt; time += FIXED_MS) {
        const isDown = time >= OUTAGE[0] && time < OUTAGE[1];
        count(load, time, isDown ? "light" : "full");
      }
    }
    for (const moment of OUTAGE) {
      const isThere = moment > openedAt && moment < closedAt && (moment < breakAt || moment >= backAt);
      if (!isThere || seeded.next() >= CURIOUS * habit.focusedShare) continue;
      const time = moment + seeded.next() * 10 * MINUTE;
      count(load, time, time < OUTAGE[1] ? "light" : "full");
    }
  }
  return load;
}

function dayOf(seeded: Random): { openedAt: number; closedAt: number; breakAt: number; backAt: number } {
  const openedAt = between(OPENED, seeded);
  const breakAt = openedAt + between(BREAK, seeded);
  return { openedAt, closedAt: openedAt + OPEN_FOR, breakAt, backAt: breakAt + HOUR };
}

function between([from, until]: readonly [number, number], { next }: Random): number {
  return from + next() * (until - from);
}

function exponential(mean: number, { next }: Random): number {
  return -Math.log(1 - next()) * mean;
}

function emptyLoad(): Load {
  return { full: new Float64Array(DAY / MINUTE), light: new Float64Array(DAY / MINUTE) };
}

function count({ full, light }: Load, time: number, kind: "full" | "light"): void {
  const minutes = kind === "full" ? full : light;
  const minute = Math.floor(time / MINUTE);
  if (minute < minutes.length) minutes[minute] = (minutes[minute] ?? 0) + INSTALLED / SIMULATED;
}

/** Bytes on the wire of an answer with the summary, and of one without a body; requests included. */
async function measuredBytes(): Promise<{ full: number; light: number }> {
  const server = await startStatusPage();
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "ledger-lens/bench" });
  const page = new StatusPage({ client, clock: { now: Date.now }, url: server.url });
  const read = async () => {
    const before = server.traffic.bytesIn + server.traffic.bytesOut;
    await page.read();
    await new Promise((resolve) => setImmediate(resolve));
    return server.traffic.bytesIn + server.traffic.bytesOut - before;
  };
  const bytes = { full: await read(), light: await read() };
  await client.dispose();
  await server.stop();
  return bytes;
}

/** What a million editors would send to a status page. */
export async function benchStatusLoad(): Promise<void> {
  const seeded = random("a million editors");
  const bytes = await measuredBytes();
  const thousands = (value: number) => Math.round(value).toLocaleString("en-US");
  console.log(
    `status page: ${thousands(bytes.full)} bytes for a summary of 14 components, ${thousands(bytes.light)} where nothing changed; ${thousands(INSTALLED)} editors in one time zone (${thousands(SIMULATED)} simulated), the page down for half an hour at 15:00, ${CURIOUS * 100} % of those in focus look by hand`,
  );
  const print = (name: string, { full, light }: Load) => {
    const perSecond = Array.from(full, (requests, minute) => (requests + (light[minute] ?? 0)) / 60);
    const sum = (values: Iterable<number>) => [...values].reduce((one, other) => one + other, 0);
    const worst = ([from, until]: readonly [number, number]) =>
      Math.max(...perSecond.slice(from / MINUTE, until / MINUTE));
    const day = sum(full) * bytes.full + sum(light) * bytes.light;
    console.log(
      `  ${name}: mean ${thousands(sum(perSecond) / perSecond.length)} requests/s; worst minute ${thousands(worst([10 * HOUR, OUTAGE[0]]))}/s on an ordinary day, ${thousands(worst(OUTAGE))}/s during the outage, ${thousands(worst([OUTAGE[1], OUTAGE[1] + HOUR / 2]))}/s in the half hour after it; ${(day / DAY / 1000).toFixed(1)} MB/s on the mean, ${((sum(light) / (sum(full) + sum(light))) * 100).toFixed(0)} % of answers without a summary`,
    );
  };
  for (const habit of HABITS) {
    const focusedHours = ((OPEN_FOR - HOUR) / HOUR) * habit.focusedShare;
    const paper = (seconds: number, windowHours: number) =>
      thousands((INSTALLED * windowHours * HOUR) / DAY / seconds);
    console.log(
      `${habit.name}; on paper ${paper(180 * 1.1, focusedHours)} requests/s on the mean with the policy, ${paper(FIXED_MS / SECOND, (OPEN_FOR / HOUR) * habit.windows)} with a fixed poll`,
    );
    print("policy, 180 s (default)", await simulatePolicy(habit, 180, seeded));
    print("policy, 300 s", await simulatePolicy(habit, 300, seeded));
    print("fixed five minutes, none of the rules", simulateFixed(habit, seeded));
  }
}
