import assert from "node:assert/strict";
import dns from "node:dns";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { describe, it, mock } from "node:test";
import type { NetworkSettings } from "../../../src/core/http/networkSettings.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import type * as transportModule from "../../../src/core/http/transport.ts";
import type { HttpError } from "../../../src/core/http/httpError.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { Transport } from "../../../src/core/http/transport.ts";
import { turnsOf } from "../../rig/turnsOf.ts";

it("The first request lets others have their turn while it reads what the system trusts", async () => {
  // Loaded anew: what is trusted is read once, and another test of this process may have made a request.
  const source = new URL("../../../src/core/http/transport.ts?anew", import.meta.url).href;
  const { Transport } = (await import(source)) as typeof transportModule;
  let transport: transportModule.Transport | undefined;
  const turns = await turnsOf(async () => {
    transport = await Transport.open(DIRECT_NETWORK);
  });
  await transport?.destroy();
  // Between Node's list, the system's, and what both come to.
  assert.ok(turns >= 3, `${turns} turns`);
});

describe("This machine", () => {
  /** Servers of a test, which end with it. */
  async function listening(listener: RequestListener) {
    const server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    return {
      port: (server.address() as AddressInfo).port,
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  /** What answers a request to a host; what went wrong where nothing did. */
  async function answerOf(network: NetworkSettings, url: string): Promise<string> {
    const transport = await Transport.open(network);
    const { signal } = new AbortController();
    try {
      const request = { method: "POST", url: new URL(url), headers: {}, body: "{}", signal } as const;
      return await (await transport.send(request)).body.text();
    } catch (error) {
      return String(error);
    } finally {
      await transport.destroy();
    }
  }

  it("is where localhost leads, whatever a resolver would say, and no name below it is", async () => {
    await using here = await listening((_request, response) => response.end("here"));
    const asked: string[] = [];
    const lookup = mock.method(dns, "lookup", ((name, _options, tell) => {
      asked.push(name);
      tell(new Error("There is no such name."));
    }) as (name: string, options: object, tell: (error: Error) => void) => void);
    try {
      const ask = (host: string) => answerOf(DIRECT_NETWORK, `http://${host}:${here.port}`);
      for (const host of ["localhost", "localhost.", "LOCALHOST"])
        assert.equal(await ask(host), "here", host);
      assert.deepEqual(asked, []);
      assert.match(await ask("sourcify.localhost"), /no such name/);
      assert.deepEqual(asked, ["sourcify.localhost"]);
    } finally {
      lookup.mock.restore();
    }
  });

  it("is reached without the proxy by each of its names and addresses, and nothing else is", async () => {
    const asked: string[] = [];
    await using here = await listening((_request, response) => response.end("here"));
    await using proxy = await listening(({ url = "" }, response) => {
      asked.push(new URL(url).hostname);
      response.end("by the proxy");
    });
    const network = { ...DIRECT_NETWORK, proxySupport: "on", proxy: `http://127.0.0.1:${proxy.port}` };
    const ask = (host: string) => answerOf(network, `http://${host}:${here.port}`);
    for (const host of ["localhost", "localhost.", "127.0.0.1", "127.1", "0.0.0.0"])
      assert.equal(await ask(host), "here", host);
    // Whether anything answers there is up to the machine.
    for (const host of ["[::]", "[::1]", "[::ffff:127.0.0.1]"])
      assert.notEqual(await ask(host), "by the proxy", host);
    assert.deepEqual(asked, []);
    const others = ["sourcify.localhost", "ip6-localhost", "10.0.0.7"];
    for (const host of others) assert.equal(await ask(host), "by the proxy", host);
    assert.deepEqual(asked, others);
  });

  it("is reached though the proxy that is set can't be used, and nothing else is asked then, by any way", async () => {
    await using here = await listening((_request, response) => response.end("here"));
    for (const proxy of [
      "socks4://127.0.0.1:1",
      "ftp://proxy",
      "not a proxy",
      "http://",
      "socks5:///",
      "http://user:100%@proxy:8080",
    ]) {
      const network = { ...DIRECT_NETWORK, proxySupport: "on", proxy, noProxy: ["nothing.invalid"] };
      assert.equal(await answerOf(network, `http://127.0.0.1:${here.port}`), "here", proxy);
      // What the proxy is not for is looked for by itself.
      assert.match(await answerOf(network, "http://nothing.invalid"), /ENOTFOUND|EAI_AGAIN/, proxy);
      const client = new JsonClient({ network: () => network, userAgent: "test/1" });
      try {
        const asking = client.request({ url: "https://verify.example", service: "The service" });
        await assert.rejects(asking, (error: HttpError) => {
          assert.deepEqual([error.code, error.sent], ["proxy_invalid", false]);
          assert.equal(
            error.message,
            "The proxy that is set has no http, https or socks5 address, so The service (verify.example) was not asked. Write http.proxy, or the variable HTTPS_PROXY, as http://host:port.",
          );
          return true;
        });
      } finally {
        await client.dispose();
      }
    }
  });

  it("is left by a proxy of SOCKS 5, too, which looks names up itself", async () => {
    const asked: string[] = [];
    const proxy = createTcpServer((socket) => {
      socket.once("data", () => {
        socket.write(Buffer.from([5, 0]));
        socket.once("data", (connect: Buffer) => {
          asked.push(connect.toString("latin1", 5, 5 + (connect[4] ?? 0)));
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nsocks"));
        });
      });
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    try {
      const { port } = proxy.address() as AddressInfo;
      for (const scheme of ["socks5", "socks5h", "socks"]) {
        const network = { ...DIRECT_NETWORK, proxySupport: "on", proxy: `${scheme}://127.0.0.1:${port}` };
        assert.equal(await answerOf(network, "http://verify.example"), "socks", scheme);
      }
      assert.deepEqual(asked, ["verify.example", "verify.example", "verify.example"]);
    } finally {
      proxy.close();
    }
  });

  it("is not left for https where that proxy can't be used, whatever proxy there is for http", async () => {
    const environment = { http_proxy: "socks5://127.0.0.1:1", https_proxy: "ftp://proxy" };
    const network = { ...DIRECT_NETWORK, proxySupport: "on", environment };
    const client = new JsonClient({ network: () => network, userAgent: "test/1" });
    try {
      await assert.rejects(client.request({ url: "https://verify.example", service: "The service" }), {
        code: "proxy_invalid",
        sent: false,
      });
    } finally {
      await client.dispose();
    }
  });

  it("is left by a proxy that is written as curl takes it, without a scheme", async () => {
    await using proxy = await listening((_request, response) => response.end("by the proxy"));
    const environment = { http_proxy: `127.0.0.1:${proxy.port}` };
    const network = { ...DIRECT_NETWORK, proxySupport: "on", environment };
    assert.equal(await answerOf(network, "http://10.0.0.7:5555"), "by the proxy");
  });
});
