import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { JsonRpc } from "../../../src/core/chains/jsonRpc.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { LedgerService } from "../../../src/core/ledger/ledgerService.ts";
import { networkAt } from "../../../src/core/ledger/references/network.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { startServer, type LoopbackServer } from "../../rig/loopback/httpServer.ts";

const INSIDE = JSON.stringify({ error: { code: -32000, message: "header not found" } });
/** What a server may have for words, with what is left of it. */
const SAID = [
  [INSIDE, "header not found"],
  [`Request failed: ${INSIDE}`, "Request failed: header not found"],
  ['[{"a":1}]', ""],
] as const;

describe("A message about what a server refused has none of the server's JSON", () => {
  let server: LoopbackServer;
  let answer: { readonly status: number; readonly body: object };
  // What is asked again is so at once.
  const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
  const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1", clock });

  before(async () => {
    server = await startServer((_request, response) => {
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(JSON.stringify(answer.body));
    });
  });

  after(async () => {
    await client.dispose();
    await server.stop();
  });

  async function messageOf(work: () => Promise<unknown>): Promise<string> {
    const error: unknown = await work().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Error, "expected a failure");
    assert.doesNotMatch(error.message, /[[{]\s*["{]|"[a-z]+":/);
    assert.match(error.message, /\.$/);
    return error.message;
  }

  it("of the verification service", async () => {
    for (const status of [400, 401, 403, 409, 422])
      for (const customCode of ["invalid_parameter", "unsupported_chain", "cannot_fetch_bytecode", "other"])
        for (const [message, words] of SAID) {
          answer = { status, body: { customCode, message, errorId: "1" } };
          const service = new VerificationService(client, server.url);
          const said = await messageOf(() => service.job("5d1c1f3e-6d4c-4f5b-8a45-1ad5c4b0d1f1"));
          assert.ok(said.includes(words || `status ${status}`), said);
        }
  });

  it("of the verification service that failed itself, whose name it says and whose stack it does not", async () => {
    const message =
      "TypeError: Cannot read properties of undefined (reading 'sources')\n    at verify (/app/dist/verification.js:310:7)";
    answer = { status: 500, body: { customCode: "internal_error", message, errorId: "1" } };
    const service = new VerificationService(client, server.url);
    const said = await messageOf(() => service.job("5d1c1f3e-6d4c-4f5b-8a45-1ad5c4b0d1f1"));
    const host = new URL(server.url).host;
    assert.equal(said, `The verification service (${host}) failed (status 500). Try again later.`);
  });

  it("of the verification service, of which so much stands in a sentence as is read", async () => {
    answer = { status: 500, body: { customCode: "other", message: "word ".repeat(199) } };
    const service = new VerificationService(client, server.url);
    const said = await messageOf(() => service.job("5d1c1f3e-6d4c-4f5b-8a45-1ad5c4b0d1f1"));
    assert.ok(said.length < 350, `${said.length} characters`);
  });

  it("of a service that refuses a key, or the lack of one", async () => {
    answer = { status: 403, body: { message: "Forbidden" } };
    const said = (url: string) =>
      messageOf(() => new VerificationService(client, url).job("5d1c1f3e-6d4c-4f5b-8a45-1ad5c4b0d1f1"));
    assert.match(await said(server.url), /an API key is missing, or a proxy or firewall .*\(Forbidden\)/);
    const withKey = await said(`${server.url}?apikey=k3y0123456789abcdef`);
    assert.match(withKey, /: the API key is wrong or lacks the right to it \(Forbidden\)/);
    assert.ok(!withKey.includes("k3y0"));
  });

  it("of a chain's node", async () => {
    for (const [message, words] of SAID) {
      answer = { status: 200, body: { jsonrpc: "2.0", id: 1, error: { code: -32000, message } } };
      const said = await messageOf(() => new JsonRpc(client, server.url).code(`0x${"1".repeat(40)}`));
      assert.ok(said.includes(words || "no reason given"), said);
    }
  });

  it("of a chain's node that says no more than a status", async () => {
    const said = (status: number, url = server.url) => {
      answer = { status, body: {} };
      return messageOf(() => new JsonRpc(client, url).code(`0x${"1".repeat(40)}`));
    };
    assert.match(
      await said(401),
      /the API key is missing or wrong \(status 401\)\. Check the API key in ledgerLens\.rpcUrls\.$/,
    );
    assert.match(await said(403), /: an API key is missing, or a proxy or firewall/);
    assert.match(
      await said(403, `${server.url}?apikey=k3y0123456789abcdef`),
      /: the API key is wrong or lacks/,
    );
    assert.match(await said(503), /\(status 503\)\. Try again later\.$/);
    assert.match(await said(404), /: status 404\. Check ledgerLens\.rpcUrls\.$/);
  });

  it("of the ledger", async () => {
    for (const [message, words] of SAID) {
      answer = { status: 400, body: { _status: { messages: [{ message }] } } };
      const said = await messageOf(() =>
        new LedgerService({ client, network: () => networkAt(server.url) }).token("0.0.5"),
      );
      assert.ok(said.includes(words || "it does not accept the request"), said);
    }
  });
});
