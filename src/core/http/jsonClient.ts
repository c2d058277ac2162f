import { httpUrl } from "./httpUrl.ts";
import { t } from "@vscode/l10n";
import { LedgerLensError, type HeaderKey } from "../errors.ts";
import { foreign } from "../text/shownText.ts";
import { systemClock, type Clock } from "../concurrency/clock.ts";
import { definedOnly } from "../json/looseData.ts";
import { parseExactJson } from "../json/exactJson.ts";
import { connectionError, HttpError, isNothingThere, isPassingFault, type Addressee } from "./httpError.ts";
import { NotBefore } from "./notBefore.ts";
import { askAgainAdvice } from "./rateLimits.ts";
import { keyAdvice, keyReason, refusesKey } from "./refusedKey.ts";
import { retryAfterMs } from "./retryAfter.ts";
import { withJointSignal } from "../concurrency/jointSignal.ts";
import { Turns } from "../concurrency/turns.ts";
import { tellOfLimit } from "../concurrency/toldLimits.ts";
import { proxyRoute, type NetworkSettings } from "./networkSettings.ts";
import { keysInAddress, shownAddress, shownHost, withoutKeys } from "./shownAddress.ts";
import { isThisMachine } from "./thisMachine.ts";
import type { Transport, TransportRequest, TransportResponse } from "./transport.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const MAX_RETRIES = 3;
/** Where nothing listens on this machine: enough for a program that is starting again. */
const MAX_RETRIES_HERE = 1;
const FIRST_RETRY_MS = 500;
/** A service that asks for a longer wait gets no retry: the caller decides. */
const MAX_RETRY_AFTER_MS = 60_000;
const MAX_REDIRECTS = 3;
const CLOSED = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);
/** A 500 among them would be asked again of a service whose own error it is. */
const RETRIED_STATUSES = new Set([429, 502, 503, 504]);

/** A request for JSON. */
export interface JsonRequest {
  readonly method?: "GET" | "POST";
  readonly url: string;
  /**
   * The configured address that `url` begins with. What stands in it behind the host may be a key and is never
   * told; without it that goes for the whole path.
   */
  readonly base?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** JSON that is sent to the byte, instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For each attempt as a whole, the body included. Default 30 s. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Largest body, decompressed. Default 64 MB. */
  readonly maxBytes?: number;
  /** A POST that only asks, such as a call of JSON-RPC: it is tried again like a GET. */
  readonly isRead?: boolean;
  /** How many more times a GET is tried, or a POST that certainly was not accepted. Default 3; 0 where the caller asks again by itself. */
  readonly retries?: number;
  /** Asked although the service said to wait: a poll of a job has a pace of its own, and its result is waited for. */
  readonly hasOwnPace?: boolean;
  /** For a request of which status, headers and time count: a body that is no JSON is answered as `undefined`. */
  readonly anyBody?: boolean;
  /** Whether the body of a success is a refusal all the same, as in JSON-RPC: what it says becomes part of messages. */
  readonly isRefusal?: (body: unknown) => boolean;
  /** Called before a wait for the next attempt, which the service's limit of requests or a fault makes necessary. */
  readonly onWait?: (wait: { readonly status?: number; readonly ms: number }) => void;
  /** Who is asked, as a sentence begins: "The verification service". */
  readonly service: string;
}

/** A request with the headers that hold keys: these are sent, and said nowhere. */
interface KeyedRequest extends JsonRequest {
  readonly keys: KeyHeaders;
  readonly wantsKey: HeaderKey | undefined;
}

/** Headers that hold keys, by their names. */
type KeyHeaders = Readonly<Record<string, string>>;

/** The header in which a server wants a key, with the key where a person gave one. */
export interface KeptKey {
  readonly headerName: string;
  readonly key?: string;
}

