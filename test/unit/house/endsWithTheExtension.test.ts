import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { describe, it } from "node:test";
import { systemClock } from "../../../src/core/concurrency/clock.ts";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { StatusMonitor } from "../../../src/core/status/statusMonitor.ts";
import { WorkSigns } from "../../../src/core/status/workSigns.ts";
import { startServer } from "../../rig/loopback/httpServer.ts";
import { eventually } from "../../rig/eventually.ts";

/** Timers and sockets that this process has open, also those that would not keep it alive. */
function openResources() {
  const open = new Map<number, string>();
  const hook = createHook({
    init: (id, type) => {
      const isOurs = new Error().stack?.includes("eventually.ts") !== true;
      if (isOurs && /^(?:Timeout|TCPWRAP|TLSWRAP|FSEVENTWRAP|MESSAGEPORT|WORKER)$/.test(type))
        open.set(id, type);
    },
    destroy: (id) => open.delete(id),
  }).enable();
  return { open, stop: () => hook.disable() };
}

describe("When the extension ends", () => {
  it("no timer and no socket of the services is left, whatever they were doing", async () => {
    const server = await startServer((request, response) => {
      // The page answers, the services never do.
      if (request.url?.includes("summary") !== true) return;
      response.writeHead(500, { "content-type": "application/json" }).end("{}");
    });
    const { open, stop } = openResources();
    const http = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
    const monitor = new StatusMonitor({
      client: http,
      clock: systemClock,
      random: Math.random,
      work: new WorkSigns(Date.now),
      focused: true,
      storage: { get: () => undefined, set: () => Promise.resolve() },
      settings: () => ({
        networkId: "mainnet",
        components: [],
        names: [],
        statusUrl: server.url,
        verificationUrl: server.url,
        ledgerUrl: server.url,
        pollSeconds: 60,
        notifications: false,
      }),
      onNotification: () => undefined,
    });
    monitor.use();
    await eventually(() => Promise.resolve().then(() => assert.ok(server.asked.length >= 2, "it asks")));
    assert.ok(open.size > 0, "it has sockets and timers");
    monitor.dispose();
    await http.dispose();
    await server.stop();
    const ended = performance.now();
    await eventually(() => Promise.resolve().then(() => assert.deepEqual([...open.values()], [])));
    stop();
    // Shorter than any time-out of a request: what ends by itself then was not ended.
    assert.ok(performance.now() - ended < 10_000, "timers ran until they were due");
  });
});
