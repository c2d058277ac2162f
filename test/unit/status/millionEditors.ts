import type { JsonClient, JsonResponse } from "../../../src/core/http/jsonClient.ts";
import { StatusMonitor } from "../../../src/core/status/statusMonitor.ts";
import { WorkSigns } from "../../../src/core/status/workSigns.ts";
import type { Random } from "../random.ts";
import { SteppedClock } from "./steppedClock.ts";
import { memoryStorage } from "./statusWorld.ts";

const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const INSTALLED = 1_000_000;
/** Everybody lives in one time zone, which is the worst case: opened around nine, closed nine hours later. */
const OPENED = [8.5 * HOUR, 9.5 * HOUR] as const;
const OPEN_FOR = 9 * HOUR;
const BREAK = [3.5 * HOUR, 4.5 * HOUR] as const;
/** A part of the network is out, and the page tells so. */
export const OUTAGE = [11 * HOUR, 11.5 * HOUR] as const;
/** The status page itself does not answer, in the busiest part of the day. */
export const PAGE_DOWN = [15 * HOUR, 15.5 * HOUR] as const;
/** Of those who sit before their editor when one of these begins or ends, so many look by hand in the next ten minutes. */
const CURIOUS = 0.3;
export const FIXED_MS = 5 * MINUTE;
/** A view stays visible for so long at a time, on the mean. */
const SITTING_MS = 8 * MINUTE;
/** A job is looked at so often within its first hour; `jobPollPace.ts`. */
const JOB_LOOK_MS = MINUTE;
const PAGE_URL = "http://127.0.0.1:1/page";
const MIRROR = "Mirror Node REST API Public Mainnet";

/** An ordinary day: who uses Ledger Lens not at all, once, twice and four times. In a window without use nothing is asked. */
export const USE_OF_A_DAY = [0.4, 0.3, 0.2, 0, 0.1];

/** How people use their windows. */
export interface Habit {
  readonly name: string;
  readonly windows: number;
  /** Mean time in one window and then elsewhere; without it the one window is always in focus while open. */
  readonly glanceMs?: number;
  /** The shares of editors that use Ledger Lens so often on that day, by the number of times. */
  readonly sittings: readonly number[];
}

/** Requests by minute of the day: with a body in the answer, and without. */
export interface Load {
  readonly full: Float64Array;
  readonly light: Float64Array;
}

/** What came of a day. */
export interface Day {
  readonly load: Load;
  /** Of each editor in focus with a job whose requests fail in the outage: milliseconds until it was told. */
  readonly toldAfter: readonly number[];
  /** Editors in focus with such a job that were not told. */
  readonly untold: number;
}

/**
 * A day of so many editors, by the extension's own monitor with its pace, its memory and its notifications; only the
 * network is played.
 *
 * @param status what the part of the network says in the outage
 */
export async function simulatedDay(
  habit: Habit,
  options: {
    readonly editors: number;
    readonly pollSeconds: number;
    readonly status: "partial_outage" | "major_outage";
    readonly seeded: Random;
  },
): Promise<Day> {
  const { editors, seeded } = options;
  const clock = new SteppedClock();
  const load = emptyLoad();
  const page = playedPage(clock, load, INSTALLED / editors, options.status);
  const toldAfter: number[] = [];
  let waiting = 0;
  for (let editor = 0; editor < editors; editor++) {
    const day = dayOf(seeded);
    const windows = Array.from({ length: habit.windows }, () => new SimulatedWindow(clock, page, options));
    for (const { from, until, at } of focusOf(habit, day, seeded)) windows[at]?.focus(from, until);
    const inFocus = (time: number) => windows.find((window) => window.isFocusedThrough(time, time));
    for (let sitting = sittingsOf(habit, seeded); sitting > 0; sitting--) {
      const at = timeInFocus(day, inFocus, seeded);
      const until = Math.min(at + exponential(SITTING_MS, seeded), day.closedAt);
      const window = inFocus(at);
      clock.at(at, () => window?.sit(until));
    }
    // One in ten waits for a job that was submitted within the hour before the outage; what is so at the first look of a
    // window is shown to whoever opens it, and no news.
    const submittedAt = OUTAGE[0] - MINUTE - seeded.next() * (HOUR - MINUTE);
    const window = inFocus(submittedAt);
    if (window && seeded.below(10) === 0) {
      const until = submittedAt + exponential(SITTING_MS, seeded);
      clock.at(submittedAt, () => {
        window.sit(until);
      });
      const failsAt = OUTAGE[0] + seeded.next() * JOB_LOOK_MS;
      for (let at = failsAt; at < OUTAGE[1]; at += JOB_LOOK_MS)
        clock.at(at, () => {
          if (window.isFocusedThrough(at, at)) window.monitor.requestFailed();
        });
      clock.at(OUTAGE[0] + 10 * MINUTE, () => {
        if (!window.isFocusedThrough(OUTAGE[0] - MINUTE, OUTAGE[0] + 5 * MINUTE)) return;
        if (window.toldAt === undefined) waiting++;
        else toldAfter.push(window.toldAt - OUTAGE[0]);
      });
    }
    for (const moment of [...OUTAGE, ...PAGE_DOWN]) {
      if (seeded.next() >= CURIOUS) continue;
      const at = moment + seeded.next() * 10 * MINUTE;
      const looked = inFocus(at);
      clock.at(at, () => {
        if (looked?.isUsed === true) looked.look();
      });
    }
    clock.at(day.closedAt, () => {
      for (const window of windows) window.monitor.dispose();
    });
  }
  await clock.run(DAY, () => page.underWay === 0);
  return { load, toldAfter, untold: waiting };
}