/** An answer with a JSON body, or without one. Services read the status themselves. */
export interface JsonResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Integers beyond 2^53 are decimal strings (see {@link parseExactJson}); `undefined` for an empty body. */
  readonly body: unknown;
  /** The body as it came, with `…` for keys of ours that it repeats. */
  readonly text: string;
  /** Milliseconds of the last attempt. */
  readonly durationMs: number;
  /** Whether a key went along: in a header, or in the configured address. */
  readonly hadKey?: boolean;
  /** The key that the server wants in a header, whether a person gave one or not. */
  readonly wantsKey?: HeaderKey;
  /** How long the service asks to wait, in milliseconds, where it does. */
  readonly retryAfterMs?: number;
  /** The service was not asked: it said this before, and to be asked later. */
  readonly isRemembered?: boolean;
}

/** A request for a file, of which a part may be here already. */
export interface FileRequest extends Pick<JsonRequest, "url" | "service" | "signal"> {
  /** "HEAD" for the answer without the file. Default "GET". */
  readonly method?: "GET" | "HEAD";
  /** The first byte that is wanted; the server may ignore it and send all. */
  readonly from?: number;
  /** How long the server may say nothing. Default 30 s. */
  readonly silenceMs?: number;
}

/** An answer whose body is read as it comes, as sent. */
export interface FileAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

interface JsonClientOptions {
  /** Asked at every request, so that changed settings count at once. */
  readonly network: () => NetworkSettings;
  /** `ledger-lens/1.2.3`. */
  readonly userAgent: string;
  /** The key that a person keeps, or may keep, for a server. */
  readonly keyFor?: (url: URL) => Promise<KeptKey | undefined>;
  /** When a person asked for the work that goes on, in milliseconds since the epoch; `undefined` for what began by itself. */
  readonly askedAt?: () => number | undefined;
  readonly log?: (line: string) => void;
  readonly clock?: Clock;
  /** From 0 to 1; jitters the waits. */
  readonly random?: () => number;
}

/**
 * JSON over HTTP. Connections, proxies and TLS are undici's, which is loaded at the first request.
 *
 * A GET is tried again after 429, 502, 503, 504 and faults of the connection, three times unless it says otherwise, with
 * jittered exponential back-off, and once where nothing listens on this machine; at once, and once in any case, where the connection was closed; `Retry-After`
 * up to a minute is waited for. Until the time that it names, no other request that only asks goes to that server: it is
 * answered with the same refusal and the time that is left, unless a person has asked for it since. A POST is tried again only where it
 * certainly was not accepted: the connection never came about, or the answer is 429 or 503 with a
 * `Retry-After`. undici's own retry interceptor is not used: it continues a broken body by a range request
 * and cannot tell a request that was never sent from one that was.
 */
export class JsonClient {
  readonly #options: JsonClientOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #disposal = new AbortController();
  readonly #notBefore = new NotBefore();
  #transport: { readonly key: string; readonly instance: Promise<Transport> } | undefined;

