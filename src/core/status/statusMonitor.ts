import { isConnectionFault } from "../http/httpError.ts";
import { t } from "@vscode/l10n";
import { isCancellation, LedgerLensError } from "../errors.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { JsonClient } from "../http/jsonClient.ts";
import { isThisMachine } from "../http/thisMachine.ts";
import { NotificationMemory, type NotificationStorage } from "./notificationMemory.ts";
import { PollLoop } from "./pollLoop.ts";
import { AWAITED_SECONDS, idleSeconds, nextPollMs, pollIntervalMs } from "./pollPace.ts";
import {
  HealthProbe,
  nodeAfter,
  type MeasuredService,
  type NodeChain,
  type NodeHealth,
  type RequestOutcome,
} from "./serviceHealth.ts";
import { StatusNotifications, type StatusNotification } from "./statusNotifications.ts";
import { StatusPage, StatusPageError, type StatusReading } from "./statusPage.ts";
import type { StatusState } from "./statusState.ts";
import type { StatusSummary } from "./statusSummary.ts";
import { watchedComponents, type WatchChoice } from "./statusWatch.ts";
import type { TimeZone } from "../text/timeWords.ts";
import type { WorkSigns } from "./workSigns.ts";

/** So long a failed request makes trouble on the page more likely. */
const FAILED_LATELY_MS = 10 * 60_000;

/** So many nodes are told of. */
const MAX_NODES = 5;

/** Of which node, and what became of a request to it. */
type NodeOutcome = [
  node: { readonly chain: NodeChain; readonly url: string },
  outcome: RequestOutcome & { readonly status?: number },
];

