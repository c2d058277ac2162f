import { t } from "@vscode/l10n";
import { joinedAddress, withBaseQuery } from "../../http/joinedAddress.ts";
import { HttpError } from "../../http/httpError.ts";
import { isCancellation, LedgerLensError } from "../../errors.ts";
import { LedgerError, pageError, statusError } from "./ledgerError.ts";
import type { LedgerNetwork } from "../references/network.ts";

/** What the ledger needs of an HTTP client; `JsonClient` of core/http is one. */
export interface JsonGetter {
  request(request: {
    readonly method?: "GET" | "POST";
    /** Sent as JSON. */
    readonly body?: unknown;
    /** A POST that only asks. */
    readonly isRead?: boolean;
    readonly retries?: number;
    readonly timeoutMs?: number;
    readonly url: string;
    /** The configured address that `url` begins with. */
    readonly base: string;
    readonly signal?: AbortSignal;
    readonly service: string;
    /** Largest body, decompressed. */
    readonly maxBytes?: number;
    /** Called before a wait for another attempt. */
    readonly onWait?: (wait: { readonly status?: number; readonly ms: number }) => void;
  }): Promise<{
    readonly status: number;
    /** Names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    /** Integers beyond 2^53 are decimal strings. */
    readonly body: unknown;
    /** The body as it came. */
    readonly text: string;
    /** Whether a key went along. */
    readonly hadKey?: boolean;
    /** How long the ledger asks to wait, in milliseconds. */
    readonly retryAfterMs?: number;
  }>;
}

/** What describes one thing, a transaction with its children for example, has far less; its reader holds the thread. */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Calls and results have their data with them, of up to some hundred kilobytes each. */
export const MAX_LIST_BYTES = 64 * 1024 * 1024;

/** What is beyond the decimals or the symbol of a token is no answer. */
const MAX_CALL_BYTES = 64 * 1024;
const CALL_TIMEOUT_MS = 10_000;

/** A body that came with a success. */
interface LedgerAnswer {
  readonly body: unknown;
  /** The body as it came, byte for byte when encoded as UTF-8, but for keys of ours that it repeats. */
  readonly text: string;
}

/**
 * Asks a ledger.
 *
 * @param target a path with its query, such as `/api/v1/tokens/0.0.5`, or an address from {@link nextPage}
 * @param what is asked for, as a sentence continues: "token 0.0.5"
 * @param maxBytes of the body
 * @throws LedgerError for what the ledger says, HttpError for what happens on the way
 */
export async function askLedger(
  client: JsonGetter,
  network: LedgerNetwork,
  target: string,
  what: string,
  signal?: AbortSignal,
  maxBytes = MAX_BYTES,
): Promise<LedgerAnswer> {
  return answered(client, network, target, what, { maxBytes, ...(signal && { signal }) });
}

/**
 * Has a function of a contract run as of now, without a transaction (hiero-mirror-node, rest/api/v1/openapi.yml,
 * `/api/v1/contracts/call`). Nothing is changed by it.
 *
 * @param to address of the contract
 * @param data `0x` and hex: the selector and the arguments
 * @returns the body
 * @throws LedgerError for what the ledger says, `invalid_parameter` where the function reverts; HttpError
 */
export async function askContract(
  client: JsonGetter,
  network: LedgerNetwork,
  { to, data }: { readonly to: string; readonly data: string },
): Promise<unknown> {
  const { body } = await answered(client, network, "/api/v1/contracts/call", t`contract ${to}`, {
    method: "POST",
    body: { block: "latest", data, estimate: false, to },
    isRead: true,
    maxBytes: MAX_CALL_BYTES,
    timeoutMs: CALL_TIMEOUT_MS,
    retries: 1,
  });
  return body;
}

async function answered(
  client: JsonGetter,
  network: LedgerNetwork,
  target: string,
  what: string,
  request: Omit<Parameters<JsonGetter["request"]>[0], "url" | "base" | "service">,
): Promise<LedgerAnswer> {
  const url = target.startsWith("/") ? joinedAddress(network.ledgerUrl, target) : target;
  let response;
  try {
    response = await client.request({
      url,
      base: network.ledgerUrl,
      service: network.name,
      ...request,
    });
  } catch (error) {
    if (!isCancellation(error) && error instanceof LedgerLensError && error.code === "not_json") {
      const status = "status" in error && typeof error.status === "number" ? error.status : undefined;
      const { hadKey, retryAfterMs } = error instanceof HttpError ? error : {};
      throw pageError({ status, hadKey, retryAfterMs }, what, network, error);
    }
    throw error;
  }
  const { status, body, text, hadKey, retryAfterMs } = response;
  // 206: the ledger has some of it, and leaves out what it does not have (hiero-mirror-node, contract results).
  if (status !== 200 && status !== 206)
    throw statusError(status, body, what, network, { hadKey, retryAfterMs });
  return { body, text };
}

/**
 * The address of the page that `links.next` names: a path, or with its host where the server is set up so
 * (hiero-mirror-node `includeHostInLink`).
 *
 * @throws LedgerError `foreign_link` for any other origin, or a path outside the configured base
 */
export function nextPage(network: LedgerNetwork, next: unknown): string | undefined {
  if (next === null || next === undefined || next === "") return undefined;
  const base = new URL(network.ledgerUrl);
  const url = typeof next === "string" ? URL.parse(next, base.href) : null;
  const prefix = base.pathname.replace(/\/+$/, "");
  // A server behind a path prefix may not know of it.
  if (url && prefix !== "" && url.origin === base.origin && url.pathname.startsWith("/api/v1/"))
    url.pathname = prefix + url.pathname;
  if (url?.origin !== base.origin || !url.pathname.startsWith(`${prefix}/api/v1/`)) {
    throw new LedgerError(
      "foreign_link",
      t`${network.name} names a next page outside ${base.host}, which Ledger Lens does not follow. What was loaded so far is shown.`,
    );
  }
  url.username = "";
  url.password = "";
  url.hash = "";
  return withBaseQuery(url, network.ledgerUrl).href;
}
