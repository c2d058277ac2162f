import { createHash } from "node:crypto";
import { startServer } from "../rig/loopback/httpServer.ts";

/** A request to verify, as it came. */
export interface Received {
  readonly path: string;
  /** The very text of the body. */
  readonly text: string;
  /** SHA-256 of every source, by its name. */
  readonly sources: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A service on a host of its own that keeps what it gets and calls every job what a test says. */
export interface RecordingService {
  readonly url: string;
  readonly received: readonly Received[];
  /** How often it was asked what it has on record. */
  readonly lookUps: number;
  /** What an answer to that waits for. */
  lookUpsWaitFor: Promise<unknown> | undefined;
  /** The `customCode` with which jobs fail; `undefined` for an exact match. */
  failure: string | undefined;
  /** The `customCode` with which a submission is refused; `undefined` where it is accepted. */
  refusal: string | undefined;
  /** How many it refused. */
  readonly refused: number;
  /** What it lists as its chains; none by default, which says nothing. */
  chains: readonly { readonly chainId: number; readonly name: string; readonly supported: boolean }[];
  stop(): Promise<void>;
}

export async function startRecordingService(): Promise<RecordingService> {
  const received: Received[] = [];
  let lookUps = 0;
  let refused = 0;
  const server = await startServer((request, response) => {
    const { method, url = "" } = request;
    response.setHeader("content-type", "application/json");
    if (method === "POST") {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        if (service.refusal !== undefined) {
          refused++;
          response.statusCode = 400;
          response.end(JSON.stringify({ customCode: service.refusal, message: "as the test says" }));
          return;
        }
        received.push(receivedAt(url, Buffer.concat(chunks).toString("utf8")));
        response.statusCode = 202;
        response.end(JSON.stringify({ verificationId: idOf(received.length) }));
      });
      return;
    }
    const [, , what, chainId, address] = url.split("/");
    if (what === "contract") {
      lookUps++;
      response.statusCode = 404;
      const nothing = { match: null, creationMatch: null, runtimeMatch: null, chainId, address };
      void Promise.resolve(service.lookUpsWaitFor).then(() => response.end(JSON.stringify(nothing)));
      return;
    }
    if (what === "verify") {
      const verificationId = url.split("/").at(-1) ?? "";
      const [, , , chain, at] = (received[Number(verificationId.slice(-6)) - 1]?.path ?? "").split("/");
      const match = service.failure === undefined ? "exact_match" : null;
      const error = service.failure !== undefined && {
        error: { customCode: service.failure, message: "as the test says", errorId: verificationId },
      };
      const contract = { match, creationMatch: match, runtimeMatch: match, chainId: chain, address: at };
      response.end(JSON.stringify({ isJobCompleted: true, verificationId, contract, ...error }));
      return;
    }
    response.end(JSON.stringify(service.chains));
  });
  const service: RecordingService = {
    url: server.url,
    received,
    get lookUps() {
      return lookUps;
    },
    lookUpsWaitFor: undefined,
    failure: undefined,
    refusal: undefined,
    get refused() {
      return refused;
    },
    chains: [],
    stop: () => server.stop(),
  };
  return service;
}

function receivedAt(path: string, text: string): Received {
  const { stdJsonInput } = JSON.parse(text) as {
    readonly stdJsonInput?: {
      readonly sources: Readonly<Record<string, { readonly content: string }>>;
      readonly settings: Readonly<Record<string, unknown>>;
    };
  };
  const sources = Object.entries(stdJsonInput?.sources ?? {});
  return {
    path,
    text,
    sources: Object.fromEntries(sources.map(([name, { content }]) => [name, sha256(content)])),
    settings: stdJsonInput?.settings ?? {},
  };
}

export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function idOf(count: number): string {
  return `11111111-2222-4333-8444-${String(count).padStart(12, "0")}`;
}
