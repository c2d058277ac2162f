import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { HttpError } from "../../../src/core/http/httpError.ts";
import { statusBarModel } from "../../../src/core/status/statusBarText.ts";
import type { StatusRow } from "../../../src/core/status/statusRow.ts";
import { statusRows } from "../../../src/core/status/statusRows.ts";
import { foreignLine } from "../../../src/core/text/shownText.ts";
import { HOUR, MINUTE, MORNING, statusWorld, type StatusWorld } from "./statusWorld.ts";

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const MIRROR = "Mirror Node REST API Public Mainnet";

/** The view as a person reads it: icon, label, description, nested. */
function read(
  { monitor, settings, clock }: StatusWorld,
  timeZone = "UTC",
  use?: Parameters<typeof statusRows>[3],
): string[] {
  const lines = (rows: readonly StatusRow[], indent: string): string[] =>
    rows.flatMap(({ icon, label, description, children = [], expanded }) => [
      `${indent}${icon === undefined ? "" : `$(${icon}) `}${label}${description === undefined ? "" : ` · ${description}`}`,
      ...(expanded ? lines(children, `${indent}  `) : []),
    ]);
  const rows = statusRows(monitor.state, settings, { now: clock.now(), timeZone }, use);
  return lines(rows, "").map((line) =>
    line.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1").replace(/\b\d+ ms\b/g, "5 ms"),
  );
}

/** The rows below one of the view's own. */
function rowsNamed({ monitor, settings, clock }: StatusWorld, id: string): readonly StatusRow[] {
  const rows = statusRows(monitor.state, settings, { now: clock.now(), timeZone: "UTC" });
  return rows.find((row) => row.id === id)?.children ?? [];
}

const bar = ({ monitor, settings, clock }: StatusWorld) =>
  statusBarModel(monitor.state, settings, { now: clock.now(), timeZone: "UTC" });

