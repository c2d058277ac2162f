import { isConnectionFault } from "../http/httpError.ts";
import { t } from "@vscode/l10n";
import { baseAddress, joinedAddress } from "../http/joinedAddress.ts";
import { isCancellation, LedgerLensError } from "../errors.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { JsonClient } from "../http/jsonClient.ts";
import { shownHost } from "../http/shownAddress.ts";
import type { ShownText } from "../text/shownText.ts";
import { nextPollMs } from "./pollPace.ts";

/** The services whose health is measured, since their operators may have no status page. */
export type MeasuredService = "verification" | "ledger";

/** How what answers requests was when it was last asked. */
interface Health {
  readonly host: string;
  /** `failing` answers, but with an error of its own (status 500 and above). */
  readonly state: "unchecked" | "reachable" | "failing" | "unreachable";
  /** From sending to the whole answer. */
  readonly latencyMs: number | undefined;
  /** Milliseconds since the epoch. */
  readonly checkedAt: number | undefined;
  /** Looks in a row that found it failing or unreachable. */
  readonly misses: number;
  /** The last one there was; it stays when the service recovers. */
  readonly lastError: { readonly code: string; readonly message: string; readonly at: number } | undefined;
}

/** How a service was when it was last asked. */
export interface ServiceHealth extends Health {
  readonly service: MeasuredService;
}

/** How the node of a chain was at the last request that was made of it; it is never asked for its health. */
export interface NodeHealth extends Health {
  readonly chain: NodeChain;
}

/** A chain by its id, and as a person knows it. */
export interface NodeChain {
  readonly chainId: string;
  readonly name: ShownText;
}

/** What became of a real request: how long its answer took and the status that it had, or the error that it ended in. */
export type RequestOutcome =
  { readonly latencyMs: number; readonly status?: number } | { readonly error: unknown };

/**
 * How something is after a request; what was cancelled, or is no fault of it, says nothing.
 *
 * @param name of what answers
 */
function healthAfter<H extends Health>(health: H, outcome: RequestOutcome, name: string, now: number): H {
  if ("latencyMs" in outcome) {
    const { latencyMs, status = 0 } = outcome;
    if (status >= 500) return failedHealth(health, "failing", refusal(name, health.host, status), now);
    return {
      ...health,
      state: "reachable",
      latencyMs: Math.max(0, Math.round(latencyMs)),
      checkedAt: now,
      misses: 0,
    };
  }
  const { error } = outcome;
  if (!(error instanceof LedgerLensError) || isCancellation(error)) return health;
  if (isConnectionFault(error)) return failedHealth(health, "unreachable", error, now);
  if (httpStatusOf(error) >= 500) return failedHealth(health, "failing", error, now);
  // Any other status is a sign of life; an error without one says nothing of the service.
  return httpStatusOf(error) > 0 ? { ...health, state: "reachable", checkedAt: now, misses: 0 } : health;
}

function failedHealth<H extends Health>(
  health: H,
  state: "failing" | "unreachable",
  error: LedgerLensError,
  now: number,
): H {
  return {
    ...health,
    state,
    latencyMs: undefined,
    checkedAt: now,
    misses: health.misses + 1,
    lastError: { code: error.code, message: error.message, at: now },
  };
}

/**
 * How the node of a chain is after a request to it; another node of the chain begins without a past.
 *
 * @param url of the node; of it nothing but the host is kept, since its path may hold a key
 */
export function nodeAfter(
  known: NodeHealth | undefined,
  { chain, url }: { readonly chain: NodeChain; readonly url: string },
  outcome: RequestOutcome,
  now: number,
): NodeHealth {
  const host = shownHost(url);
  const before = known?.host === host ? known : { chain, ...unasked(host) };
  return healthAfter(before, outcome, t`The chain's node`, now);
}