  constructor(options: JsonClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  /**
   * Sends a request and reads the whole answer.
   *
   * @throws HttpError with the codes of {@link HttpErrorCode}; its `sent` tells whether the service may have
   * received the request.
   */
  async request(request: JsonRequest): Promise<JsonResponse> {
    const url = httpAddress(request.url, request.service);
    return withJointSignal([this.#disposal.signal, request.signal], async (signal) => {
      const { headerName, key } = (await this.#options.keyFor?.(url)) ?? {};
      const wantsKey = headerName === undefined ? undefined : { origin: url.origin, headerName };
      const keys = headerName === undefined || key === undefined ? {} : { [headerName]: key };
      return this.#tryUntilAnswered({ ...request, keys, wantsKey }, url, signal);
    });
  }

  async #tryUntilAnswered(request: KeyedRequest, url: URL, signal: AbortSignal): Promise<JsonResponse> {
    const isPost = request.method === "POST" && request.isRead !== true;
    const retries = request.retries ?? MAX_RETRIES;
    for (let attempt = 0; ; attempt++) {
      let wait: number;
      try {
        // A submission was agreed to and its refusal has to be the service's own.
        const mayHold = attempt === 0 && !isPost && request.hasOwnPace !== true;
        const held = mayHold ? this.#held(request, url) : undefined;
        const began = this.#clock.now();
        const response = held ?? (await this.#attempt({ service: request.service, url }, request, signal));
        const retryAfter = this.#retryAfter(response);
        const isLimit = response.status === 429 || response.status === 503;
        if (!held && isLimit && retryAfter) this.#hold(request, url, response, retryAfter);
        else if (!isLimit && !isPost) this.#notBefore.lift(url.origin, began);
        const mayRetry = isPost ? isLimit && retryAfter !== undefined : RETRIED_STATUSES.has(response.status);
        if (!mayRetry || attempt >= retries || (retryAfter ?? 0) > MAX_RETRY_AFTER_MS)
          return this.#toJson(request, response, retryAfter);
        // One that is over at once, or was before, is no pause.
        wait = Math.max(retryAfter ?? 0, this.#backOff(attempt));
        request.onWait?.({ status: response.status, ms: wait });
        if (response.status === 429) tellOfLimit({ service: request.service, ms: wait });
        this.#log(`${request.service}: status ${response.status}, next attempt in ${Math.round(wait)} ms`);
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        // What took all of its time has none left for another try.
        if (
          !isPassingFault(error) ||
          error.code === "timeout" ||
          error.status !== undefined ||
          (isPost && error.sent)
        )
          throw error;
        // A server may close a kept connection just when it is used again, which says nothing of how it is.
        const isStale = attempt === 0 && wasClosed(error);
        const most = isNothingThere({ service: request.service, url }, error) ? MAX_RETRIES_HERE : retries;
        if (attempt >= Math.min(most, retries) && !isStale) throw error;
        wait = isStale ? 0 : this.#backOff(attempt);
        request.onWait?.({ ms: wait });
        this.#log(
          `${request.service}: ${error.detail ?? error.code}, next attempt in ${Math.round(wait)} ms`,
        );
      }
      await this.#clock.sleep(wait, signal).catch(() => {
        throw cancelled(request.service, false);
      });
    }
  }

