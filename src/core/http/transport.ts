import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";
import { promisify } from "node:util";
import { constants, gunzip } from "node:zlib";
import type { Agent as UndiciAgent, Dispatcher } from "undici";
import api from "undici/lib/api/index.js";
import Agent from "undici/lib/dispatcher/agent.js";
import DispatcherBase from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import { Turns } from "../concurrency/turns.ts";
import { proxyRoute, type NetworkSettings } from "./networkSettings.ts";
import { isThisMachine, lookUpThisMachine } from "./thisMachine.ts";
import { lookUpUsable, UNUSABLE_PROXY } from "./unusableProxy.ts";

// What undici's index does with its parts: the agents' methods, such as the CONNECT of a tunnel, come from here. The
// index itself would also put an agent where the `fetch` of every extension looks for one, and be 733 kB instead of 503,
// which hold the thread for 41 ms instead of 20 at the first request.
Object.assign(DispatcherBase.prototype, api);

/** At most this many connections to one origin at once. */
const CONNECTIONS_PER_ORIGIN = 4;

/**
 * What is trusted, with the system's list and without: once for all connections under all settings, since each would
 * take in hundreds of certificates by itself.
 */
const trusted = new Map<boolean, SecureContext>();

/**
 * Node's own list and `NODE_EXTRA_CA_CERTS`, and what the system trusts unless that is switched off: to read it and to take
 * it in takes a twentieth of a second, which is cut into turns.
 */
async function trust(systemCertificates: boolean): Promise<SecureContext> {
  const turns = new Turns();
  const own = getCACertificates("default");
  await turns.next();
  const ca = systemCertificates ? [...own, ...getCACertificates("system")] : own;
  await turns.next();
  const secureContext = createSecureContext({ ca: [...new Set(ca)] });
  await turns.next();
  return secureContext;
}

/** How a proxy itself is reached. With any such options undici speaks TLS with a SOCKS proxy, which is to be spoken to plainly. */
function proxyTls(proxy: string, tls: object): { readonly proxyTls?: object } {
  if (proxy.startsWith("socks")) return {};
  return { proxyTls: proxy === UNUSABLE_PROXY ? { ...tls, lookup: lookUpUsable } : tls };
}

export interface TransportRequest {
  readonly method: "GET" | "HEAD" | "POST";
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** An answer whose body has not been read yet. */
export type TransportResponse = Dispatcher.ResponseData;

/**
 * Connections under one set of network settings: undici's agents, directly or through a proxy. This machine is always
 * reached directly, as by the editor itself.
 */
export class Transport {
  readonly #direct: UndiciAgent;
  /** For addresses of each scheme, which may have a proxy of their own. */
  readonly #http: Dispatcher;
  readonly #https: Dispatcher;

  private constructor(settings: NetworkSettings, secureContext: SecureContext) {
    const tls = { rejectUnauthorized: settings.strictTls, secureContext };
    const options = { connections: CONNECTIONS_PER_ORIGIN, connect: tls };
    const { http, https, noProxy } = proxyRoute(settings);
    this.#direct = new Agent({ ...options, connect: { ...tls, lookup: lookUpThisMachine } });
    const through = (proxy: string) =>
      new EnvHttpProxyAgent({
        ...options,
        requestTls: tls,
        ...proxyTls(proxy, tls),
        httpProxy: proxy,
        httpsProxy: proxy,
        noProxy,
        ...(settings.proxyAuthorization && { token: settings.proxyAuthorization }),
      });
    this.#http = through(http);
    this.#https = https === http ? this.#http : through(https);
  }

  static async open(settings: NetworkSettings): Promise<Transport> {
    const { systemCertificates } = settings;
    let secureContext = trusted.get(systemCertificates);
    if (!secureContext) trusted.set(systemCertificates, (secureContext = await trust(systemCertificates)));
    return new Transport(settings, secureContext);
  }

  /** Sends a request; time-outs are the caller's signal. */
  send({ method, url, headers, body, signal }: TransportRequest): Promise<TransportResponse> {
    const proxied = url.protocol === "https:" ? this.#https : this.#http;
    return (isThisMachine(url.hostname) ? this.#direct : proxied).request({
      method,
      origin: url.origin,
      path: url.pathname + url.search,
      headers,
      body: body ?? null,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Unpacks a whole body; a RangeError tells that it is larger than `maxBytes`. */
  gunzip(body: Buffer, maxBytes: number): Promise<Buffer> {
    return promisify(gunzip)(body, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH });
  }

  /** Lets what is under way finish, then closes every connection. */
  async close(): Promise<void> {
    await Promise.all(this.#agents().map((agent) => agent.close()));
  }

  async destroy(): Promise<void> {
    await Promise.all(this.#agents().map((agent) => agent.destroy()));
  }

  #agents(): readonly Dispatcher[] {
    return [...new Set([this.#direct, this.#http, this.#https])];
  }
}
