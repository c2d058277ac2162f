import { t } from "@vscode/l10n";
import { LedgerLensError, type HeaderKey, type Remedy } from "../errors.ts";
import { definedOnly } from "../json/looseData.ts";
import { foreign } from "../text/shownText.ts";
import { isThisMachine } from "./thisMachine.ts";
import { UNUSABLE_PROXY_CODE } from "./unusableProxy.ts";

/** What can go wrong between us and a service, as the stable `code` of an {@link HttpError}. */
type HttpErrorCode =
  | "cancelled"
  | "timeout"
  | "unreachable"
  | "tls_untrusted"
  | "proxy_failed"
  | "proxy_invalid"
  | "redirect_refused"
  | "too_large"
  | "not_json"
  | "wrong_shape"
  | "wrong_answer"
  | "invalid_url";

/** A request that brought no usable answer. */
export class HttpError extends LedgerLensError {
  declare readonly code: HttpErrorCode;
  /** The status that came, if one came. */
  readonly status: number | undefined;
  /** Whether the service may have received the request; a submission with `true` is never sent again unasked. */
  readonly sent: boolean;
  /** Whether a key went along, where an answer came. */
  readonly hadKey: boolean;
  /** How long the service asks to wait, in milliseconds, where it does. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: HttpErrorCode,
    message: string,
    options: {
      detail?: string;
      cause?: unknown;
      setting?: string;
      status?: number;
      sent?: boolean;
      hadKey?: boolean;
      retryAfterMs?: number | undefined;
      key?: HeaderKey | undefined;
      remedy?: Remedy | undefined;
    } = {},
  ) {
    super(code, message, options);
    this.status = options.status;
    this.sent = options.sent ?? false;
    this.hadKey = options.hadKey ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

const PASSING_CODES: readonly string[] = ["unreachable", "timeout", "proxy_failed"];

/** Whether nothing came of a request for a reason that may be over at the next try: the way to the service, or its time. */
export function isPassingFault(error: unknown): boolean {
  return error instanceof HttpError && PASSING_CODES.includes(error.code);
}

/** Whether a request ended between us and the service, without an answer. */
export function isConnectionFault(error: unknown): boolean {
  return (
    error instanceof LedgerLensError &&
    (PASSING_CODES.includes(error.code) || ["tls_untrusted", "proxy_invalid"].includes(error.code))
  );
}

/** Whether a service answers with a status that tells of its own trouble, or of too many requests: it may pass. */
export function isPassingStatus(status: number): boolean {
  return status === 429 || status >= 500;
}

/** The same error of an address that a setting of its own names. */
export function withSetting(error: HttpError, setting: string): HttpError {
  const { code, message, detail, status, sent, hadKey, retryAfterMs, key } = error;
  return new HttpError(code, message, {
    cause: error,
    setting,
    key,
    sent,
    hadKey,
    ...definedOnly({ detail, status, retryAfterMs }),
  });
}

/** The body is JSON, but not what the interface says. */
export function wrongShape(service: string, what: string, expectation: string): HttpError {
  return new HttpError(
    "wrong_shape",
    t`${service} answered with ${what} in a form that Ledger Lens does not know (${expectation}). Check the service's address.`,
    { sent: true },
  );
}

/**
 * The answer is about something else than what was asked, so that nothing of it counts.
 *
 * @param what came and what was asked, as the sentence goes on: "with chain 1 where chain 296 was asked"
 */
export function wrongAnswer(service: string, what: string): HttpError {
  return new HttpError(
    "wrong_answer",
    t`${service} answered ${what}, so its answer is not used. Check the service's address, then try again.`,
    { sent: true },
  );
}

/** Who a request goes to, for the sentences. */
export interface Addressee {
  /** "The verification service". */
  readonly service: string;
  readonly url: URL;
}

/** The faults of a connection that happen before any byte of the request was written. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const CERTIFICATE_FAULT =
  /^(?:CERT_|ERR_TLS_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH|ERR_SSL_)/;

/** Turns a fault of the transport into the sentence for it. */
export function connectionError({ service, url }: Addressee, proxy: string, cause: unknown): HttpError {
  const fault = deepestCause(cause);
  const { code = "", message } = fault;
  const at = `${service} (${url.host})`;
  const detail = `${code} ${message}`.trim();
  if (code === UNUSABLE_PROXY_CODE)
    return new HttpError(
      "proxy_invalid",
      t`The proxy that is set has no http, https or socks5 address, so ${at} was not asked. Write http.proxy, or the variable HTTPS_PROXY, as http://host:port.`,
      { cause },
    );
  if (CERTIFICATE_FAULT.test(code)) {
    return new HttpError(
      "tls_untrusted",
      t`The certificate of ${at} is not trusted (${code}). Install its authority in the system, or check http.proxyStrictSSL.`,
      { cause, detail },
    );
  }
  const proxyAnswer = /Proxy response \((\d+)\)|Proxy Authentication Required \((407)\)/.exec(message);
  const refusedBy = proxyAnswer?.[1] ?? proxyAnswer?.[2];
  if (refusedBy !== undefined || (proxy !== "" && code.startsWith("UND_ERR_PRX"))) {
    const said = refusedBy === undefined ? t`broke the connection` : t`answered with status ${refusedBy}`;
    return new HttpError(
      "proxy_failed",
      t`The proxy ${hostOf(proxy)} ${said} on the way to ${at}. Check http.proxy and its credentials.`,
      { cause, detail },
    );
  }
  // A connection that stood may break with the same codes, when the service has read all.
  const sent = !NEVER_SENT.has(code) || fault.syscall === "read" || fault.syscall === "write";
  if (!sent && isAbout(proxy, fault)) {
    return new HttpError(
      "proxy_failed",
      t`The proxy ${hostOf(proxy)} can't be reached (${code}), so ${at} was not asked. Check http.proxy.`,
      { cause, detail },
    );
  }
  return new HttpError(
    "unreachable",
    t`${at} can't be reached: ${faultInWords(code, message)}. Check the address and your connection.`,
    {
      cause,
      detail,
      sent,
    },
  );
}

function faultInWords(code: string, message: string): string {
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return t`host not found`;
    case "ECONNREFUSED":
      return t`nothing listens there`;
    case "UND_ERR_CONNECT_TIMEOUT":
    case "ETIMEDOUT":
      return t`it does not answer`;
    case "ECONNRESET":
    case "EPIPE":
    case "UND_ERR_SOCKET":
      return t`the connection was closed before the answer was complete`;
    default:
      return foreign(message) || code;
  }
}

