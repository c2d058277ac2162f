import { once } from "node:events";
import {
  createServer,
  request as forwardedRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

/** A request with its whole body, as the proxy received it. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What the service behind the proxy answers. */
export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Unpacked. */
  readonly body: Buffer;
}

/** A request in the hands of a fault. */
export interface Exchange {
  readonly request: ProxiedRequest;
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** Address of the proxy, without a slash at the end. */
  readonly proxyUrl: string;
  /** Hands the request to the service, which answers it whatever becomes of the answer. */
  readonly forward: () => Promise<ProxiedAnswer>;
  /** Aborted when the fault is over or the other side has left. */
  readonly signal: AbortSignal;
}

/** What goes wrong. */
export type ProxyFault =
  /** Nothing listens, or connections are reset as soon as they are there. */
  | { readonly connection: "refused" | "reset" }
  /** Takes the place of the answer. */
  | { readonly answer: (exchange: Exchange) => unknown };

/** Where it goes wrong. */
export interface FaultPlace {
  /** The requests that meet the fault. */
  readonly meets: (request: ProxiedRequest) => boolean;
  /** The request after which the connections break, where not all of them are meant from the start. */
  readonly after?: (request: ProxiedRequest) => boolean;
}

/** A proxy on loopback that stands before one service and can spoil what goes through it. */
export interface FaultProxy {
  /** `http://127.0.0.1:<port>`, behind which the service's own paths go on. */
  readonly url: string;
  /** How many requests or connections met the fault. */
  readonly faults: number;
  /** What was handed to the service. */
  readonly forwarded: readonly ProxiedRequest[];
  /** From now on, until {@link mend}. */
  spoil(fault: ProxyFault, place: FaultPlace): Promise<void>;
  mend(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a proxy.
 *
 * @param target origin of the service
 */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const proxy = new Proxy(target);
  await proxy.listen();
  return proxy;
}

class Proxy implements FaultProxy {
  readonly forwarded: ProxiedRequest[] = [];
  faults = 0;
  readonly #target: string;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #port = 0;
  #fault: ProxyFault | undefined;
  #place: FaultPlace | undefined;
  /** Whether connections break now. */
  #isBroken = false;
  #over = new AbortController();

  constructor(target: string) {
    this.#target = target;
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => this.#sockets.delete(socket));
      if (!this.#isBroken) return;
      this.faults++;
      socket.resetAndDestroy();
    });
    this.#server.on("clientError", (_error, socket) => socket.destroy());
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async spoil(fault: ProxyFault, place: FaultPlace): Promise<void> {
    this.#fault = fault;
    this.#place = place;
    if ("connection" in fault && !place.after) await this.#break(fault.connection);
  }

  async mend(): Promise<void> {
    this.#fault = undefined;
    this.#place = undefined;
    this.#isBroken = false;
    this.#over.abort();
    this.#over = new AbortController();
    this.#hangUp();
    if (!this.#server.listening) await this.listen();
  }

  async stop(): Promise<void> {
    this.#over.abort();
    this.#hangUp();
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }

  /** Breaks all connections, those that exist too. */
  async #break(how: "refused" | "reset"): Promise<void> {
    if (how === "reset") {
      this.#isBroken = true;
      this.#hangUp();
      return;
    }
    if (!this.#server.listening) return;
    this.faults++;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#hangUp();
    await closed;
  }

  #hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers, socket } = incoming;
    try {
      const request = { method, target: url, headers, body: await buffer(incoming) };
      const fault = this.#fault;
      const place = this.#place;
      if (fault && "answer" in fault && place?.meets(request)) {
        this.faults++;
        await fault.answer({
          request,
          response,
          socket,
          proxyUrl: this.url,
          forward: () => this.#forward(request),
          signal: AbortSignal.any([this.#over.signal, closed(socket)]),
        });
        return;
      }
      const isLast = fault !== undefined && "connection" in fault && place?.after?.(request) === true;
      const answer = await this.#forward(request);
      response.writeHead(answer.status, { ...answer.headers, ...(isLast && { connection: "close" }) });
      // The service's answer is out before nothing listens any more.
      response.end(answer.body);
      if (isLast) {
        await once(response, "close");
        await this.#break(fault.connection);
      }
    } catch {
      // The other side left, or the service did: there is no client to tell.
      socket.destroy();
    }
  }

  #forward(request: ProxiedRequest): Promise<ProxiedAnswer> {
    this.forwarded.push(request);
    const { method, target, headers, body } = request;
    return new Promise((resolve, reject) => {
      const onward = forwardedRequest(
        new URL(this.#target + target),
        { method, headers: { ...headers, host: new URL(this.#target).host }, agent: false },
        (answer) => {
          buffer(answer).then((content) => {
            const isPacked = answer.headers["content-encoding"] === "gzip";
            const plain: IncomingHttpHeaders = { ...answer.headers };
            for (const name of ["content-encoding", "content-length", "transfer-encoding", "connection"])
              Reflect.deleteProperty(plain, name);
            resolve({
              status: answer.statusCode ?? 502,
              headers: plain,
              body: isPacked && content.length > 0 ? gunzipSync(content) : content,
            });
          }, reject);
        },
      );
      onward.on("error", reject);
      onward.end(body);
    });
  }
}

/** One for each connection, which takes many requests. */
const ends = new WeakMap<Socket, AbortSignal>();

/** Aborted when a connection is over. */
function closed(socket: Socket): AbortSignal {
  const known = ends.get(socket);
  if (known) return known;
  const over = new AbortController();
  ends.set(socket, over.signal);
  if (socket.destroyed) over.abort();
  else socket.once("close", () => over.abort());
  return over.signal;
}
