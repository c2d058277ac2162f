import assert from "node:assert/strict";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { afterEach, describe, it } from "node:test";
import { HttpError } from "../../../src/core/http/httpError.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";

const KEY = "9f8e7d6c5b4a-key";
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A server that remembers the headers of its requests. */
async function server(listener: RequestListener) {
  const heard: IncomingHttpHeaders[] = [];
  const started = await startServer((request, response) => {
    heard.push(request.headers);
    listener(request, response);
  });
  stops.push(() => started.stop());
  return { url: started.url, heard };
}

const ok: RequestListener = (_, response) =>
  response.writeHead(200, { "content-type": "application/json" }).end("{}");

/** A client that keeps a key for one server. */
function keeper(origin: string) {
  const lines: string[] = [];
  const client = new JsonClient({
    network: () => DIRECT_NETWORK,
    userAgent: "test/1",
    log: (line) => lines.push(line),
    keysFor: (url) => Promise.resolve(url.origin === origin ? { "X-API-Key": KEY } : {}),
    clock: { now: () => 0, sleep: () => Promise.resolve() },
  });
  stops.push(() => client.dispose());
  return { client, lines };
}

describe("A key that goes along in a header", () => {
  it("is sent to its own server, at every attempt, and to no other", async () => {
    const other = await server(ok);
    let attempts = 0;
    const own = await server((request, response) =>
      attempts++ === 0 ? response.writeHead(503).end() : ok(request, response),
    );
    const { client } = keeper(own.url);
    const waits: unknown[] = [];
    await client.request({ url: `${own.url}/a`, service: "S", onWait: (wait) => waits.push(wait) });
    await client.request({ url: `${other.url}/a`, service: "S" });
    assert.deepEqual(
      own.heard.map((headers) => headers["x-api-key"]),
      [KEY, KEY],
    );
    assert.deepEqual(
      other.heard.map((headers) => headers["x-api-key"]),
      [undefined],
    );
    assert.equal(waits.length, 1, "a wait is told when it begins");
  });

  it("does not follow to another server", async () => {
    const other = await server(ok);
    const own = await server((_, response) =>
      response.writeHead(302, { location: `${other.url}/?k=${KEY}` }).end(),
    );
    const { client, lines } = keeper(own.url);
    const error: unknown = await client.request({ url: own.url, service: "S" }).catch((e: unknown) => e);
    assert.ok(error instanceof HttpError);
    assert.equal(error.code, "redirect_refused");
    assert.deepEqual(other.heard, []);
    assert.ok(!JSON.stringify([error.message, error.detail, lines]).includes(KEY));
  });

  it("is told nowhere, though the server repeats it", async () => {
    for (const type of ["application/json", "text/html"]) {
      const said = JSON.stringify({ message: `The key ${KEY} is not valid, nor is Bearer ${KEY}` });
      const own = await server((_, response) => response.writeHead(401, { "content-type": type }).end(said));
      const { client, lines } = keeper(own.url);
      const answer: unknown = await client
        .request({ url: `${own.url}/a`, service: "S", retries: 0 })
        .catch((error: unknown) => error instanceof HttpError && [error.message, error.detail]);
      assert.ok(!JSON.stringify([answer, lines]).includes(KEY), type);
    }
  });
});