/** Whether nothing listens at an address of this machine: a program that was not started, not a fault that passes. */
export function isNothingThere({ url }: Addressee, error: HttpError): boolean {
  return isThisMachine(url.hostname) && deepestCause(error.cause).code === "ECONNREFUSED";
}

/** True when a name or a port that can't be reached is the proxy's, and not that of a host reached directly. */
function isAbout(proxy: string, { hostname, port }: Fault): boolean {
  const url = URL.parse(proxy);
  if (!url) return false;
  if (hostname !== undefined) return hostname === url.hostname;
  return port === undefined || port === (Number(url.port) || (url.protocol === "https:" ? 443 : 80));
}

/** A proxy's host; its credentials never reach a message. */
function hostOf(proxy: string): string {
  return URL.parse(proxy)?.host ?? t`in http.proxy`;
}

interface Fault {
  readonly code?: string;
  /** What the system was asked to do: "connect", "read". */
  readonly syscall?: string;
  readonly message: string;
  /** The name that was looked up in vain. */
  readonly hostname?: string;
  /** The port that was not reached. */
  readonly port?: number;
}

function deepestCause(error: unknown): Fault {
  let at = error;
  while (at instanceof Error && at.cause instanceof Error) at = at.cause;
  if (at instanceof AggregateError && at.errors[0] instanceof Error) at = at.errors[0];
  if (!(at instanceof Error)) return { message: String(at) };
  const { code, syscall, hostname, port } = at as Partial<Record<keyof Fault, unknown>>;
  return {
    message: at.message,
    ...(typeof code === "string" && { code }),
    ...(typeof syscall === "string" && { syscall }),
    ...(typeof hostname === "string" && { hostname }),
    ...(typeof port === "number" && { port }),
  };
}
