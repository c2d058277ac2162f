import { JsonClient } from "../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../test/rig/directNetwork.ts";
import { StatusPage } from "../src/core/status/statusPage.ts";
import { startStatusPage } from "../test/sandbox/statusPage.ts";
import { random } from "../test/unit/random.ts";
import {
  DAY,
  HOUR,
  INSTALLED,
  MINUTE,
  OUTAGE,
  PAGE_DOWN,
  requestsOf,
  simulatedDay,
  simulatedFixedDay,
  USE_OF_A_DAY,
  type Habit,
  type Load,
} from "../test/unit/status/millionEditors.ts";

/** So many are simulated; each stands for as many others. */
const SIMULATED = 2000;

const HABITS: readonly Habit[] = [
  { name: "one window, in focus for 8 of the 9 h that it is open", windows: 1, sittings: USE_OF_A_DAY },
  {
    name: "two windows, one of them in focus half of the time",
    windows: 2,
    glanceMs: 4 * MINUTE,
    sittings: USE_OF_A_DAY,
  },
  { name: "one window, and everybody uses Ledger Lens once on that day", windows: 1, sittings: [0, 1] },
  { name: "one window, and everybody uses it three times", windows: 1, sittings: [0, 0, 0, 1] },
];

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
    `status page: ${thousands(bytes.full)} bytes for a summary of 14 components, ${thousands(bytes.light)} where nothing changed; ${thousands(INSTALLED)} editors in one time zone (${thousands(SIMULATED)} simulated), an outage from 11:00 to 11:30, the page itself down from 15:00 to 15:30`,
  );
  const print = (name: string, load: Load) => {
    const { full, light } = load;
    const perSecond = Array.from(full, (requests, minute) => (requests + (light[minute] ?? 0)) / 60);
    const sum = (values: Iterable<number>) => [...values].reduce((one, other) => one + other, 0);
    const worst = (from: number, until: number) =>
      Math.max(...perSecond.slice(from / MINUTE, until / MINUTE));
    const day = sum(full) * bytes.full + sum(light) * bytes.light;
    console.log(
      `  ${name}: mean ${thousands(sum(perSecond) / perSecond.length)} requests/s; worst minute ${thousands(worst(OUTAGE[1] + HOUR, PAGE_DOWN[0]))}/s on an ordinary day, ${thousands(worst(...OUTAGE))}/s during the outage, ${thousands(worst(...PAGE_DOWN))}/s while the page is down, ${thousands(worst(PAGE_DOWN[1], PAGE_DOWN[1] + HOUR / 2))}/s in the half hour after it; ${(day / DAY / 1000).toFixed(1)} MB/s on the mean, ${((sum(light) / (sum(full) + sum(light))) * 100).toFixed(0)} % of answers without a summary`,
    );
  };
  for (const habit of HABITS) {
    console.log(habit.name);
    const fixed = simulatedFixedDay(habit, SIMULATED, seeded);
    print("fixed five minutes, none of the rules", fixed);
    for (const pollSeconds of [180, 300]) {
      const { load, toldAfter } = await simulatedDay(habit, {
        editors: SIMULATED,
        pollSeconds,
        status: "partial_outage",
        seeded,
      });
      const latest = Math.max(0, ...toldAfter) / 1000;
      print(`policy, ${pollSeconds} s`, load);
      console.log(
        `    ${((requestsOf(load) / requestsOf(fixed)) * 100).toFixed(1)} % of the requests of the fixed poll; ${toldAfter.length} in focus waited for a job in the partial outage, told after ${latest.toFixed(0)} s at the latest`,
      );
    }
  }
}
