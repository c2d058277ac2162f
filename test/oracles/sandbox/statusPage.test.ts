import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { JsonClient } from "../../../src/core/http/jsonClient.ts";
import { DIRECT_NETWORK } from "../../rig/directNetwork.ts";
import { eventually } from "../../rig/eventually.ts";
import { readStatusSummaryInPieces } from "../../../src/core/status/statusSummary.ts";
import { startStatusPage, type StatusPageServer } from "../../sandbox/statusPage.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function page(): Promise<StatusPageServer> {
  const started = await startStatusPage();
  stops.push(() => started.stop());
  return started;
}

function client(): JsonClient {
  const made = new JsonClient({ network: () => DIRECT_NETWORK, userAgent: "test/1" });
  stops.unshift(() => made.dispose());
  return made;
}

describe("The sandbox's status page", () => {
  it("has the manners of the public one: entity tags, freshness, and nothing at a wrong path", async () => {
    const { url, traffic } = await page();
    const get = (path: string, headers = {}) => fetch(url + path, { headers });
    const first = await get("/api/v2/summary.json");
    const tag = first.headers.get("etag") ?? "";
    assert.match(tag, /^W\/"[0-9a-f]+"$/);
    assert.match(first.headers.get("cache-control") ?? "", /^max-age=10, public, s-maxage=10/);
    assert.equal(first.headers.get("vary"), "Accept, Accept-Encoding");
    await first.text();
    const second = await get("/api/v2/summary.json", { "if-none-match": tag });
    assert.deepEqual([second.status, await second.text()], [304, ""]);
    const wrong = await get("/api/v2/summary");
    assert.deepEqual([wrong.status, await wrong.text(), wrong.headers.get("content-type")], [404, "", null]);
    assert.deepEqual([traffic.requests, traffic.full, traffic.notModified, traffic.notFound], [3, 1, 1, 1]);
  });

  it("counts what really goes over the wire", async () => {
    const { url, traffic } = await page();
    const http = client();
    const ask = (headers = {}) =>
      http.request({ url: `${url}/api/v2/summary.json`, service: "The status page", headers });
    const { headers, text } = await ask();
    // Counted once the page is done with its answer, which may be after it has arrived.
    await eventually(() => assert.ok(traffic.bytesIn > 0));
    const { bytesIn, bytesOut } = traffic;
    assert.ok(bytesIn > 100 && bytesIn < 1000, `${bytesIn}`);
    assert.ok(bytesOut > 500 && bytesOut < text.length, "compressed");
    await ask({ "if-none-match": headers["etag"] ?? "" });
    await eventually(() => assert.ok(traffic.bytesOut > bytesOut));
    assert.ok(traffic.bytesOut - bytesOut < 700, `${traffic.bytesOut - bytesOut} bytes for nothing new`);
  });

  it("lives through an outage and a maintenance, and its tag changes with every change", async () => {
    const { url, ...control } = await page();
    const tags = new Set<string>();
    const read = async () => {
      const response = await fetch(`${url}/api/v2/summary.json`);
      tags.add(response.headers.get("etag") ?? "");
      return atOnce(readStatusSummaryInPieces(await response.json(), "The status page"));
    };
    assert.equal((await read()).status.indicator, "none");
    const outage = control.beginIncident({
      name: "REST API down",
      impact: "critical",
      body: "Looking.",
      components: { "Mirror Node REST API Public Mainnet": "major_outage" },
    });
    const during = await read();
    assert.equal(during.status.indicator, "critical");
    assert.equal(during.components.find(({ name }) => name === "Mainnet")?.status, "major_outage");
    control.updateIncident(outage, {
      status: "monitoring",
      body: "A fix is in.",
      components: { "Mirror Node REST API Public Mainnet": "degraded_performance" },
    });
    const [incident] = (await read()).incidents;
    assert.deepEqual(
      incident?.incident_updates.map(({ status }) => status),
      ["monitoring", "investigating"],
    );
    control.resolveIncident(outage);
    assert.deepEqual((await read()).incidents, []);
    const upgrade = control.announceMaintenance({
      name: "Testnet upgrade",
      body: "Soon.",
      from: Date.now() + 60_000,
      until: Date.now() + 120_000,
      components: ["HashScan Testnet"],
    });
    assert.equal((await read()).scheduled_maintenances[0]?.status, "scheduled");
    control.beginMaintenance(upgrade, "Now.");
    const maintained = await read();
    assert.equal(maintained.status.indicator, "maintenance");
    assert.equal(maintained.scheduled_maintenances[0]?.status, "in_progress");
    control.completeMaintenance(upgrade);
    const after = await read();
    assert.deepEqual([after.status.indicator, after.scheduled_maintenances], ["none", []]);
    assert.equal(tags.size, 7);
    assert.throws(() => control.setComponent("Nowhere", "operational"), /no component "Nowhere"/);
  });

  it("can fail as a load balancer does", async () => {
    const started = await page();
    started.fault = { status: 503, retryAfter: "30" };
    const response = await fetch(`${started.url}/api/v2/summary.json`);
    assert.deepEqual([response.status, response.headers.get("retry-after")], [503, "30"]);
    assert.match(await response.text(), /^<!doctype html>/);
    assert.equal(started.traffic.failed, 1);
  });
});
