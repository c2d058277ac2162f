import assert from "node:assert/strict";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { afterEach, describe, it } from "node:test";
import { HttpError } from "../../../src/core/http/httpError.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { JsonRpc } from "../../../src/core/chains/jsonRpc.ts";
import { LedgerLensError } from "../../../src/core/errors.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
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

/** A client that keeps a key for one server, or that knows only that it wants one. */
function keeper(origin: string, { isKept = true } = {}) {
  const lines: string[] = [];
  const client = new JsonClient({
    network: () => DIRECT_NETWORK,
    userAgent: "test/1",
    log: (line) => lines.push(line),
    keyFor: (url) =>
      Promise.resolve(
        url.origin === origin ? { headerName: "X-API-Key", ...(isKept && { key: KEY }) } : undefined,
      ),
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

  it("is what a verification service and a node ask for that refuse one who is without it", async () => {
    for (const [status, type] of [
      [401, "application/json"],
      [403, "application/json"],
      [401, "text/html"],
    ] as const) {
      const own = await server((_, response) =>
        response.writeHead(status, { "content-type": type }).end(type === "text/html" ? "<html>" : "{}"),
      );
      for (const keyed of [keeper(own.url).client, keeper(own.url, { isKept: false }).client])
        for (const ask of [
          () => new VerificationService(keyed, own.url).chains(undefined, { retries: 0 }),
          () => new JsonRpc(keyed, own.url).code(`0x${"5f".repeat(20)}`),
        ]) {
          const error = await ask().catch((reason: unknown) => reason);
          assert.ok(error instanceof LedgerLensError);
          assert.deepEqual(error.key, { origin: own.url, headerName: "X-API-Key" }, error.message);
          assert.match(error.message, /enter the key for X-API-Key again\.$/);
          assert.doesNotMatch(error.message, /ledgerLens\./);
        }
      const without = keeper("https://another.example").client;
      const error = await new VerificationService(without, own.url)
        .chains(undefined, { retries: 0 })
        .catch((reason: unknown) => reason);
      assert.ok(error instanceof LedgerLensError);
      assert.equal(error.key, undefined);
      if (type !== "text/html")
        assert.match(error.message, /Check the API key in ledgerLens\.verificationUrl\.$/);
    }
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