describe("The status view", () => {
  it("says before the first answer that it does not know yet", async () => {
    const world = await statusWorld(stops);
    assert.deepEqual(read(world), [
      "$(circle-outline) Not checked yet · 127.0.0.1",
      "Your services · verification not checked yet · ledger not checked yet",
    ]);
  });

  it("says whom it asks while the first answer is under way", async () => {
    const world = await statusWorld(stops);
    const asked = world.monitor.refresh();
    assert.deepEqual(read(world)[0], "$(circle-outline) Asking 127.0.0.1…");
    await asked;
    assert.doesNotMatch(read(world).join(), /Asking/);
  });

  it("begins with the verification service where nothing of Hedera is used", async () => {
    const world = await statusWorld(stops);
    await world.monitor.refresh();
    await world.clock.advance(2 * MINUTE);
    const unused = { isHederaUsed: false };
    assert.deepEqual(read(world, "UTC", unused), [
      "Your services · verification 5 ms",
      "$(pass) Hedera · All Systems Operational · updated 2 min ago",
      "Components · all 14 operational",
    ]);
    const [services] = statusRows(world.monitor.state, world.settings, { now: world.clock.now() }, unused);
    assert.match(
      services?.tooltip?.join("\n") ?? "",
      /^Verification service: \d+ ms\nLedger: \d+ ms$/,
      "nothing is lost",
    );
  });

  it("tells how the nodes are that were asked anyway, the last one first, and asks none itself", async () => {
    const world = await statusWorld(stops);
    const nodes = () =>
      statusRows(world.monitor.state, world.settings, { now: world.clock.now(), timeZone: "UTC" })
        .find(({ id }) => id === "services")
        ?.children?.slice(2) ?? assert.fail();
    const told = () =>
      nodes().map(({ icon, label, description }) => `${icon ?? ""} ${label} · ${description ?? ""}`);
    await world.monitor.refresh();
    assert.deepEqual(told(), [], "nobody asked one");
    const chain = (chainId: string, name: string) => ({ chainId, name: foreignLine(name) });
    const sepolia = { chain: chain("11155111", "Sepolia (11155111)"), url: "https://rpc.example/v3/a-key" };
    const local = { chain: chain("31337", "Local chain (31337)"), url: "http://127.0.0.1:8545" };
    world.monitor.reportNode(sepolia, { latencyMs: 87.6, status: 200 });
    world.monitor.reportNode(local, { error: new HttpError("unreachable", "It can't be reached.") });
    world.monitor.reportNode(
      { ...sepolia, chain: chain("1", "Ethereum (1)") },
      { error: new Error("no fault of the node") },
    );
    await world.clock.advance(2 * MINUTE);
    assert.deepEqual(told(), [
      "warning Node of Local chain (31337) · 127.0.0.1:8545 · not reachable · checked 2 min ago",
      "pass Node of Sepolia (11155111) · rpc.example · 88 ms · checked 2 min ago",
    ]);
    assert.doesNotMatch(JSON.stringify(world.monitor.state), /a-key/);
    world.monitor.reportNode(sepolia, { latencyMs: 5, status: 503 });
    assert.equal(
      told()[0],
      "warning Node of Sepolia (11155111) · rpc.example · answers with errors · checked just now",
    );
    assert.match(
      nodes()[0]?.tooltip?.join("\n") ?? "",
      /The chain's node \(rpc\.example\) answers .*status 503/,
    );
    world.monitor.reportNode({ ...sepolia, url: "https://other.example" }, { latencyMs: 4 });
    assert.equal(told()[0], "pass Node of Sepolia (11155111) · other.example · 4 ms · checked just now");
    assert.equal(nodes()[0]?.tooltip, undefined, "another node has no past");
  });

  it("is short while all is well", async () => {
    const world = await statusWorld(stops);
    await world.monitor.refresh();
    await world.clock.advance(2 * MINUTE);
    assert.deepEqual(read(world), [
      "$(pass) All Systems Operational · Hedera, updated 2 min ago",
      "Components · all 14 operational",
      "Your services · verification 5 ms · ledger 5 ms",
    ]);
  });

  it("opens what is wrong, tells its story newest first and counts down to what is planned", async () => {
    const world = await statusWorld(stops);
    const id = world.page.beginIncident({
      name: "Elevated error rates",
      impact: "minor",
      body: "We are looking into\nslow answers.",
      components: { [MIRROR]: "degraded_performance" },
    });
    world.page.announceMaintenance({
      name: "Testnet upgrade to v0.77",
      body: "Testnet is upgraded.",
      from: MORNING + 34 * HOUR,
      until: MORNING + 34 * HOUR + 40 * MINUTE,
      components: ["HashScan Testnet"],
    });
    await world.clock.advance(21 * MINUTE);
    world.page.updateIncident(id, { status: "identified", body: "A node is slow." });
    await world.clock.advance(21 * MINUTE);
    await world.monitor.refresh();
    assert.deepEqual(read(world), [
      "$(warning) Partially Degraded Service · Hedera, updated 21 min ago",
      "Incidents · 1",
      `  $(warning) Elevated error rates · ${MIRROR} · identified · since 09:00 (42 min)`,
      "    $(comment) 09:21 Identified · A node is slow.",
      "    $(comment) 09:00 Investigating · We are looking into slow answers.",
      "Maintenance · 1",
      "  $(tools) Testnet upgrade to v0.77 · tomorrow 19:00–19:40 · in 1 day",
      "Components · 1 of 14 degraded",
      "  $(warning) Mainnet · 1 of 4 degraded",
      "    $(pass) Hedera Mainnet (v0.66.1) | Network Uptime · operational",
      `    $(warning) ${MIRROR} · degraded performance`,
      "    $(pass) Mirror Node gRPC API Public Mainnet · operational",
      "    $(pass) HashScan Mainnet · operational",
      "  $(pass) Testnet · all 4 operational",
      "  $(pass) Previewnet · all 4 operational",
      "  $(pass) Smart Contract Verification · operational",
      "  $(pass) Hedera Portal · operational",
      "Your services · verification 5 ms · ledger 5 ms",
    ]);
    assert.ok(
      read(world, "Asia/Kolkata").includes(
        "  $(tools) Testnet upgrade to v0.77 · 26 Nov 00:30–01:10 · in 1 day",
      ),
      "in local time",
    );
  });

  it("names in an incident's row what it affects: two components, and how many more", async () => {
    const world = await statusWorld(stops);
    const line = async (components: Record<string, "partial_outage">) => {
      const id = world.page.beginIncident({ name: "Errors", impact: "minor", body: "", components });
      await world.monitor.refresh();
      const found = read(world).find((one) => one.includes("Errors"));
      world.page.resolveIncident(id);
      return found?.trim();
    };
    assert.equal(await line({}), "$(warning) Errors · investigating · since 09:00 (0 s)");
    assert.equal(
      await line({ "HashScan Mainnet": "partial_outage", "HashScan Testnet": "partial_outage" }),
      "$(warning) Errors · HashScan Mainnet and HashScan Testnet · investigating · since 09:00 (0 s)",
    );
    assert.equal(
      await line({
        "HashScan Mainnet": "partial_outage",
        "Hedera Portal": "partial_outage",
        "HashScan Testnet": "partial_outage",
        "HashScan Previewnet": "partial_outage",
      }),
      "$(warning) Errors · HashScan Mainnet, Hedera Portal and 2 more · investigating · since 09:00 (0 s)",
    );
  });

  it("reads what was written as a person does, without the page's HTML, and copies it so", async () => {
    const world = await statusWorld(stops);
    world.page.beginIncident({
      name: "Upgrade",
      impact: "minor",
      body: 'Start: 17:00&nbsp;UTC<br />See <a href="https://x.example/a">the plan</a>.<script>alert(1)</script>$<b></b>(bug)',
      components: {},
    });
    await world.monitor.refresh();
    const [incident] = rowsNamed(world, "incidents");
    const row = incident?.children?.[0];
    assert.equal(row?.description, "Start: 17:00 UTC See the plan (https://x.example/a).$ (bug)");
    assert.deepEqual(row.tooltip?.slice(1), [
      "Start: 17:00 UTC",
      "See the plan (https://x.example/a).$ (bug)",
    ]);
    assert.equal(row.copyText, "Start: 17:00 UTC\nSee the plan (https://x.example/a).$(bug)");
  });

  it("draws a body of a megabyte once, and then again without reading it again", async () => {
    const world = await statusWorld(stops);
    const body = `${"<p>Word <b>and</b> word</p>".repeat(40_000)}<p>the end</p>`;
    world.page.beginIncident({ name: "Long story", impact: "minor", body, components: {} });
    await world.monitor.refresh();
    const draw = () => {
      const before = process.threadCpuUsage();
      const [incident] = rowsNamed(world, "incidents");
      const { user, system } = process.threadCpuUsage(before);
      return { row: incident?.children?.[0], ms: (user + system) / 1000 };
    };
    const first = draw();
    assert.ok(first.row?.copyText?.endsWith("the end"), "a copy is whole");
    assert.ok((first.row?.description?.length ?? 0) <= 120);
    const again = Math.min(...Array.from({ length: 5 }, () => draw().ms));
    assert.ok(again < first.ms / 4, `${first.ms} ms at first, then ${again} ms`);
  });

  it("follows a maintenance from its announcement to its end", async () => {
    const world = await statusWorld(stops);
    const from = MORNING + 3 * HOUR;
    const id = world.page.announceMaintenance({
      name: "Mainnet upgrade",
      body: "Soon.",
      from,
      until: from + 40 * MINUTE,
      components: [MIRROR],
    });
    const line = async (wait: number) => {
      await world.clock.advance(wait);
      await world.monitor.refresh();
      return read(world)
        .find((one) => one.includes("Mainnet upgrade"))
        ?.split("Mainnet upgrade · ")[1];
    };
    assert.equal(await line(0), "12:00–12:40 · in 3 h");
    assert.equal(await line(HOUR), "12:00–12:40 · in 2 h");
    assert.equal(await line(115 * MINUTE), "12:00–12:40 · in 5 min");
    assert.equal(await line(10 * MINUTE), "12:00–12:40 · was to begin 5 min ago");
    world.page.beginMaintenance(id, "It begins.");
    assert.equal(await line(5 * MINUTE), "in progress until 12:40 · 30 min left");
    assert.equal(await line(40 * MINUTE), "in progress · was to end at 12:40, 10 min ago");
    world.page.completeMaintenance(id);
    assert.equal(await line(0), undefined);
  });

  it("tells a component under maintenance from one that is degraded", async () => {
    const world = await statusWorld(stops);
    world.page.setComponent(MIRROR, "under_maintenance");
    await world.monitor.refresh();
    const told = () =>
      statusRows(world.monitor.state, world.settings, { now: world.clock.now() }).find(
        ({ id }) => id === "components",
      )?.description;
    assert.equal(told(), "1 of 14 under maintenance");
    world.page.setComponent("Hedera Portal", "degraded_performance");
    await world.monitor.refresh();
    assert.equal(told(), "2 of 14 degraded");
  });

  it("shows unknown words as they are, without an alarm", async () => {
    const world = await statusWorld(stops);
    world.page.setComponent(MIRROR, "Warming_Up" as "operational");
    await world.monitor.refresh();
    const rows = statusRows(world.monitor.state, world.settings, { now: world.clock.now() });
    const components = rows.find(({ id }) => id === "components");
    assert.equal(components?.description, "1 of 14 unclear");
    const row = components.children?.[0]?.children?.[1];
    assert.deepEqual([row?.description, row?.icon, row?.color], ["Warming_Up", "circle-outline", undefined]);
    assert.equal(bar(world).text, "Ledger Lens");
    assert.equal(
      bar(world).accessibilityLabel,
      "Service status: 1 of 4 watched services unclear",
      "and not that all are well",
    );
  });

  it("tells an incident whose impact is not known as one that is watched, and not that all is well", async () => {
    const world = await statusWorld(stops);
    const begin = (name: string, impact: unknown, component: string) =>
      world.page.beginIncident({
        name,
        impact: impact as "minor",
        body: "Looking.",
        components: { [component]: "operational" },
      });
    begin("Strange answers", "severe", MIRROR);
    begin("Something else", null, MIRROR);
    begin("On another network", "severe", "HashScan Testnet");
    await world.monitor.refresh();
    const { text, level, accessibilityLabel, tooltip } = bar(world);
    assert.deepEqual([text, level], ["Ledger Lens", "none"], "no alarm");
    assert.equal(accessibilityLabel, "Service status: 2 incidents of unknown impact");
    assert.equal(tooltip[0], "2 incidents of unknown impact");
    assert.deepEqual(tooltip.slice(1, 3).toSorted(), [
      "Something else: investigating since 09:00",
      "Strange answers: investigating since 09:00",
    ]);
    assert.deepEqual(
      tooltip.filter((line) => line.startsWith("Not watched: ")),
      ["Not watched: On another network: investigating since 09:00"],
    );
    world.page.setComponent(MIRROR, "Warming_Up" as "operational");
    await world.monitor.refresh();
    assert.equal(bar(world).tooltip[0], "2 incidents of unknown impact, 1 of 4 watched services unclear");
  });

  it("knows nothing of a page in another form, however well it was before", async () => {
    const world = await statusWorld(stops);
    await world.monitor.refresh();
    const known = read(world);
    world.settings = { ...world.settings, statusUrl: world.ledger.url };
    await world.monitor.refresh();
    assert.equal(read(world)[0], "$(circle-outline) State unknown · 127.0.0.1 · not a Statuspage summary");
    world.settings = { ...world.settings, statusUrl: world.page.url };
    await world.monitor.refresh();
    world.answer = {
      page: { name: "Hedera", status: "HASISSUES" },
      activeIncidents: [{ impact: "MAJOROUTAGE" }],
    };
    await world.clock.advance(5 * MINUTE);
    await world.monitor.refresh();
    assert.deepEqual(read(world), [
      "$(circle-outline) State unknown · not a Statuspage summary · what is below is 5 min old",
      ...known.slice(1),
    ]);
    const { icon, text, level, accessibilityLabel, tooltip } = bar(world);
    assert.deepEqual(
      [icon, text, level, accessibilityLabel],
      ["circle-outline", "Ledger Lens · 5 min old", "none", "Service status: Ledger Lens · 5 min old"],
    );
    assert.equal(tooltip[0], "What the status page answers is not a Statuspage summary");
    world.answer = undefined;
    await world.monitor.refresh();
    assert.deepEqual([bar(world).icon, bar(world).text], ["pulse", "Ledger Lens"]);
  });

  it("gives what is old its age", async () => {
    const world = await statusWorld(stops);
    world.monitor.use();
    await world.clock.advance(0);
    world.page.fault = { status: 502 };
    await world.clock.advance(20 * MINUTE);
    assert.equal(read(world)[0], "$(pass) All Systems Operational · 20 min old · the page does not answer");
  });
});

