import { createServer, request as forward } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";

/** A forward proxy on loopback. */
export interface ProxyServer {
  readonly url: string;
  /** What it was asked to do: `CONNECT host:port` or `GET http://host/path`. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

/** How a proxy behaves. */
export interface ProxyOptions {
  /** Ports on loopback by the host that stands for them: names that no resolver knows. */
  readonly hosts: Readonly<Record<string, number>>;
  /** `user:password` that it demands. */
  readonly credentials?: string;
}

/** Starts a real forward proxy: it tunnels CONNECT and forwards requests in absolute form. */
export async function startProxy({ hosts, credentials }: ProxyOptions): Promise<ProxyServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const isAllowed = (header: string | undefined) =>
    credentials === undefined || header === `Basic ${Buffer.from(credentials).toString("base64")}`;
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    if (!isAllowed(request.headers["proxy-authorization"])) {
      response.writeHead(407, { "proxy-authenticate": 'Basic realm="proxy"' }).end();
      return;
    }
    const url = URL.parse(request.url ?? "");
    const port = url ? hosts[url.hostname] : undefined;
    if (!url || port === undefined) {
      response.writeHead(502).end();
      return;
    }
    const onward = forward(
      {
        host: "127.0.0.1",
        port,
        method: request.method,
        path: url.pathname + url.search,
        headers: request.headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.writeHead(502).end());
    request.pipe(onward);
  });
  server.on("connect", (request, socket: Socket, head) => {
    asked.push(`CONNECT ${request.url ?? ""}`);
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    const port = hosts[(request.url ?? "").split(":")[0] ?? ""];
    if (!isAllowed(request.headers["proxy-authorization"])) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    if (port === undefined) {
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      return;
    }
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    });
    sockets.add(onward);
    onward.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${credentials === undefined ? "" : `${credentials}@`}127.0.0.1:${port}`,
    asked,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