/** The same day of a timer that fires every five minutes in every open window, and asks for everything. */
export function simulatedFixedDay(habit: Habit, editors: number, seeded: Random): Load {
  const load = emptyLoad();
  for (let editor = 0; editor < editors; editor++) {
    const { openedAt, closedAt } = dayOf(seeded);
    for (let window = 0; window < habit.windows; window++)
      for (let time = openedAt; time < closedAt; time += FIXED_MS)
        count(load, time, isDown(time) ? "light" : "full", INSTALLED / editors);
  }
  return load;
}

/** All requests of a day. */
export function requestsOf({ full, light }: Load): number {
  return [...full, ...light].reduce((one, other) => one + other, 0);
}

/** One window of one editor. */
class SimulatedWindow {
  readonly monitor: StatusMonitor;
  toldAt: number | undefined;
  isUsed = false;
  readonly #clock: SteppedClock;
  readonly #work: WorkSigns;
  readonly #focus: { readonly from: number; readonly until: number }[] = [];

  constructor(
    clock: SteppedClock,
    client: Pick<JsonClient, "request">,
    { pollSeconds, seeded }: { readonly pollSeconds: number; readonly seeded: Random },
  ) {
    this.#clock = clock;
    this.#work = new WorkSigns(() => clock.now());
    this.monitor = new StatusMonitor({
      client,
      clock,
      random: seeded.next,
      work: this.#work,
      focused: false,
      storage: memoryStorage(),
      settings: () => ({
        names: [],
        networkId: "mainnet",
        statusUrl: PAGE_URL,
        verificationUrl: "http://127.0.0.1:1/verification",
        ledgerUrl: "http://127.0.0.1:1/ledger",
        pollSeconds,
        notifications: true,
      }),
      onNotification: ({ message }) => {
        if (message.includes(MIRROR)) this.toldAt ??= clock.now();
      },
      timeZone: "UTC",
    });
  }

  focus(from: number, until: number): void {
    this.#focus.push({ from, until });
    this.#clock.at(from, () => (this.monitor.focused = true));
    this.#clock.at(until, () => (this.monitor.focused = false));
  }

  isFocusedThrough(from: number, until: number): boolean {
    return this.#focus.some((one) => one.from <= from && one.until >= until);
  }

  /** Somebody runs a command, which opens a view; from then on the item of the status bar is kept up to date. */
  sit(until: number): void {
    if (!this.isUsed) this.monitor.use();
    this.isUsed = true;
    const view = {};
    this.#work.sign();
    this.#work.shows(view, true);
    this.#clock.at(until, () => {
      this.#work.shows(view, false);
    });
  }

  look(): void {
    this.#work.sign();
    void this.monitor.refresh();
  }
}