type PageState = Omit<StatusState, "verification" | "ledger" | "nodes">;

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
  /** Whether a person works with Ledger Lens, which decides how often is asked. */
  readonly work: Pick<WorkSigns, "sign" | "until" | "onSign">;
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
  #state: PageState;
  #nodes: readonly NodeHealth[] = [];
  #lastError: unknown;
  #maxAgeMs = 0;
  #retryAfterMs: number | undefined;
  /** The end of the last poll in milliseconds since the epoch, and how the wait from then on is drawn. */
  #last: { readonly at: number; readonly drawn: number; readonly isSoon: boolean } | undefined;
  /** A request failed since the last poll, where none had before. */
  #isAlarmed = false;
  #failedAt = -Infinity;
  readonly #endWork: () => void;

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
      poll: (signal, isByHand) => this.#poll(signal, isByHand),
      dueIn: () => this.#dueIn(),
    });
    this.#endWork = options.work.onSign(() => this.#loop.wake());
  }

  /** Everything that is known; a new object after every change. */
  get state(): StatusState {
    return {
      ...this.#state,
      verification: this.#verification.health,
      ledger: this.#ledger.health,
      nodes: this.#nodes,
    };
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
    if (isBack && this.#state.offline && this.#last) this.#last = { ...this.#last, isSoon: true };
    this.#loop.focused = focused;
  }

  /** Asks now, because the user wants to know; a page that asked to be left alone is. */
  async refresh(): Promise<StatusState> {
    this.#adoptSettings();
    const passed = this.#options.clock.now() - (this.#last?.at ?? 0);
    if (this.#retryAfterMs === undefined || passed >= this.#retryAfterMs || passed < 0) {
      // What was asked may be the page that was set before, of which who waits does not want to know.
      do await this.#loop.pollNow();
      while (!this.#last && !this.#loop.isDisposed);
    }
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
          t`The status page was not asked to the end: the request was cancelled.`,
        );
  }

  /** Takes note of a real request to one of the services, so that it need not be asked just for its health. */
  reportOutcome(service: MeasuredService, ...outcome: Parameters<HealthProbe["reportOutcome"]>): void {
    (service === "verification" ? this.#verification : this.#ledger).reportOutcome(...outcome);
    this.#changed({});
  }

  /** Takes note of a real request to the node of a chain, whose health is asked for by nothing else. */
  reportNode(...[node, outcome]: NodeOutcome): void {
    const known = this.#nodes.find(({ chain }) => chain.chainId === node.chain.chainId);
    const now = nodeAfter(known, node, outcome, this.#options.clock.now());
    if (now.state === "unchecked") return;
    this.#nodes = [now, ...this.#nodes.filter((one) => one !== known)].slice(0, MAX_NODES);
    this.#changed({});
  }

  /**
   * A request to one of the services failed for a reason that the page may know. A person waits for it: the first failure
   * in a while brings the next look forward, and for a while a second look at new trouble comes sooner, too.
   */
  requestFailed(): void {
    if (!this.#failedLately) this.#isAlarmed = true;
    this.#failedAt = this.#options.clock.now();
    this.#options.work.sign();
  }

  /** Takes changed settings into account; another page is asked at once. */
  settingsChanged(): void {
    this.#adoptSettings();
    this.#changed({});
    this.#loop.wake();
  }

  /** Ends every timer and request. */
  dispose(): void {
    this.#endWork();
    this.#loop.dispose();
    this.#listeners.clear();
  }

  #adoptSettings(): void {
    const { client, clock, settings } = this.#options;
    const { statusUrl, verificationUrl, ledgerUrl } = settings();
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
    }
  }

  #dueIn(): number {
    if (!this.#last) return 0;
    const { at } = this.#last;
    const soon = this.#waitMs(this.#last);
    // Where no work goes on by then, it is asked when it is due without.
    const isWorked = Math.max(at + soon, this.#options.clock.now()) <= this.#options.work.until;
    const waitMs = isWorked ? soon : this.#waitMs(this.#last, "idle");
    // Bounded by the wait itself, in case the clock was set back.
    return Math.min(Math.max(0, at + waitMs - this.#options.clock.now()), waitMs);
  }

  #waitMs(last: { readonly drawn: number; readonly isSoon: boolean }, pace?: "idle"): number {
    const { misses, offline } = this.#state;
    const { pollSeconds } = this.#options.settings();
    const isSuspected = this.#isAlarmed || (this.#notifications.isUnsure && this.#failedLately);
    const isAwaited = misses === 0 && isSuspected;
    const settingSeconds =
      pace === "idle" ? idleSeconds(pollSeconds) : isAwaited ? AWAITED_SECONDS : pollSeconds;
    // Requests that never leave this machine cost the service nothing, and the user waits for the network.
    const counted = offline ? Math.min(misses, 1) : misses;
    const waitMs = nextPollMs(
      { settingSeconds, maxAgeMs: this.#maxAgeMs, misses: counted, retryAfterMs: this.#retryAfterMs },
      last.drawn,
    );
    return last.isSoon
      ? Math.min(waitMs, pollIntervalMs({ settingSeconds: pollSeconds, maxAgeMs: 0 }))
      : waitMs;
  }

  get #failedLately(): boolean {
    const passed = this.#options.clock.now() - this.#failedAt;
    return passed >= 0 && passed < FAILED_LATELY_MS;
  }

  #intervalMs(): number {
    const { pollSeconds } = this.#options.settings();
    return pollIntervalMs({ settingSeconds: pollSeconds, maxAgeMs: this.#maxAgeMs });
  }

  async #poll(signal: AbortSignal, isByHand: boolean): Promise<void> {
    const page = this.#page;
    const { pollSeconds } = this.#options.settings();
    this.#changed({ checking: true });
    this.#isAlarmed = false;
    const probes = [this.#verification, this.#ledger].filter((probe) => probe.isDue(pollSeconds));
    const [reading] = await Promise.all([
      page.read(signal).catch((error: unknown) => ({ error })),
      ...probes.map((probe) => probe.check(signal)),
    ]);
    // What another page says is not told of the one that is set by now, which is due at once.
    if (signal.aborted || page !== this.#page) {
      this.#changed({ checking: false });
      return;
    }
    // Before anything is told: whatever becomes of that, the page is not asked again before its time.
    this.#last = { at: this.#options.clock.now(), drawn: this.#options.random(), isSoon: false };
    if ("error" in reading) this.#missed(reading.error);
    else this.#read(reading, isByHand);
  }

  #read({ summary, maxAgeMs }: StatusReading, isByHand: boolean): void {
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
      lookEveryMs: this.#intervalMs(),
      isByHand,
      isWanted: choice.notifications,
    });
    for (const notification of notifications) onNotification(notification);
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
      ({ url }) => !isThisMachine(URL.parse(url)?.hostname ?? "localhost"),
    );
    return others.length > 0 && others.every(({ health }) => health.state === "unreachable");
  }

  #changed(change: Partial<StatusState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function nothingKnown(host: string): PageState {
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