  /** What is answered for a server that said to be asked later. */
  #held({ service }: KeyedRequest, { origin }: URL): RawResponse | undefined {
    const held = this.#notBefore.answer(origin, this.#clock.now(), this.#options.askedAt?.());
    if (!held) return undefined;
    const seconds = Math.ceil(held.leftMs / 1_000);
    this.#log(`${service}: status ${held.status} before, not asked for ${seconds} s`);
    return {
      status: held.status,
      headers: { "retry-after": String(seconds) },
      body: Buffer.from(held.said),
      durationMs: 0,
      isRemembered: true,
    };
  }

  #hold(
    { url: address, base = address, keys }: KeyedRequest,
    url: URL,
    answer: RawResponse,
    ms: number,
  ): void {
    // The next one who is told of it may have other keys.
    const said = withoutKeys(answer.body.toString("utf8"), base, Object.values(keys));
    this.#notBefore.note(url.origin, { status: answer.status, said }, ms, this.#clock.now());
  }

  /**
   * Sends a GET or a HEAD and lets its answer be read as it comes, which is for a file too large to be kept in memory. Nothing is
   * tried again: who reads knows from where to go on.
   *
   * @throws HttpError as {@link request}, and whatever `read` throws
   */
  async open<T>(
    {
      method = "GET",
      url: address,
      service,
      from = 0,
      signal: given,
      silenceMs = DEFAULT_TIMEOUT_MS,
    }: FileRequest,
    read: (answer: FileAnswer) => Promise<T>,
  ): Promise<T> {
    const url = httpAddress(address, service);
    const addressee = { service, url };
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), silenceMs);
    timer.unref();
    const all = [this.#disposal.signal, given, silence.signal];
    let isRead = false;
    try {
      return await withJointSignal(all, async (signal) => {
        signal.throwIfAborted();
        const transport = await this.#connect();
        const headers = {
          accept: "*/*",
          "accept-encoding": "identity",
          ...(from > 0 && { range: `bytes=${from}-` }),
        };
        const response = await this.#follow(
          transport,
          addressee,
          { method, url: url.href, service, headers },
          signal,
        );
        async function* body() {
          for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
            timer.refresh();
            yield chunk;
          }
          isRead = true;
        }
        this.#log(`${method} ${shownAddress(url)}: ${response.statusCode}`);
        const answer = { status: response.statusCode, headers: flatHeaders(response.headers), body: body() };
        try {
          return await read(answer);
        } finally {
          // What was not read to its end is not waited for, and its connection is not used again; that it was ended is no
          // fault, and would be one without a listener.
          if (!isRead) response.body.on("error", () => undefined).destroy();
        }
      });
    } catch (error) {
      if (error instanceof LedgerLensError) throw error;
      if (this.#disposal.signal.aborted || given?.aborted) throw cancelled(service, true);
      if (silence.signal.aborted) throw tooLate(addressee, silenceMs, error);
      throw connectionError(addressee, this.#proxyFor(url), error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Aborts what is under way and closes every connection. */
  async dispose(): Promise<void> {
    this.#disposal.abort();
    // One that can't be made has nothing to end.
    const transport = await this.#transport?.instance.catch(() => undefined);
    await transport?.destroy();
  }

  async #attempt(addressee: Addressee, request: KeyedRequest, signal: AbortSignal): Promise<RawResponse> {
    const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    // Its own timer: that of AbortSignal.timeout lives on when the request has long ended.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new DOMException("too late", "TimeoutError")), timeoutMs);
    timer.unref();
    const timeout = late.signal;
    let sent = false;
    try {
      return await withJointSignal([signal, timeout], async (both) => {
        both.throwIfAborted();
        const transport = await this.#connect();
        both.throwIfAborted();
        // Behind the loading of the machinery, which is not the service's time.
        const started = performance.now();
        sent = true;
        const response = await this.#follow(transport, addressee, request, both);
        const body = await readBody(
          transport,
          addressee.service,
          response,
          request.maxBytes ?? DEFAULT_MAX_BYTES,
        );
        const durationMs = performance.now() - started;
        this.#log(
          `${request.method ?? "GET"} ${shownAddress(addressee.url, request.base)}: ${response.statusCode}, ${Math.round(durationMs)} ms`,
        );
        return { status: response.statusCode, headers: flatHeaders(response.headers), body, durationMs };
      });
    } catch (error) {
      if (error instanceof HttpError) throw error;
      if (signal.aborted) throw cancelled(request.service, sent);
      if (timeout.aborted) throw tooLate(addressee, timeoutMs, error, sent);
      throw connectionError(addressee, this.#proxyFor(addressee.url), error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Follows redirects within the origin; any other would hand the request to another server. */
  async #follow(
    transport: Transport,
    { service, url }: Addressee,
    {
      method = "GET",
      base = url.href,
      headers,
      keys = {},
      body,
      text,
    }: Omit<JsonRequest, "method"> & {
      readonly keys?: KeyHeaders;
      readonly method?: TransportRequest["method"];
    },
    signal: AbortSignal,
  ): Promise<TransportResponse> {
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
    let target = url;
    for (let redirects = 0; ; redirects++) {
      const response = await transport.send({
        method,
        url: target,
        headers: {
          accept: "application/json",
          "accept-encoding": "gzip",
          "user-agent": this.#options.userAgent,
          ...(content !== undefined && { "content-type": "application/json" }),
          ...headers,
          ...keys,
        },
        body: content,
        signal,
      });
      if (![301, 302, 303, 307, 308].includes(response.statusCode)) return response;
      await response.body.dump();
      const location = flatHeaders(response.headers)["location"] ?? "";
      const next = URL.parse(location, target.href);
      const status = response.statusCode;
      const plain = (said: string) => foreign(withoutKeys(said, base, Object.values(keys)));
      if (method === "POST" || next?.origin !== url.origin) {
        throw new HttpError(
          "redirect_refused",
          t`${service} (${url.host}) redirects to ${plain(next?.host ?? "") || t`nowhere`} (status ${status}), which Ledger Lens does not follow. Set the service's new address in the settings.`,
          { status, sent: true, detail: plain(location) },
        );
      }
      if (redirects === MAX_REDIRECTS) {
        throw new HttpError(
          "redirect_refused",
          t`${service} (${url.host}) redirects in a circle. Check its address in the settings.`,
          {
            status,
            sent: true,
          },
        );
      }
      target = next;
    }
  }

  async #connect(): Promise<Transport> {
    const network = this.#options.network();
    const key = JSON.stringify(network);
    const before = this.#transport;
    if (before?.key === key) return before.instance;
    const instance = openTransport(network);
    this.#transport = { key, instance };
    void before?.instance.then(
      // Requests that waited for it begin first; a closed one takes none.
      (transport) => setImmediate(() => void transport.close()),
      () => undefined,
    );
    try {
      return await instance;
    } catch (error) {
      // The next request tries it again.
      if (this.#transport.instance === instance) this.#transport = undefined;
      throw error;
    }
  }

  #toJson(
    { service, url, base = url, anyBody, isRefusal, keys, wantsKey }: KeyedRequest,
    { status, headers, body, durationMs, isRemembered }: RawResponse,
    retryAfterMs: number | undefined,
  ): JsonResponse {
    const isOk = status >= 200 && status <= 299;
    const plain = (said: string) => withoutKeys(said, base, Object.values(keys));
    const came = body.toString("utf8");
    // What a refusal says becomes part of messages and of the log, and the text of any answer part of documents.
    const text = plain(came);
    const hadKey = Object.keys(keys).length > 0 || (base !== url && keysInAddress(base).length > 0);
    const answer = {
      status,
      headers,
      text,
      durationMs,
      ...definedOnly({ retryAfterMs, isRemembered, wantsKey }),
      ...(hadKey && { hadKey }),
    };
    if (text.trim() === "" && (!isOk || status === 204)) return { ...answer, body: undefined };
    try {
      if (!isOk) return { ...answer, body: parseExactJson(text) };
      // Data is taken as it is.
      const data = parseExactJson(came);
      return { ...answer, body: isRefusal?.(data) ? parseExactJson(text) : data };
    } catch (error) {
      // What can't be parsed stands in the parser's own message.
      const cause = text === came ? error : undefined;
      if (anyBody) return { ...answer, body: undefined };
      const host = shownHost(url);
      const type = headers["content-type"];
      const what = whatCame(text, type && plain(type));
      // What is no route of an interface is answered with a page by what stands before it.
      const isElsewhere = isOk || status === 404 || status === 405 || status === 410;
      const key = refusesKey(status) ? wantsKey : undefined;
      const advice = isElsewhere
        ? t`Check the service's address.`
        : status === 413
          ? t`It takes no request of this size.`
          : t`Try again later.`;
      const asked = `${service} (${host})`;
      throw new HttpError(
        "not_json",
        // A limit of requests is often kept by what stands before a service and speaks no JSON.
        status === 429
          ? t`${asked} has had too many requests. ${askAgainAdvice(retryAfterMs)}`
          : refusesKey(status)
            ? t`${asked} refused the request: ${keyReason(status, hadKey)} (status ${status}, ${what}). ${key ? keyAdvice(key, "") : t`Check the API key in its address, then try again`}.`
            : t`${service} (${host}) answered with status ${status} and ${what} instead of JSON. ${advice}`,
        {
          status,
          sent: true,
          hadKey,
          retryAfterMs,
          key,
          remedy: { mayPass: status === 429 || (!isElsewhere && status !== 413 && !key) },
          cause,
          detail: foreign(text.slice(0, 500)),
        },
      );
    }
  }

  #proxyFor({ protocol, hostname }: URL): string {
    if (isThisMachine(hostname)) return "";
    const { http, https } = proxyRoute(this.#options.network());
    return protocol === "https:" ? https : http;
  }

  /** Milliseconds that the answer asks to wait. */
  #retryAfter({ headers }: RawResponse): number | undefined {
    return retryAfterMs(headers, this.#clock.now());
  }

  /** From half to the whole of 0.5, 1, 2 s. */
  #backOff(attempt: number): number {
    return FIRST_RETRY_MS * 2 ** attempt * (0.5 + this.#random() / 2);
  }

  #log(line: string): void {
    this.#options.log?.(line);
  }
}

