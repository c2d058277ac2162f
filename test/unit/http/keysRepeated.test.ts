import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { afterEach, describe, it } from "node:test";
import { JsonRpc } from "../../../src/core/chains/jsonRpc.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { withoutKeys } from "../../../src/core/http/shownAddress.ts";
import { LedgerService } from "../../../src/core/ledger/ledgerService.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const clock = { now: () => 0, sleep: () => Promise.resolve() };

/** Keys with the signs that are written otherwise in JSON, in pages and in addresses. */
const KEYS = ["Zm9v/YmFy+cXV4/emVk==", 'a"b\\c/9f8e7d6c5b', "ab&cd<ef>9876543210", "ABCdef0123456789XYZ"];

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** How services write what they repeat, inside a text of JSON. */
const WRITINGS: Readonly<Record<string, (key: string) => string>> = {
  "as it is": inJson,
  "as PHP's JSON": (key) => inJson(key).replaceAll("/", "\\/"),
  "by code units": (key) =>
    Array.from(key, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  "as a page": (key) => key.replaceAll("\\", "\\\\").replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`),
  "as part of an address": (key) => encodeURIComponent(key),
  "as part of an address in small letters": (key) => encodeURIComponent(key).toLowerCase(),
  "as a form": (key) => String(new URLSearchParams({ key })).slice("key=".length),
  "in small letters": (key) => inJson(key.toLowerCase()),
  "without its padding": (key) => inJson(key.replace(/=+$/, "")),
  "behind an escape": (key) => `\\n${inJson(key)}`,
};

const PLACES: Readonly<Record<string, (origin: string, key: string) => string>> = {
  "a header": (origin) => origin,
  "the query": (origin, key) => `${origin}/?key=${encodeURIComponent(key)}`,
  "the query as it was pasted": (origin, key) => `${origin}/?key=${key.replaceAll("&", "%26")}`,
  "the path": (origin, key) => `${origin}/${encodeURIComponent(key)}`,
};

async function started(listener: RequestListener): Promise<string> {
  const server = await startServer(listener);
  stops.push(() => server.stop());
  return server.url;
}

/** A client that writes its log to `said`. */
function clientWith(key: string | undefined, said: string[] = []): JsonClient {
  const client = new JsonClient({
    network: () => DIRECT_NETWORK,
    userAgent: "test/1",
    clock,
    log: (line) => said.push(line),
    keyFor: () => Promise.resolve(key === undefined ? undefined : { headerName: "X-API-Key", key }),
  });
  stops.push(() => client.dispose());
  return client;
}

/** What a service says of a key, as everybody is told of it: by a ledger, a verification service and a node. */
async function everythingTold(address: string, key: string | undefined): Promise<string> {
  const said: string[] = [];
  const client = clientWith(key, said);
  const network = networkAt(address);
  for (const ask of [
    () => new LedgerService({ client, network: () => network, clock }).token("0.0.5"),
    () => new VerificationService(client, address).chains(),
    () => new JsonRpc(client, address).code(`0x${"5f".repeat(20)}`),
  ])
    await ask().then(
      () => assert.fail("a refusal"),
      (error: unknown) => {
        for (let at = error; at instanceof Error; at = at.cause)
          said.push(at.message, (at as { detail?: string }).detail ?? "");
      },
    );
  return said.join("\n");
}

describe("A key that a service repeats in a refusal", () => {
  for (const [place, addressWith] of Object.entries(PLACES))
    it(`is not told where it went along in ${place}, however it is written`, async () => {
      for (const key of KEYS)
        for (const [how, write] of Object.entries(WRITINGS)) {
          const message = `"message":"No customer has ${write(key)} here"`;
          const url = await started((request, response) =>
            response
              .writeHead(request.method === "POST" ? 200 : 400, { "content-type": "application/json" })
              .end(`{${message},"error":{${message}},"_status":{"messages":[{${message}}]}}`),
          );
          const told = await everythingTold(addressWith(url, key), place === "a header" ? key : undefined);
          assert.match(told, /No customer has/, "the rest is told");
          // The four last letters or digits but padding are in every writing.
          const end = key.replace(/=+$/, "").slice(-4).toLowerCase();
          assert.ok(!told.toLowerCase().includes(end), `${key} ${how}:\n${told}`);
        }
    });

  it("is not told as a part of a header's value either", () => {
    for (const [value, said, told] of [
      ["Bearer 9f8e7d6c5b4a", "9f8e7d6c5b4a is no bearer token", "… is no bearer token"],
      ['Token token="9f8e7d6c5b4a"', "token 9f8e7d6c5b4a", "token …"],
    ] as const)
      assert.equal(withoutKeys(said, "https://a.example", [value]), told);
  });

  it("is in no sentence about where a redirect leads or what kind of body came", async () => {
    const key = "9f8e7d6c5b4a";
    for (const listener of [
      (_, response) => response.writeHead(302, { location: `https://${key}.example/` }).end(),
      (_, response) => response.writeHead(200, { "content-type": `text/${key}` }).end(`${key} is wrong`),
    ] satisfies RequestListener[]) {
      const said: string[] = [];
      const error: unknown = await clientWith(key, said)
        .request({ url: await started(listener), service: "S" })
        .catch((reason: unknown) => reason);
      for (let at = error; at instanceof Error; at = at.cause)
        said.push(at.message, (at as { detail?: string }).detail ?? "");
      assert.ok(said.length > 1);
      assert.ok(!said.join("\n").includes(key), said.join("\n"));
    }
  });
});

describe("A key that a service repeats in data", () => {
  it("stands in the data that is used and not in the text that is shown", async () => {
    const key = "9f8e7d6c5b4a";
    const next = `/api/v1/schedules?apikey=${key}&limit=1`;
    const url = await started((_, response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ links: { next }, big: 1 })),
    );
    const base = `${url}/?apikey=${key}`;
    const { body, text } = await clientWith(undefined).request({ url: base, base, service: "S" });
    assert.deepEqual(body, { links: { next }, big: 1 }, "the next page is asked for with it");
    assert.ok(!text.includes(key));
    assert.match(text, /limit=1/);
  });

  it("leaves a text of which it is no part as it came, to the byte", async () => {
    const came = '{ "a": 1.0,\n "b": "…\\/é" }';
    const url = await started((_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(came),
    );
    assert.equal((await clientWith("9f8e7d6c5b4a").request({ url, service: "S" })).text, came);
  });
});