/** @param name of what answers so */
function refusal(name: string, host: string, status: number): LedgerLensError {
  return new LedgerLensError(
    `status_${status}`,
    t`${name} (${host}) answers with an error of its own (status ${status}). Try again later.`,
  );
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/**
 * What costs a service least. Sourcify answers `/health` with a line of text (argotorg/sourcify,
 * services/server/src/server/routes.ts); a mirror node answers its supply from one row. A service that knows
 * neither answers 404, which is a sign of life too.
 */
const LIGHTEST_PATH: Readonly<Record<MeasuredService, string>> = {
  verification: "/health",
  ledger: "/api/v1/network/supply",
};

const SERVICE_NAMES: Readonly<Record<MeasuredService, string>> = {
  verification: t`The verification service`,
  ledger: t`The ledger`,
};

/** Measures one service, and takes note of what real requests to it have met. */
export class HealthProbe {
  readonly #client: Pick<JsonClient, "request">;
  readonly #clock: Clock;
  readonly #service: MeasuredService;
  #base: string;
  #health: ServiceHealth;

  constructor(options: {
    readonly client: Pick<JsonClient, "request">;
    readonly clock: Clock;
    readonly service: MeasuredService;
    /** Base address. */
    readonly url: string;
  }) {
    this.#client = options.client;
    this.#clock = options.clock;
    this.#service = options.service;
    this.#base = baseOf(options.url);
    this.#health = unchecked(options.service, this.#base);
  }

  get health(): ServiceHealth {
    return this.#health;
  }

  /** Base address, without a slash at its end. */
  get url(): string {
    return this.#base;
  }

  /** Another service at another address begins without a past. */
  set url(url: string) {
    const base = baseOf(url);
    if (base === this.#base) return;
    this.#base = base;
    this.#health = unchecked(this.#service, base);
  }

  /** Whether it was last asked longer ago than the interval, doubled with each miss; real requests count. */
  isDue(settingSeconds: number): boolean {
    const { checkedAt, misses } = this.#health;
    if (checkedAt === undefined) return true;
    const pause = nextPollMs({ settingSeconds, maxAgeMs: 0, misses }, 0);
    const passed = this.#clock.now() - checkedAt;
    return passed >= pause || passed < 0;
  }

  /** Asks the service for as little as it can be asked for. Never rejects. */
  async check(signal?: AbortSignal): Promise<void> {
    const base = this.#base;
    try {
      const { status, durationMs, isRemembered } = await this.#client.request({
        url: joinedAddress(base, LIGHTEST_PATH[this.#service]),
        base,
        service: SERVICE_NAMES[this.#service],
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        retries: 0,
        anyBody: true,
        ...(signal && { signal }),
      });
      // What it said before was told then.
      if (base !== this.#base || isRemembered === true) return;
      this.reportOutcome({ latencyMs: durationMs, status });
    } catch (error) {
      if (base === this.#base) this.reportOutcome({ error });
    }
  }

  /**
   * Takes note of a real request.
   *
   * @param url what was asked, where that may be another service than the configured one, of which it says nothing
   */
  reportOutcome(outcome: RequestOutcome, url = this.#base): void {
    if (URL.parse(url)?.origin !== URL.parse(this.#base)?.origin) return;
    this.#health = healthAfter(this.#health, outcome, SERVICE_NAMES[this.#service], this.#clock.now());
  }
}

/** The status that an error carries; 0 without one. */
export function httpStatusOf(error: LedgerLensError): number {
  return "status" in error && typeof error.status === "number" ? error.status : 0;
}

function baseOf(url: string): string {
  return baseAddress(url, "/api/v1");
}

function unchecked(service: MeasuredService, base: string): ServiceHealth {
  return { service, ...unasked(shownHost(base)) };
}

function unasked(host: string): Health {
  return {
    host,
    state: "unchecked",
    latencyMs: undefined,
    checkedAt: undefined,
    misses: 0,
    lastError: undefined,
  };
}
