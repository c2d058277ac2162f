import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { ChainSupport } from "../../../src/core/service/chainSupport.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";
import { fakeClock } from "../jobs/jobWorld.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A service whose list a test changes; it has none where that is `undefined`. */
async function world(list: readonly object[] | undefined) {
  const state = { list, asked: 0 };
  const server = await startServer((_request, response) => {
    state.asked++;
    response.statusCode = state.list ? 200 : 503;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(state.list ?? {}));
  });
  const clock = fakeClock();
  const client = new JsonClient({
    network: () => DIRECT_NETWORK,
    userAgent: "test/1",
    clock,
    random: () => 0,
  });
  stops.push(async () => {
    await client.dispose();
    await server.stop();
  });
  return {
    state,
    clock,
    service: new VerificationService(client, server.url),
    support: new ChainSupport(clock),
  };
}

describe("What a service lists of chains", () => {
  it("names no node of this machine, and none without protection, where the service is elsewhere", async () => {
    const rpc = [
      "http://127.0.0.1:8545",
      "https://[fe80::1]:8545",
      "http://node.example",
      "https://node.example",
    ];
    const client: Pick<JsonClient, "request"> = {
      request: () =>
        Promise.resolve({ status: 200, body: [{ chainId: 1, rpc }], text: "", headers: {}, durationMs: 1 }),
    };
    const service = new VerificationService(client, "https://sourcify.dev/server");
    assert.equal(await new ChainSupport(fakeClock()).listedNode(service, "1", undefined), rpc[3]);
  });

  it("is asked for once, for the reading of many codes as for what is said of a chain", async () => {
    const rpc = ["http://127.0.0.1:8545/{KEY}", "http://127.0.0.1:8545"];
    const { state, clock, service, support } = await world([{ chainId: 1, rpc }]);
    const nodes = await Promise.all(
      Array.from({ length: 8 }, () => support.listedNode(service, "1", undefined)),
    );
    assert.deepEqual(new Set(nodes), new Set([rpc[1]]));
    await clock.sleep(30 * MINUTE);
    assert.equal(await support.listedNode(service, "2", undefined), undefined);
    assert.equal(await support.standing(service, "1", undefined), "supported");
    assert.equal(state.asked, 1);
    await clock.sleep(31 * MINUTE);
    await support.listedNode(service, "1", undefined);
    assert.equal(state.asked, 2);
  });

  it("is asked for anew where it lacks a chain, which may just have been added, and not all the time", async () => {
    const { state, clock, service, support } = await world([
      { chainId: 1 },
      { chainId: 5, supported: false },
    ]);
    const standing = (chainId: string) => support.standing(service, chainId, undefined);
    assert.equal(await standing("7"), "unlisted");
    state.list = [{ chainId: 1 }, { chainId: 5 }, { chainId: 7 }];
    assert.deepEqual([await standing("7"), await standing("5")], ["unlisted", "unsupported"]);
    assert.equal(state.asked, 1, "what was just said is not asked again");
    await clock.sleep(11 * SECOND);
    assert.deepEqual([await standing("7"), await standing("5")], ["supported", "supported"]);
    assert.equal(state.asked, 2);
  });

  it("is what it is now for a person who looks for a chain, and what they were shown counts from then on", async () => {
    const { state, clock, service, support } = await world([{ chainId: 1 }]);
    await support.chains(service, undefined);
    state.list = [{ chainId: 1 }, { chainId: 7 }];
    await clock.sleep(11 * SECOND);
    assert.equal((await support.chains(service, undefined)).length, 1);
    const shown = await support.chains(service, undefined, { isLookedFor: true });
    assert.deepEqual(
      shown.map(({ chainId }) => chainId),
      ["1", "7"],
    );
    assert.equal(await support.standing(service, "7", undefined), "supported");
    assert.equal(state.asked, 2);
  });

  it("is not asked for again at once where there is none, but for who is told so and tries again", async () => {
    const { state, clock, service, support } = await world(undefined);
    for (let time = 0; time < 3; time++)
      assert.equal(await support.standing(service, "1", undefined), undefined);
    assert.equal(state.asked, 1);
    await assert.rejects(support.listedNode(service, "1", undefined), { status: 503 });
    assert.equal(state.asked, 2, "without tries of its own");
    state.list = [{ chainId: 1, rpc: ["http://127.0.0.1:8545"] }];
    assert.equal(await support.standing(service, "1", undefined), undefined);
    assert.equal(await support.listedNode(service, "1", undefined), "http://127.0.0.1:8545");
    assert.equal(await support.standing(service, "1", undefined), "supported");
    state.list = undefined;
    await clock.sleep(2 * 60 * MINUTE);
    assert.equal(await support.standing(service, "1", undefined), undefined);
  });
});