/** A status page and two services, without a network between. */
function playedPage(
  clock: SteppedClock,
  load: Load,
  weight: number,
  status: string,
): Pick<JsonClient, "request"> & { readonly underWay: number } {
  let underWay = 0;
  const answer = (known: string | undefined, now: number): JsonResponse => {
    const headers = { "cache-control": "max-age=10", etag: tagAt(now) };
    if (isDown(now)) return { status: 503, headers: {}, body: undefined, text: "", durationMs: 1 };
    const isKnown = known === headers.etag;
    return {
      status: isKnown ? 304 : 200,
      headers,
      body: isKnown ? undefined : summaryAt(now, status),
      text: "",
      durationMs: 1,
    };
  };
  return {
    get underWay() {
      return underWay;
    },
    request: async ({ url, headers }) => {
      if (!url.startsWith(PAGE_URL))
        return { status: 200, headers: {}, body: undefined, text: "", durationMs: 1 };
      underWay++;
      const answered = answer(headers?.["if-none-match"], clock.now());
      count(load, clock.now(), answered.status === 200 ? "full" : "light", weight);
      // A summary is read in turns of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return answered;
    },
  };
}

function tagAt(now: number): string {
  return now < OUTAGE[0] ? 'W/"before"' : now < OUTAGE[1] ? 'W/"out"' : 'W/"after"';
}

function summaryAt(now: number, status: string): object {
  const isOut = now >= OUTAGE[0] && now < OUTAGE[1];
  const changed = now < OUTAGE[0] ? 0 : isOut ? OUTAGE[0] : OUTAGE[1];
  return {
    page: { id: "page", name: "Hedera", url: "https://status.example" },
    status: {
      indicator: isOut ? "critical" : "none",
      description: isOut ? "Outage" : "All Systems Operational",
    },
    components: [
      {
        id: "mirror",
        name: MIRROR,
        status: isOut ? status : "operational",
        updated_at: new Date(changed).toISOString(),
      },
    ],
    incidents: [],
    scheduled_maintenances: [],
  };
}

function isDown(now: number): boolean {
  return now >= PAGE_DOWN[0] && now < PAGE_DOWN[1];
}

interface TimesOfDay {
  readonly openedAt: number;
  readonly closedAt: number;
  readonly breakAt: number;
  readonly backAt: number;
}

function dayOf(seeded: Random): TimesOfDay {
  const openedAt = between(OPENED, seeded);
  const breakAt = openedAt + between(BREAK, seeded);
  return { openedAt, closedAt: openedAt + OPEN_FOR, breakAt, backAt: breakAt + HOUR };
}

function isThere({ openedAt, closedAt, breakAt, backAt }: TimesOfDay, time: number): boolean {
  return time >= openedAt && time < closedAt && (time < breakAt || time >= backAt);
}

/** When which window is in focus. */
function focusOf(
  { glanceMs, windows }: Habit,
  day: TimesOfDay,
  seeded: Random,
): { from: number; until: number; at: number }[] {
  const { openedAt, closedAt, breakAt, backAt } = day;
  if (glanceMs === undefined)
    return [
      { from: openedAt, until: breakAt, at: 0 },
      { from: backAt, until: closedAt, at: 0 },
    ];
  const focus: { from: number; until: number; at: number }[] = [];
  for (let time = openedAt; time < closedAt;) {
    const until = Math.min(time + exponential(glanceMs, seeded), closedAt);
    if (isThere(day, time)) focus.push({ from: time, until, at: seeded.below(windows) });
    time = until + exponential(glanceMs, seeded);
  }
  return focus;
}

/** A time of the day at which one of the windows is in focus. */
function timeInFocus({ openedAt }: TimesOfDay, inFocus: (time: number) => unknown, { next }: Random): number {
  for (;;) {
    const time = openedAt + next() * OPEN_FOR;
    if (inFocus(time) !== undefined) return time;
  }
}

/** How often one editor uses Ledger Lens on that day. */
function sittingsOf({ sittings }: Habit, { next }: Random): number {
  let left = next();
  for (const [count, share] of sittings.entries()) {
    left -= share;
    if (left < 0) return count;
  }
  return 0;
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

function count({ full, light }: Load, time: number, kind: "full" | "light", weight: number): void {
  const minutes = kind === "full" ? full : light;
  const minute = Math.floor(time / MINUTE);
  if (minute < minutes.length) minutes[minute] = (minutes[minute] ?? 0) + weight;
}
