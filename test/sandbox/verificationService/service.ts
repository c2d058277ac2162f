import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Chain } from "../chain.ts";
import type { SolidityCompilers } from "../solidityCompilers.ts";
import { Database } from "./database.ts";
import { Jobs, MAX_WORKERS, type JobSettings, type Moment } from "./jobs.ts";
import { INTERNAL_ERROR, Refusal } from "./refusal.ts";
import { MAX_BODY_BYTES } from "./requestChecks.ts";
import { Routes, send, type ReceivedRequest } from "./routes.ts";
import { Verifier, type UnsupportedChain } from "./verifier.ts";

/** A request that came in. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Answers a request instead of the service; false leaves it to the service. */
export type Fault = (request: LoggedRequest, response: ServerResponse) => boolean;

/** A service that stands still at a moment. */
export interface Hold {
  /** Resolves when a job has come to that moment. */
  readonly reached: Promise<void>;
  readonly release: () => void;
}

/** A verification service with its database. */
export interface VerificationServer extends JobSettings {
  readonly url: string;
  readonly requests: readonly LoggedRequest[];
  /** Asked for every request before the service itself. */
  fault: Fault | undefined;
  /** Lets the service stand still at a moment of every job until it is released. */
  hold(moment: Moment): Hold;
  /**
   * Ends the server as the signal does: asked to stop, it fails its jobs as `internal_error`; killed, it leaves them
   * pending for ever, and their contracts are refused as duplicates for ever (argotorg/sourcify issue 2880; measured).
   */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Starts the server again at its address, with what its database holds. */
  start(): Promise<void>;
}

/** A chain of the past that the public service lists (argotorg/sourcify, services/server/src/sourcify-chains-default.json). */
export const CHAIN_OF_THE_PAST: UnsupportedChain = { chainId: "5", name: "Ethereum Goerli Testnet" };

/**
 * Starts a verification service on loopback that answers version 2 of the Sourcify interface as the public service
 * does, with that service's own engine.
 *
 * @param chains Only their ids and the addresses of their nodes matter.
 */
export async function startVerificationService(
  chains: readonly Chain[],
  compilers: SolidityCompilers,
  unsupported: readonly UnsupportedChain[] = [CHAIN_OF_THE_PAST],
): Promise<VerificationServer> {
  const service = new Service(chains, compilers, unsupported);
  await service.start();
  return service;
}

class Service implements VerificationServer {
  readonly requests: LoggedRequest[] = [];
  pendingMs = 300;
  workers = MAX_WORKERS;
  fault: Fault | undefined;
  explorers: Readonly<Record<string, object>> = {};
  readonly #holds = new Map<Moment, { readonly reach: () => void; readonly released: Promise<void> }>();
  readonly #chains: readonly Chain[];
  readonly #unsupported: readonly UnsupportedChain[];
  readonly #verifier: Verifier;
  readonly #database = new Database();
  #running: { readonly server: Server; readonly jobs: Jobs } | undefined;
  #port = 0;

  constructor(
    chains: readonly Chain[],
    compilers: SolidityCompilers,
    unsupported: readonly UnsupportedChain[],
  ) {
    this.#chains = chains;
    this.#unsupported = unsupported;
    this.#verifier = new Verifier(compilers, chains, unsupported);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/server`;
  }

  async start(): Promise<void> {
    const pass = (moment: Moment) => this.#pass(moment);
    const shared = { database: this.#database, verifier: this.#verifier, pass };
    const jobs = new Jobs({ ...shared, settings: this });
    const routes = new Routes({ ...shared, jobs, chains: this.#chains, unsupported: this.#unsupported });
    const server = createServer((request, response) => void this.#answer(routes, request, response));
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (typeof address !== "object" || !address) throw new Error("The verification service does not listen.");
    this.#port = address.port;
    this.#running = { server, jobs };
  }

  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    if (!this.#running) return;
    const { server, jobs } = this.#running;
    this.#running = undefined;
    jobs.abandon();
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
    if (signal === "SIGTERM")
      this.#database.failPending({ customCode: "internal_error", message: INTERNAL_ERROR });
  }

  hold(moment: Moment): Hold {
    const [reached, reach] = signalOf();
    const [released, release] = signalOf();
    this.#holds.set(moment, { reach, released });
    return {
      reached,
      release: () => {
        this.#holds.delete(moment);
        release();
      },
    };
  }

  async #pass(moment: Moment): Promise<void> {
    const hold = this.#holds.get(moment);
    hold?.reach();
    await hold?.released;
  }

  async #answer(routes: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await receive(request);
    const { method, path, body } = received;
    const logged = { method, path, headers: request.headers, body: body.text };
    this.requests.push(logged);
    if (this.fault?.(logged, response)) return;
    try {
      await routes.answer(received, response);
    } catch (error) {
      refuse(response, error);
    }
  }
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  const body = { contentType: request.headers["content-type"], text, length };
  return { method: request.method ?? "", path: request.url ?? "", body };
}

/** An error in the interface's form; what is no refusal is a fault of the service (apiv2/errors.ts, `errorHandler`). */
function refuse(response: ServerResponse, error: unknown): void {
  const { status, customCode, message } =
    error instanceof Refusal ? error : new Refusal(500, "internal_error", INTERNAL_ERROR);
  send(response, status, { customCode, message, errorId: randomUUID() });
}

function signalOf(): [given: Promise<void>, give: () => void] {
  let give: (() => void) | undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return [given, () => give?.()];
}
