import assert from "node:assert/strict";
import { afterEach, describe, it, mock } from "node:test";
import { JsonRpc } from "../../../src/core/chains/jsonRpc.ts";
import type { LedgerLensError } from "../../../src/core/errors.ts";
import { Countdown } from "../../../src/core/http/countdown.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { tellingOfLimits } from "../../../src/core/concurrency/toldLimits.ts";
import { askAgainAdvice, limitWords } from "../../../src/core/http/rateLimits.ts";
import { HealthProbe } from "../../../src/core/status/serviceHealth.ts";
import { systemClock } from "../../../src/core/concurrency/clock.ts";
import { VerificationService } from "../../../src/core/service/verificationService.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  mock.timers.reset();
  for (const stop of stops.splice(0)) await stop();
});

/** A service that refuses so many requests, and a client whose waits take no time. */
async function limited(times: number, retryAfter: string, [type, body] = ["application/json", "{}"]) {
  let left = times;
  const server = await startServer((_request, response) => {
    const headers = { "content-type": type, "retry-after": retryAfter };
    if (left-- > 0) response.writeHead(429, headers).end(body);
    else response.writeHead(200, { "content-type": "application/json" }).end('{"result":"0x"}');
  });
  const client = new JsonClient({
    network: () => DIRECT_NETWORK,
    userAgent: "test/1",
    clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
  });
  stops.push(
    () => client.dispose(),
    () => server.stop(),
  );
  return { url: server.url, asked: server.asked, client };
}

describe("A service that limits requests", () => {
  it("is told at once to the work that waits for it, however deep it asks, and to no other", async () => {
    const { url, client } = await limited(2, "42");
    const told: Record<string, string[]> = { outer: [], inner: [], other: [] };
    const listen =
      (name: string) =>
      ({ service, ms }: { readonly service: string; readonly ms: number }) =>
        told[name]?.push(`${service} ${ms}`);
    await Promise.all([
      tellingOfLimits(listen("outer"), async () => {
        await Promise.resolve();
        return tellingOfLimits(listen("inner"), () => new JsonRpc(client, url).code(`0x${"1".repeat(40)}`));
      }),
      tellingOfLimits(listen("other"), () => Promise.resolve()),
    ]);
    const waits = Array<string>(2).fill("The chain's node 42000");
    assert.deepEqual(told, { outer: waits, inner: waits, other: [] });
  });

  it("is counted down second by second, until it is over", () => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    const told: (string | undefined)[] = [];
    const countdown = new Countdown((wait) => {
      told.push(limitWords(wait, Date.now()));
      return told.at(-1) !== undefined;
    });
    countdown.begin({ service: "Hedera Mainnet", ms: 3_000 });
    // Another request that waits for less changes nothing.
    countdown.begin({ service: "Hedera Mainnet", ms: 1_000 });
    for (let second = 0; second < 5; second++) mock.timers.tick(1_000);
    assert.deepEqual(told, [
      "Hedera Mainnet: too many requests, going on in 3 s",
      "Hedera Mainnet: too many requests, going on in 2 s",
      "Hedera Mainnet: too many requests, going on in 1 s",
      undefined,
    ]);
    assert.equal(countdown.isRunning, false);
  });

  it("says no more once nobody looks any more, whatever the work left behind", () => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    let told = 0;
    const countdown = new Countdown(() => ++told > 0);
    countdown.begin({ service: "Hedera Mainnet", ms: 3_000 });
    countdown.end();
    countdown.begin({ service: "Hedera Mainnet", ms: 3_000 });
    mock.timers.tick(5_000);
    assert.deepEqual([told, countdown.isRunning], [1, false]);
  });

  it("advises a wait, with the time of day where it is longer than a minute, and never one that is too short", () => {
    const noon = new Date(2026, 10, 25, 12, 0, 30).getTime();
    const advice = (seconds: number | undefined) =>
      askAgainAdvice(seconds === undefined ? undefined : seconds * 1_000, noon);
    assert.equal(advice(undefined), "Wait a minute and try again.");
    assert.equal(advice(0), "Wait a minute and try again.");
    assert.equal(advice(0.5), "Wait 1 s and try again.");
    assert.equal(advice(60), "Wait 60 s and try again.");
    assert.equal(advice(90), "Requests are accepted again from 12:02. Wait 90 s and try again.");
    assert.equal(advice(3_661), "Requests are accepted again from 13:02. Wait 1 h 2 min and try again.");
    assert.equal(
      advice(86_400),
      "Requests are accepted again from tomorrow 12:01. Wait 1 day and try again.",
    );
    assert.match(advice(1e15), /^Requests are accepted again from .+ try again\.$/);
  });

  it("is asked how a job goes at the job's own pace, and not for its health", async () => {
    const { url, client, asked } = await limited(Infinity, "3700");
    const service = new VerificationService(client, url);
    const probe = new HealthProbe({ client, clock: systemClock, service: "verification", url });
    const id = "5d1c1f3e-6d4c-4f5b-8a45-1ad5c4b0d1f1";
    await assert.rejects(service.job(id), /too many requests/);
    await assert.rejects(service.chains(), /too many requests.* Wait 1 h 2 min/);
    await probe.check();
    // Nobody knows how fast a service is that was not asked.
    assert.deepEqual([probe.health.state, probe.health.latencyMs], ["unchecked", undefined]);
    await assert.rejects(service.job(id), /too many requests/);
    assert.deepEqual(asked, [`/v2/verify/${id}`, `/v2/verify/${id}`]);
  });

  it("is told with that advice by the verification service and by a chain's node", async () => {
    const { url, client } = await limited(Infinity, "3700");
    const refusal = (work: Promise<unknown>) =>
      work.then(
        () => assert.fail("it was not refused"),
        (error: unknown) => error as LedgerLensError,
      );
    const service = await refusal(
      new VerificationService(client, url).job("5d1c1f3e-6d4c-4f5b-8a45-1ad5c4b0d1f1"),
    );
    const node = await refusal(new JsonRpc(client, url).code(`0x${"1".repeat(40)}`));
    assert.equal(node.code, "rate_limited");
    for (const { message } of [service, node])
      assert.match(
        message,
        /too many requests.* Requests are accepted again from .+\. Wait 1 h 2 min and try again\.$/,
      );
  });

  it("is told with that advice where what stands before a service keeps the limit and speaks no JSON", async () => {
    for (const answer of [
      ["text/plain", "Too many requests, try later."],
      ["text/html", "<!DOCTYPE html><title>429</title>"],
    ] satisfies [string, string][]) {
      const { url, client } = await limited(Infinity, "3700", answer);
      await assert.rejects(
        new VerificationService(client, url).job("5d1c1f3e-6d4c-4f5b-8a45-1ad5c4b0d1f1"),
        /^LedgerLensError: The verification service \(127\.0\.0\.1:\d+\) has had too many requests\. Requests are accepted again from .+\. Wait 1 h 2 min and try again\.$/,
      );
    }
  });
});
