import { JsonClient, type JsonRequest, type JsonResponse } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import type { NotificationRecord, NotificationStorage } from "../../../src/core/status/notificationMemory.ts";
import { StatusMonitor, type StatusSettings } from "../../../src/core/status/statusMonitor.ts";
import type { StatusNotification } from "../../../src/core/status/statusNotifications.ts";
import { startServer, type LoopbackServer } from "../../rig/loopback/httpServer.ts";
import { startStatusPage, type StatusPageServer } from "../../sandbox/statusPage.ts";
import { WorkSigns } from "../../../src/core/status/workSigns.ts";
import { manualClock, turnOver, type ManualClock } from "./manualClock.ts";

/** Nine in the morning of a Tuesday, in the time zone of the tests, which is UTC. */
export const MORNING = Date.parse("2026-11-24T09:00:00Z");

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A monitor with real requests to a status page and two services on loopback, and a clock that a test moves. */
export interface StatusWorld {
  readonly page: StatusPageServer;
  readonly verification: LoopbackServer;
  readonly ledger: LoopbackServer;
  readonly clock: ManualClock;
  readonly monitor: StatusMonitor;
  readonly notifications: StatusNotification[];
  /** Somebody works with Ledger Lens all the time, unless a test says otherwise. */
  readonly work: WorkSigns;
  /** Changed by a test as a user changes them; `settingsChanged` has to be called. */
  settings: StatusSettings;
  /** When requests for the summary went out, in milliseconds since the morning. */
  readonly polls: number[];
  /** Every request runs into this instead of the network. */
  cut: ((request: JsonRequest) => Error | undefined) | undefined;
  /** What the page's address answers instead of its summary. */
  answer: unknown;
}

/** A storage that forgets at the end of the test. */
export function memoryStorage(): NotificationStorage & { value: NotificationRecord | undefined } {
  return {
    value: undefined,
    get() {
      return this.value;
    },
    set(value) {
      // As the editor keeps it.
      this.value = JSON.parse(JSON.stringify(value)) as NotificationRecord;
    },
  };
}

/** Starts everything; `stops` receives what ends it. */
export async function statusWorld(
  stops: (() => Promise<void> | void)[],
  options: {
    readonly start?: number;
    readonly focused?: boolean;
    /** Whether a view is visible from the start. */
    readonly works?: boolean;
    readonly maxAgeSeconds?: number;
    readonly storage?: NotificationStorage;
    readonly random?: () => number;
    readonly settings?: Partial<StatusSettings>;
  } = {},
): Promise<StatusWorld> {
  const start = options.start ?? MORNING;
  let underWay = 0;
  // An answer is read in turns of the event loop, and how many these are is up to the machine: only the end of the poll counts.
  const isBusy = () => underWay > 0 || monitor.state.checking;
  const clock = manualClock(start, async () => {
    for (let wasBusy = true; wasBusy;) {
      wasBusy = isBusy();
      await turnOver();
      wasBusy ||= isBusy();
    }
  });
  const page = await startStatusPage({
    now: () => clock.now(),
    ...(options.maxAgeSeconds !== undefined && { maxAgeSeconds: options.maxAgeSeconds }),
  });
  const verification = await startServer((_request, response) => response.end("Alive and kicking!"));
  const ledger = await startServer((_request, response) => response.end('{"released_supply":"1"}'));
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", clock });
  const polls: number[] = [];
  const notifications: StatusNotification[] = [];
  stops.push(
    () => client.dispose(),
    () => page.stop(),
    () => verification.stop(),
    () => ledger.stop(),
  );
  const request = async (sent: JsonRequest): Promise<JsonResponse> => {
    if (sent.url.endsWith("/summary.json")) polls.push(clock.now() - start);
    underWay++;
    try {
      const fault = set.cut?.(sent);
      if (fault) throw fault;
      if (set.answer !== undefined && sent.url.endsWith("/summary.json"))
        return { status: 200, headers: {}, body: set.answer, text: "", durationMs: 1 };
      return await client.request(sent);
    } finally {
      underWay--;
    }
  };
  const settings: StatusSettings = {
    statusUrl: page.url,
    verificationUrl: verification.url,
    ledgerUrl: ledger.url,
    pollSeconds: 180,
    names: [],
    networkId: "mainnet",
    notifications: true,
    ...options.settings,
  };
  const set: Pick<StatusWorld, "settings" | "cut" | "answer"> = {
    settings,
    cut: undefined,
    answer: undefined,
  };
  const work = new WorkSigns(() => clock.now());
  work.shows(polls, options.works ?? true);
  const monitor: StatusMonitor = new StatusMonitor({
    client: { request },
    clock,
    random: options.random ?? (() => 0),
    settings: () => set.settings,
    storage: options.storage ?? memoryStorage(),
    work,
    focused: options.focused ?? true,
    onNotification: (notification) => notifications.push(notification),
    timeZone: "UTC",
  });
  stops.push(() => monitor.dispose());
  return Object.assign(set, { page, verification, ledger, clock, monitor, notifications, work, polls });
}
