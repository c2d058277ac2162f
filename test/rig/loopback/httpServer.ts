import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import type { ServerCertificate } from "./privateCa.ts";

/** A server on loopback that a test scripts. */
export interface LoopbackServer {
  readonly url: string;
  readonly port: number;
  /** Paths that were asked for, in order. A test that lasts long empties it. */
  readonly asked: string[];
  /** Closes the connections on which nothing is asked now; whoever keeps one for a later request opens it anew. */
  closeIdle(): void;
  stop(): Promise<void>;
}

/** Starts a server; with a certificate it speaks TLS. */
export async function startServer(
  listener: RequestListener,
  certificate?: ServerCertificate,
): Promise<LoopbackServer> {
  const asked: string[] = [];
  const counted: RequestListener = (request, response) => {
    asked.push(request.url ?? "");
    listener(request, response);
  };
  const server = certificate ? createTlsServer(certificate, counted) : createServer(counted);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${certificate ? "https" : "http"}://127.0.0.1:${port}`,
    asked,
    closeIdle: () => server.closeIdleConnections(),
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
