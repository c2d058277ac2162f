import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { LedgerService } from "../../../src/core/ledger/ledgerService.ts";
import { networkAt, type LedgerNetwork } from "../../../src/core/ledger/references/network.ts";
import { startServer, type LoopbackServer } from "../../rig/loopback/httpServer.ts";

/** What a scripted ledger answers to a path with its query: a body, or a status with body and headers. */
export type LedgerAnswers = (
  target: string,
) => string | LedgerReply | undefined | Promise<string | LedgerReply | undefined>;

/** An answer that is no plain success. */
export interface LedgerReply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A ledger on loopback and a service that asks it through the real HTTP client. */
export interface LoopbackLedger {
  readonly server: LoopbackServer;
  readonly network: LedgerNetwork;
  readonly client: JsonClient;
  readonly service: LedgerService;
}

/** The time that the service's clock shows, in milliseconds. */
export const NOW = Date.parse("2026-01-01T00:00:00Z");

/** What mirror nodes say of what they do not have. */
export const NOT_FOUND = '{"_status":{"messages":[{"message":"Not found"}]}}';

/**
 * Starts a ledger.
 *
 * @param answers `undefined` is 404
 * @param stops receives what stops it
 * @param path of the interface's base, behind the origin
 */
export async function startLedger(
  answers: LedgerAnswers,
  stops: (() => Promise<void>)[],
  path = "",
): Promise<LoopbackLedger> {
  const server = await startServer((request, response) => {
    void Promise.resolve(answers(request.url ?? "")).then((answer) => {
      const said = answer ?? { status: 404, body: NOT_FOUND };
      const {
        status,
        body = "",
        headers = {},
      } = typeof said === "string" ? { status: 200, body: said } : said;
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    });
  });
  const clock = { now: () => NOW, sleep: () => Promise.resolve() };
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", clock });
  stops.push(
    () => client.dispose(),
    () => server.stop(),
  );
  const network = networkAt(server.url + path);
  return { server, network, client, service: new LedgerService({ client, network: () => network, clock }) };
}