/** Node's own modules that undici stands on, each of which takes some milliseconds. */
const NODE_MODULES = [() => import("node:https"), () => import("node:http2"), () => import("node:zlib")];

/** Loads and makes a transport, a part in each turn of the event loop. */
async function openTransport(network: NetworkSettings): Promise<Transport> {
  const turns = new Turns();
  for (const load of NODE_MODULES) {
    await load();
    await turns.next();
  }
  const { Transport } = await import("./transport.ts");
  await turns.next();
  return Transport.open(network);
}

function httpAddress(address: string, service: string): URL {
  const url = httpUrl(address);
  if (url) return url;
  throw new HttpError(
    "invalid_url",
    t`${service} has no http or https address. Check the settings of Ledger Lens.`,
  );
}

function tooLate({ service, url }: Addressee, ms: number, cause: unknown, sent = true): HttpError {
  return new HttpError(
    "timeout",
    t`${service} (${url.host}) did not answer within ${ms / 1000} s. Try again later.`,
    { sent, cause },
  );
}

function wasClosed({ cause }: HttpError): boolean {
  return cause instanceof Error && "code" in cause && CLOSED.has(String(cause.code));
}

interface RawResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly durationMs: number;
  readonly isRemembered?: boolean;
}

function cancelled(service: string, sent: boolean): HttpError {
  return new HttpError("cancelled", t`${service} was not asked to the end: the request was cancelled.`, {
    sent,
  });
}

function flatHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

/** Reads a body up to `maxBytes`, both as sent and decompressed, and stops as soon as there is more. */
async function readBody(
  transport: Transport,
  service: string,
  response: TransportResponse,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop destroys the body, and with it the connection.
    if (length > maxBytes) throw tooLarge(service, maxBytes);
  }
  const body = Buffer.concat(chunks);
  if (!/\bgzip\b/i.test(flatHeaders(response.headers)["content-encoding"] ?? "") || length === 0) return body;
  try {
    return await transport.gunzip(body, maxBytes);
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge(service, maxBytes);
    throw new HttpError(
      "not_json",
      t`${service} answered with a compressed body that is broken. Try again later.`,
      { cause, sent: true, remedy: { mayPass: true } },
    );
  }
}

function tooLarge(service: string, maxBytes: number): HttpError {
  const limit = `${Math.round(maxBytes / 1024 / 1024)} MB`;
  return new HttpError(
    "too_large",
    t`${service} sent more than ${limit}, which is more than Ledger Lens reads. Check the service's address.`,
    {
      sent: true,
    },
  );
}

function whatCame(text: string, contentType: string | undefined): string {
  const start = text.trimStart().slice(0, 200).toLowerCase();
  if (start === "") return t`an empty body`;
  if (start.startsWith("<!doctype html") || start.startsWith("<html")) return t`an HTML page`;
  if (start.startsWith("{") || start.startsWith("[")) return t`JSON that breaks off or is malformed`;
  return contentType ? t`a body of type ${foreign(contentType)}` : t`something else`;
}
