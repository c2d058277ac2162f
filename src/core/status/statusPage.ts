import { isPassingStatus } from "../http/httpError.ts";
import { t } from "@vscode/l10n";
import { LONGEST_HELD_MS, retryAfterMs } from "../http/retryAfter.ts";
import { baseAddress, joinedAddress } from "../http/joinedAddress.ts";
import { LedgerLensError } from "../errors.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { JsonClient } from "../http/jsonClient.ts";
import { shownAddress, shownHost } from "../http/shownAddress.ts";
import { inTurns } from "../concurrency/turns.ts";
import { notASummary, readStatusSummaryInPieces, type StatusSummary } from "./statusSummary.ts";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** A status page that answers something else than its summary. */
export class StatusPageError extends LedgerLensError {
  declare readonly code: "status_page_not_found" | "status_page_unavailable" | "status_page_refused";
  readonly status: number;
  /** How long the page asks to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: StatusPageError["code"],
    message: string,
    { status, retryAfterMs }: { status: number; retryAfterMs: number | undefined },
  ) {
    super(code, message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** An answer of the page. */
export interface StatusReading {
  readonly summary: StatusSummary;
  /** The page had nothing new and sent no body. */
  readonly notModified: boolean;
  /** How long the answer is fresh. */
  readonly maxAgeMs: number;
}

/**
 * A page in the form of Atlassian Statuspage, `GET /api/v2/summary.json`. Asks conditionally once it knows an
 * entity tag or a date, and never tries again by itself: the poll will come back.
 */
export class StatusPage {
  readonly #client: Pick<JsonClient, "request">;
  readonly #clock: Pick<Clock, "now">;
  /** The address of the summary. */
  readonly url: string;
  readonly host: string;
  readonly #base: string;
  #known:
    { readonly summary: StatusSummary; readonly condition: Readonly<Record<string, string>> } | undefined;

  /** @param url the page's address, with or without the path of its interface */
  constructor(options: {
    readonly client: Pick<JsonClient, "request">;
    readonly clock: Pick<Clock, "now">;
    readonly url: string;
  }) {
    this.#client = options.client;
    this.#clock = options.clock;
    const base = baseAddress(baseAddress(options.url, "/summary.json"), "/api/v2");
    this.url = joinedAddress(base, "/api/v2/summary.json");
    this.#base = base;
    this.host = shownHost(this.url);
  }

  /**
   * Asks for the summary.
   *
   * @throws StatusPageError for what the page says, HttpError for what happens on the way and for a body that is
   * no summary
   */
  async read(signal?: AbortSignal): Promise<StatusReading> {
    const known = this.#known;
    const service = t`The status page`;
    const { status, headers, body } = await this.#client.request({
      url: this.url,
      base: this.#base,
      service,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      retries: 0,
      // A page of HTML may come with a Retry-After, which counts.
      anyBody: true,
      ...(known && { headers: known.condition }),
      ...(signal && { signal }),
    });
    const maxAgeMs = maxAgeOf(headers["cache-control"]);
    if (status === 304 && known) return { summary: known.summary, notModified: true, maxAgeMs };
    if (status !== 200) throw this.#refusal(status, headers);
    if (body === undefined) throw notASummary(`${service} (${this.host})`);
    const summary = await inTurns(readStatusSummaryInPieces(body, `${service} (${this.host})`), signal);
    const { etag, "last-modified": lastModified } = headers;
    this.#known = {
      summary,
      condition: {
        ...(etag !== undefined && { "if-none-match": etag }),
        ...(etag === undefined && lastModified !== undefined && { "if-modified-since": lastModified }),
      },
    };
    return { summary, notModified: false, maxAgeMs };
  }

  #refusal(status: number, headers: Readonly<Record<string, string>>): StatusPageError {
    const at = t`The status page (${this.host})`;
    const asked = retryAfterMs(headers, this.#clock.now());
    const options = {
      status,
      retryAfterMs: asked === undefined ? undefined : Math.min(asked, LONGEST_HELD_MS),
    };
    if (status === 404) {
      return new StatusPageError(
        "status_page_not_found",
        t`${at} has no summary at ${shownAddress(this.url, this.#base)} (status 404). Check the setting ledgerLens.statusUrl.`,
        options,
      );
    }
    if (isPassingStatus(status)) {
      return new StatusPageError(
        "status_page_unavailable",
        t`${at} does not answer now (status ${status}). It is asked again later.`,
        options,
      );
    }
    return new StatusPageError(
      "status_page_refused",
      t`${at} does not give its summary (status ${status}). Check the setting ledgerLens.statusUrl, and any proxy on the way.`,
      options,
    );
  }
}

/** Milliseconds of `max-age`, a day at most; 0 without one. `s-maxage` is meant for others. */
function maxAgeOf(cacheControl = ""): number {
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d+)/i.exec(cacheControl)?.[1];
  return seconds === undefined ? 0 : Math.min(Number(seconds) * 1000, LONGEST_HELD_MS);
}