describe("The status bar", () => {
  it("says no more than its name while all is well", async () => {
    const world = await statusWorld(stops);
    await world.monitor.refresh();
    await world.clock.advance(40_000);
    const { icon, text, level, accessibilityLabel, tooltip } = bar(world);
    assert.deepEqual(
      [icon, text, level, accessibilityLabel],
      ["pulse", "Ledger Lens", "none", "Service status: All watched services operational"],
    );
    assert.deepEqual(
      tooltip.map((line) => line.replace(/\d+ ms/g, "5 ms")),
      [
        "All watched services operational",
        "Watching 4 components of Hedera, those of Mainnet",
        "Verification service 5 ms, Ledger 5 ms",
        "Checked 40 s ago",
      ],
    );
  });

  it("begins with the services, and says of Hedera's page alone that all is well, where nothing of Hedera is used", async () => {
    const world = await statusWorld(stops);
    const unused = () =>
      statusBarModel(world.monitor.state, world.settings, {
        now: world.clock.now(),
        timeZone: "UTC",
        isHederaUsed: false,
      });
    assert.deepEqual(unused().tooltip, ["Not checked yet"], "nothing is known of the page either");
    await world.monitor.refresh();
    await world.clock.advance(40_000);
    const { text, accessibilityLabel, tooltip } = unused();
    assert.deepEqual(
      [text, accessibilityLabel],
      ["Ledger Lens", "Service status: Hedera: all watched services operational"],
    );
    assert.deepEqual(
      tooltip.map((line) => line.replace(/\d+ ms/g, "5 ms")),
      [
        "Verification service 5 ms, Ledger 5 ms",
        "Hedera: all watched services operational",
        "Watching 4 components of Hedera, those of Mainnet",
        "Checked 40 s ago",
      ],
    );
  });

  it("names the network and lists what is wrong, in words that are read aloud well", async () => {
    const world = await statusWorld(stops);
    world.page.beginIncident({
      name: "Elevated error rates",
      impact: "minor",
      body: "Looking.",
      components: { [MIRROR]: "degraded_performance", "HashScan Testnet": "major_outage" },
    });
    await world.monitor.refresh();
    const { icon, text, level, accessibilityLabel, tooltip } = bar(world);
    const line = `${MIRROR}: degraded performance since 09:00 · Elevated error rates (investigating)`;
    assert.deepEqual([icon, text, level], ["warning", "Hedera Mainnet: degraded", "none"]);
    assert.equal(accessibilityLabel, `Service status: Hedera Mainnet: degraded. ${line}`);
    assert.equal(tooltip[0], line);
    assert.match(tooltip[1] ?? "", /^Not watched: HashScan Testnet: major outage since 09:00/);
  });

  it("is red only for an outage of something that is watched", async () => {
    const world = await statusWorld(stops);
    const levels: Record<string, string> = {};
    for (const status of [
      "degraded_performance",
      "under_maintenance",
      "partial_outage",
      "major_outage",
    ] as const) {
      world.page.setComponent(MIRROR, status);
      await world.monitor.refresh();
      levels[status] = `${bar(world).text}: ${bar(world).level}`;
    }
    assert.deepEqual(levels, {
      degraded_performance: "Hedera Mainnet: degraded: none",
      under_maintenance: "Hedera Mainnet: maintenance: none",
      partial_outage: "Hedera Mainnet: partial outage: warning",
      major_outage: "Hedera Mainnet: major outage: error",
    });
    world.settings = { ...world.settings, networkId: "previewnet" };
    assert.deepEqual([bar(world).text, bar(world).level, bar(world).icon], ["Ledger Lens", "none", "pulse"]);
    world.settings = { ...world.settings, names: ["Mirror Node REST API"] };
    assert.deepEqual([bar(world).text, bar(world).level], ["Hedera Mainnet: major outage", "error"]);
  });

  it("names the product before all else, whatever the page is called and whatever is out", async () => {
    const world = await statusWorld(stops, { settings: { networkId: "mainnet" } });
    world.page.setComponent(MIRROR, "major_outage");
    const named = async (name: string) => {
      const { page, ...rest } = world.page.summary() as { page: object };
      world.answer = { ...rest, page: { ...page, name } };
      await world.monitor.refresh();
      return bar(world).text;
    };
    assert.equal(await named("Hedera"), "Hedera Mainnet: major outage");
    assert.equal(await named("Hedera Status"), "Hedera Mainnet: major outage");
    assert.equal(await named("Hedera Mainnet Status Page"), "Hedera Mainnet: major outage");
    assert.equal(
      await named("A very long name of a page that nobody reads"),
      "A very long name of a pa… Mainnet: major outage",
    );
    world.settings = { ...world.settings, networkId: "a ledger of one's own", names: [] };
    assert.equal(bar(world).text, "A very long name of a pa… Mainnet: major outage");
    world.answer = undefined;
    world.page.setComponent(MIRROR, "operational");
    world.page.beginIncident({ name: "Everything is slow", impact: "critical", body: "", components: {} });
    await world.monitor.refresh();
    assert.equal(bar(world).text, "Hedera: major outage");
  });

  it("counts where several of the user's own choice are alike", async () => {
    const world = await statusWorld(stops, { settings: { names: ["hashscan", "no such thing"] } });
    world.page.setComponent("HashScan Mainnet", "partial_outage");
    world.page.setComponent("HashScan Testnet", "partial_outage");
    await world.monitor.refresh();
    assert.equal(bar(world).text, "Hedera: partial outage in 2 places");
  });
});
