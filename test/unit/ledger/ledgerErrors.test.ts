import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { LedgerService } from "../../../src/core/ledger/ledgerService.ts";
import { selectableNetwork } from "../../../src/core/ledger/references/network.ts";
import { startLedger, type LedgerReply } from "./loopbackLedger.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function failure(
  reply: LedgerReply | string,
  ask = (service: LedgerService): Promise<unknown> => service.token("0.0.5"),
) {
  const { service, network } = await startLedger(() => reply, stops);
  const error: unknown = await ask(service).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error && "code" in error, "expected a failure");
  assert.match(error.message, /^[^\n<>]+\.$/);
  return { code: error.code, message: error.message.replaceAll(network.name, "Ledger") };
}
const html = '<!doctype html><meta charset="utf-8"><title>403</title>403 Forbidden';
const messages = (...said: readonly string[]) =>
  JSON.stringify({ _status: { messages: said.map((message) => ({ message })) } });

describe("What goes wrong at the ledger", () => {
  it("is said in one sentence, also when a gateway answers with HTML", async () => {
    const page = (status: number) =>
      failure({ status, body: html, headers: { "content-type": "text/html" } });
    assert.deepEqual(await page(403), {
      code: "forbidden",
      message:
        "Ledger refuses to show token 0.0.5: an API key is missing, or a proxy or firewall on the way refuses (status 403). Check the API key in ledgerLens.ledgerUrl.",
    });
    // Where a key went along, it is that which is refused.
    const { service } = await startLedger(
      () => ({ status: 403, body: html }),
      stops,
      "?apikey=k3y0123456789abcdef",
    );
    await assert.rejects(service.token("0.0.5"), {
      code: "forbidden",
      message: /: the API key is wrong or lacks the right to it \(status 403\)\. Check the API key in /,
    });
    for (const status of [502, 503, 504]) {
      assert.deepEqual(await page(status), {
        code: "unavailable",
        message: `Ledger is overloaded or its database is slow, so it did not show token 0.0.5 (status ${status}). Try again in a minute.`,
      });
    }
    assert.deepEqual(await page(429), {
      code: "rate_limited",
      message: "Ledger had too many requests and did not show token 0.0.5. Wait a minute and try again.",
    });
    assert.equal((await page(200)).code, "not_json");
    assert.equal((await failure("{")).code, "not_json");
    assert.equal((await failure({ status: 500, body: "" })).code, "server_error");
  });

  it("tells how long to wait", async () => {
    const { message } = await failure({ status: 429, body: "{}", headers: { "retry-after": "90" } });
    assert.match(message, / Requests are accepted again from .+\. Wait 90 s and try again\.$/);
    // A page of a gateway says it in its headers just as well.
    const page = await failure({ status: 429, body: html, headers: { "retry-after": "300" } });
    assert.match(page.message, /Wait 5 min and try again\.$/);
  });

  it("names every parameter that the ledger did not accept", async () => {
    assert.deepEqual(
      await failure({
        status: 400,
        body: messages(
          "Invalid parameter: tokenid",
          "Unknown query parameter: nonce",
          "Invalid parameter: x\u202e",
        ),
      }),
      {
        code: "invalid_parameter",
        message:
          'Ledger can\'t look up token 0.0.5: the token id is not valid; it does not know the parameter "nonce" here; its parameter "x\\u{202e}" is not valid. Correct it and try again.',
      },
    );
    const { message } = await failure(
      {
        status: 400,
        body: messages(
          'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds',
        ),
      },
      (service) => service.actions("0.0.5@1.2"),
    );
    assert.match(message, /the contract actions of 0\.0\.5-1-000000002: the transaction id is not valid\./);
    assert.match(
      (await failure({ status: 400, body: '{"_status":5}' })).message,
      /does not accept the request/,
    );
  });

  it("is that there is no such thing", async () => {
    assert.deepEqual(await failure({ status: 404, body: messages("Not found") }), {
      code: "not_found",
      message: "Ledger does not have token 0.0.5. Check the id, and whether it belongs to another network.",
    });
    assert.deepEqual(await failure('{"transactions":[]}', (service) => service.actions("1640084590.5")), {
      code: "not_found",
      message:
        "Ledger does not have transaction 1640084590.500000000. Check it, and whether it belongs to another network.",
    });
  });

  it("is a body of another form", async () => {
    for (const body of ["[]", "null", "5", '"text"']) assert.equal((await failure(body)).code, "wrong_shape");
    assert.equal(
      (await failure('{"actions":{}}', (service) => service.actions("0.0.5@1.2"))).code,
      "wrong_shape",
    );
    assert.equal((await failure("[]", (service) => service.schedules())).code, "wrong_shape");
    assert.equal((await failure("[]", (service) => service.schedule("0.0.5"))).code, "wrong_shape");
    assert.equal(
      (await failure('{"transactions":5}', (service) => service.actions("1640084590.5"))).code,
      "wrong_shape",
    );
  });
});

describe("A link of another network", () => {
  it("is refused before anything is sent, and says what to do", async () => {
    let network = selectableNetwork("testnet");
    const client = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
    stops.push(() => client.dispose());
    const service = new LedgerService({ client, network: () => network });
    const error = {
      code: "other_network",
      message:
        "This link belongs to Hedera Mainnet, while Hedera Testnet is chosen. Switch the network and open it again.",
    };
    const link = "https://hashscan.io/mainnet";
    await assert.rejects(service.token(`${link}/token/0.0.5`), error);
    await assert.rejects(service.actions(`${link}/transaction/0.0.5@1640084590.665216882`), error);
    await assert.rejects(service.schedule(`${link}/schedule/0.0.5`), error);
    await assert.rejects(service.schedules({ accountId: `${link}/account/0.0.5` }), error);
    network = selectableNetwork("mainnet");
    await assert.rejects(service.token("https://hashscan.io/testnet/token/0.0.5"), { code: "other_network" });
  });

  it("does not change what was opened before the network was switched", async () => {
    const one = await startLedger(
      (target) =>
        target.includes("gt:")
          ? '{"actions":[{"index":1}]}'
          : '{"actions":[{"index":0}],"links":{"next":"/api/v1/x?gt:"}}',
      stops,
    );
    const other = await startLedger(() => '{"actions":[]}', stops);
    let { network } = one;
    const service = new LedgerService({ client: one.client, network: () => network });
    const actions = await service.actions("0.0.5@1.2");
    network = other.network;
    await actions.pages.loadMore();
    assert.deepEqual([actions.network, actions.tree.actions.length], [one.network, 2]);
    assert.deepEqual(other.server.asked, []);
    assert.equal((await service.actions("0.0.5@1.2")).network, other.network);
  });
});
