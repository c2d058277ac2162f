import { isCancellation, LedgerLensError } from "../errors.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { JsonClient } from "../http/jsonClient.ts";
import { isLoopback } from "../http/networkSettings.ts";
import { NotificationMemory, type NotificationStorage } from "./notificationMemory.ts";
import { PollLoop } from "./pollLoop.ts";
import { nextPollMs, pollIntervalMs } from "./pollPace.ts";
import { HealthProbe, isConnectionFault, type MeasuredService } from "./serviceHealth.ts";
import { StatusNotifications, type StatusNotification } from "./statusNotifications.ts";
import { StatusPage, StatusPageError, type StatusReading } from "./statusPage.ts";
import type { StatusState } from "./statusState.ts";
import type { StatusSummary } from "./statusSummary.ts";
import { watchedComponents, type WatchChoice } from "./statusWatch.ts";
import type { TimeZone } from "../text/timeWords.ts";

/** The settings that count, read at the moment of use. */
export interface StatusSettings extends WatchChoice {
  readonly statusUrl: string;
  readonly verificationUrl: string;
  readonly ledgerUrl: string;
  /** `ledgerLens.statusPollSeconds`. */
  readonly pollSeconds: number;
  /** Whether changes are told. */
  readonly notifications: boolean;
}

/** What the monitor stands on. */
interface StatusMonitorOptions {
  readonly client: Pick<JsonClient, "request">;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly settings: () => StatusSettings;
  readonly storage: NotificationStorage;
  /** Whether the window is in focus now. */
  readonly focused: boolean;
  readonly onNotification: (notification: StatusNotification) => void;
  readonly timeZone?: TimeZone;
}

/**
 * Keeps an eye on the services: one poll for the page, the health of the two other services, the view, the status
 * bar and the notifications together. Nothing is asked before it is used.
 */
export class StatusMonitor {
  readonly memory: NotificationMemory;
  readonly #options: StatusMonitorOptions;
  readonly #loop: PollLoop;
  readonly #notifications: StatusNotifications;
  readonly #listeners = new Set<() => void>();
  readonly #verification: HealthProbe;
  readonly #ledger: HealthProbe;
  #page: StatusPage;
  #state: Omit<StatusState, "verification" | "ledger">;
  #lastError: unknown;
  #maxAgeMs = 0;
  #retryAfterMs: number | undefined;
  /** Milliseconds since the epoch of the end of the last poll, and how long to wait from then on. */
  #last: { readonly at: number; readonly waitMs: number } | undefined;

  constructor(options: StatusMonitorOptions) {
    this.#options = options;
    const { client, clock, settings, focused, storage } = options;
    const { statusUrl, verificationUrl, ledgerUrl } = settings();
    this.memory = new NotificationMemory(storage);
    this.#notifications = new StatusNotifications(this.memory);
    this.#page = new StatusPage({ client, clock, url: statusUrl });
    this.#state = nothingKnown(this.#page.host);
    this.#verification = new HealthProbe({ client, clock, service: "verification", url: verificationUrl });
    this.#ledger = new HealthProbe({ client, clock, service: "ledger", url: ledgerUrl });
    this.#loop = new PollLoop({
      clock,
      focused,
      poll: (signal) => this.#poll(signal),
      dueIn: () => this.#dueIn(),
    });
  }

  /** Everything that is known; a new object after every change. */
  get state(): StatusState {
    return { ...this.#state, verification: this.#verification.health, ledger: this.#ledger.health };
  }

  /** What an explanation of a failed request needs. */
  get known(): { readonly summary: StatusSummary; readonly confirmedAt: number } | undefined {
    const { summary, confirmedAt } = this.#state;
    return summary && confirmedAt !== undefined ? { summary, confirmedAt } : undefined;
  }

  /** Calls the listener after every change; the answer ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The result is shown from now on, so it is polled; the answer ends that. */
  use(): () => void {
    return this.#loop.use();
  }

  /** Whether the window is in focus. When it comes back, what fell due is asked for at once. */
  set focused(focused: boolean) {
    const isBack = focused && !this.#loop.focused;
    // A user who comes back to a machine that was offline need not sit out the pause.
    if (isBack && this.#state.offline && this.#last) {
      const { settings } = this.#options;
      const waitMs = pollIntervalMs({ settingSeconds: settings().pollSeconds, maxAgeMs: 0 });
      this.#last = { at: this.#last.at, waitMs: Math.min(this.#last.waitMs, waitMs) };
    }
    this.#loop.focused = focused;
  }

  /** Asks now, because the user wants to know; a page that asked to be left alone is. */
  async refresh(): Promise<StatusState> {
    this.#adoptSettings();
    const passed = this.#options.clock.now() - (this.#last?.at ?? 0);
    if (this.#retryAfterMs === undefined || passed >= this.#retryAfterMs || passed < 0)
      await this.#loop.pollNow();
    return this.state;
  }

  /**
   * The summary as it is now.
   *
   * @throws StatusPageError or HttpError when the page does not tell
   */
  async summary(): Promise<StatusSummary> {
    const { summary, misses } = await this.refresh();
    if (summary && misses === 0) return summary;
    throw this.#lastError instanceof Error
      ? this.#lastError
      : new LedgerLensError(
          "cancelled",
          "The status page was not asked to the end: the request was cancelled.",
        );
  }

  /** Takes note of a real request to one of the services, so that it need not be asked just for its health. */
  reportOutcome(service: MeasuredService, outcome: Parameters<HealthProbe["reportOutcome"]>[0]): void {
    (service === "verification" ? this.#verification : this.#ledger).reportOutcome(outcome);
    this.#changed({});
  }

  /** Takes changed settings into account; another page is asked at once. */
  settingsChanged(): void {
    this.#adoptSettings();
    this.#changed({});
    this.#loop.wake();
  }

  /** Ends every timer and request. */
  dispose(): void {
    this.#loop.dispose();
    this.#listeners.clear();
  }

  #adoptSettings(): void {
    const { client, clock, settings } = this.#options;
    const { statusUrl, verificationUrl, ledgerUrl, pollSeconds } = settings();
    this.#verification.url = verificationUrl;
    this.#ledger.url = ledgerUrl;
    const page = new StatusPage({ client, clock, url: statusUrl });
    if (page.url !== this.#page.url) {
      this.#page = page;
      this.#state = nothingKnown(page.host);
      this.#notifications.reset();
      this.#lastError = undefined;
      this.#retryAfterMs = undefined;
      this.#last = undefined;
    } else if (this.#last) {
      this.#last = { at: this.#last.at, waitMs: this.#waitMs(pollSeconds) };
    }
  }

  #dueIn(): number {
    if (!this.#last) return 0;
    const { at, waitMs } = this.#last;
    // Bounded by the wait itself, in case the clock was set back.
    return Math.min(Math.max(0, at + waitMs - this.#options.clock.now()), waitMs);
  }

  #waitMs(settingSeconds: number): number {
    const { misses, offline } = this.#state;
    // Requests that never leave this machine cost the service nothing, and the user waits for the network.
    const counted = offline ? Math.min(misses, 1) : misses;
    return nextPollMs(
      { settingSeconds, maxAgeMs: this.#maxAgeMs, misses: counted, retryAfterMs: this.#retryAfterMs },
      this.#options.random(),
    );
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const page = this.#page;
    const { pollSeconds } = this.#options.settings();
    this.#changed({ checking: true });
    const probes = [this.#verification, this.#ledger].filter((probe) => probe.isDue(pollSeconds));
    const [reading] = await Promise.all([
      page.read(signal).catch((error: unknown) => ({ error })),
      ...probes.map((probe) => probe.check(signal)),
    ]);
    if (signal.aborted || page !== this.#page) {
      this.#changed({ checking: false });
      return;
    }
    if ("error" in reading) this.#missed(reading.error);
    else this.#read(reading);
    // As the setting is now: it may have changed meanwhile.
    this.#last = {
      at: this.#options.clock.now(),
      waitMs: this.#waitMs(this.#options.settings().pollSeconds),
    };
  }

  #read({ summary, maxAgeMs }: StatusReading): void {
    const now = this.#options.clock.now();
    this.#maxAgeMs = maxAgeMs;
    this.#retryAfterMs = undefined;
    this.#lastError = undefined;
    this.#changed({
      summary,
      confirmedAt: now,
      misses: 0,
      miss: undefined,
      offline: false,
      checking: false,
    });
    const { settings, onNotification, timeZone } = this.#options;
    const choice = settings();
    const notifications = this.#notifications.observe(summary, {
      now,
      watch: watchedComponents(summary, choice),
      timeZone,
    });
    if (choice.notifications) for (const notification of notifications) onNotification(notification);
  }

  #missed(error: unknown): void {
    if (isCancellation(error)) {
      this.#changed({ checking: false });
      return;
    }
    const { code, message } =
      error instanceof LedgerLensError ? error : { code: "internal", message: String(error) };
    this.#lastError = error;
    this.#retryAfterMs = error instanceof StatusPageError ? error.retryAfterMs : undefined;
    this.#changed({
      misses: this.#state.misses + 1,
      miss: { code, message, at: this.#options.clock.now() },
      offline: isConnectionFault(error) && this.#isNobodyReachable(),
      checking: false,
    });
  }

  /** Whether the other services beyond this machine can't be reached either, and there are any. */
  #isNobodyReachable(): boolean {
    const others = [this.#verification, this.#ledger].filter(
      ({ url }) => !isLoopback(URL.parse(url)?.hostname ?? "localhost"),
    );
    return others.length > 0 && others.every(({ health }) => health.state === "unreachable");
  }

  #changed(change: Partial<StatusState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function nothingKnown(host: string): Omit<StatusState, "verification" | "ledger"> {
  return {
    host,
    summary: undefined,
    confirmedAt: undefined,
    misses: 0,
    miss: undefined,
    offline: false,
    checking: false,
  };
}
