import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { HttpError } from "../../../src/core/http/httpError.ts";
import { nextPollMs } from "../../../src/core/status/pollPace.ts";
import { statusBarModel } from "../../../src/core/status/statusBarText.ts";
import { isStale } from "../../../src/core/status/statusState.ts";
import { WorkSigns } from "../../../src/core/status/workSigns.ts";
import { random } from "../random.ts";
import { HOUR, MINUTE, MORNING, statusWorld, type StatusWorld } from "./statusWorld.ts";

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const bar = ({ monitor, settings, clock }: StatusWorld) =>
  statusBarModel(monitor.state, settings, { now: clock.now(), timeZone: "UTC" });
const minutes = ({ polls }: StatusWorld) => polls.map((at) => at / MINUTE);
const unreachable = () => new HttpError("unreachable", "It can't be reached.");

describe("When the services are asked", () => {
  it("is never before the answer is used, and at once when it is", async () => {
    const world = await statusWorld(stops);
    await world.clock.advance(HOUR);
    assert.deepEqual(world.polls, []);
    assert.equal(world.verification.asked.length + world.ledger.asked.length, 0);
    world.monitor.use();
    await world.clock.advance(0);
    assert.deepEqual(minutes(world), [60]);
    assert.deepEqual(
      [world.verification.asked, world.ledger.asked],
      [["/health"], ["/api/v1/network/supply"]],
    );
  });

  it("is one poll for the item, the view and both services, every three minutes", async () => {
    const world = await statusWorld(stops);
    const endItem = world.monitor.use();
    const endView = world.monitor.use();
    await world.clock.advance(10 * MINUTE);
    assert.deepEqual(minutes(world), [0, 3, 6, 9]);
    assert.equal(world.verification.asked.length, 4);
    endView();
    endView();
    await world.clock.advance(3 * MINUTE);
    assert.deepEqual(minutes(world), [0, 3, 6, 9, 12], "the item still needs it");
    endItem();
    await world.clock.advance(HOUR);
    assert.equal(world.polls.length, 5);
    assert.equal(world.clock.sleeping, 0, "no timer is left");
  });

  it("stops while the window is out of focus and makes up for it when it comes back", async () => {
    const world = await statusWorld(stops);
    world.monitor.use();
    await world.clock.advance(MINUTE);
    world.monitor.focused = false;
    await world.clock.advance(HOUR);
    assert.deepEqual(minutes(world), [0]);
    world.monitor.focused = true;
    await world.clock.advance(0);
    assert.deepEqual(minutes(world), [0, 61]);
    for (let glance = 0; glance < 20; glance++) {
      world.monitor.focused = false;
      await world.clock.advance(1000);
      world.monitor.focused = true;
      await world.clock.advance(1000);
    }
    assert.deepEqual(minutes(world), [0, 61], "what is fresh is not asked for again");
  });

  it("is not at once again where what is told of an answer goes wrong", async () => {
    const world = await statusWorld(stops);
    world.monitor.use();
    const end = world.monitor.onChange(() => {
      if (world.monitor.state.summary) throw new TypeError("A view broke.");
    });
    await assert.rejects(world.monitor.summary(), { message: "A view broke." });
    end();
    await world.clock.advance(2 * MINUTE);
    assert.deepEqual(minutes(world), [0]);
    await world.clock.advance(MINUTE);
    assert.deepEqual(minutes(world), [0, 3]);
  });

  it("is never more often than once a minute, whatever the setting says", async () => {
    for (const pollSeconds of [1, 0, -5, Number.NaN]) {
      const world = await statusWorld(stops, { settings: { pollSeconds } });
      world.monitor.use();
      await world.clock.advance(10 * MINUTE);
      const gaps = world.polls.slice(1).map((at, index) => at - (world.polls[index] ?? 0));
      assert.ok(
        gaps.every((gap) => gap >= MINUTE),
        `${pollSeconds}: ${String(gaps)}`,
      );
    }
  });

  it("is never before the server's answer is stale", async () => {
    const world = await statusWorld(stops, { maxAgeSeconds: 900 });
    world.monitor.use();
    await world.clock.advance(HOUR);
    assert.deepEqual(minutes(world), [0, 15, 30, 45, 60]);
  });

  it("follows a changed setting and another page at once", async () => {
    const world = await statusWorld(stops);
    world.monitor.use();
    await world.clock.advance(0);
    world.settings = { ...world.settings, pollSeconds: 600 };
    world.monitor.settingsChanged();
    await world.clock.advance(20 * MINUTE);
    assert.deepEqual(minutes(world), [0, 10, 20]);
    const other = await statusWorld(stops);
    world.settings = { ...world.settings, statusUrl: `${other.page.url}/api/v2/` };
    world.monitor.settingsChanged();
    const { summary: before } = world.monitor.state;
    assert.equal(before, undefined, "nothing of the other page is shown");
    await world.clock.advance(0);
    assert.equal(other.page.traffic.full, 1);
    assert.equal(world.monitor.state.summary?.page.name, "Hedera");
  });

  it("follows a setting that is changed while the page is asked", async () => {
    const world = await statusWorld(stops);
    world.cut = () => {
      world.settings = { ...world.settings, pollSeconds: 600 };
      world.monitor.settingsChanged();
      return undefined;
    };
    world.monitor.use();
    await world.clock.advance(20 * MINUTE);
    assert.deepEqual(minutes(world), [0, 10, 20]);
  });

  it("tells of the page that is set by then, where another one was asked before", async () => {
    const world = await statusWorld(stops);
    const other = await statusWorld(stops);
    const set = (statusUrl: string) => {
      world.settings = { ...world.settings, statusUrl };
      world.monitor.settingsChanged();
    };
    /** What is told where another address is set while a page is asked. */
    const toldAfter = async (statusUrl: string) => {
      const isAsked = Promise.withResolvers<undefined>();
      world.cut = () => {
        isAsked.resolve(undefined);
        return undefined;
      };
      void world.monitor.refresh();
      await isAsked.promise;
      set(statusUrl);
      return world.monitor.summary();
    };
    await assert.rejects(toldAfter("no address"), { code: "invalid_url" });
    set(world.page.url);
    assert.equal((await toldAfter(other.page.url)).page.name, "Hedera");
    assert.equal(other.page.traffic.full, 1);
    assert.equal(world.monitor.state.checking, false);
  });

  it("asks no page that was set meanwhile before the window is in focus again", async () => {
    const world = await statusWorld(stops);
    const other = await statusWorld(stops);
    world.cut = () => {
      world.cut = undefined;
      world.settings = { ...world.settings, statusUrl: other.page.url };
      world.monitor.settingsChanged();
      world.monitor.focused = false;
      return undefined;
    };
    world.monitor.use();
    await world.clock.advance(MINUTE);
    assert.equal(world.page.traffic.full, 1);
    assert.equal(other.page.traffic.full, 0);
    assert.equal(world.monitor.state.checking, false);
    world.monitor.focused = true;
    await world.clock.advance(0);
    assert.equal(other.page.traffic.full, 1);
  });

  it("drifts by up to a fifth, so that a million editors do not march in step", () => {
    const { next } = random("jitter");
    const pace = { settingSeconds: 180, maxAgeMs: 10_000, misses: 0 };
    const waits = Array.from({ length: 1000 }, () => nextPollMs(pace, next()));
    assert.ok(waits.every((wait) => wait >= 180_000 && wait <= 216_000));
    assert.ok(new Set(waits.map((wait) => Math.floor(wait / 1000))).size > 30);
  });

  it("fits into a timer even where a server asks for a year", () => {
    const waits = [
      nextPollMs({ settingSeconds: 180, maxAgeMs: 365 * 24 * HOUR, misses: 0 }, 1),
      nextPollMs({ settingSeconds: 180, maxAgeMs: 0, misses: 1, retryAfterMs: 1e15 }, 1),
      nextPollMs({ settingSeconds: 1e300, maxAgeMs: 0, misses: 2000 }, 1),
    ];
    assert.deepEqual(waits, [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1]);
  });
});

describe("While nobody works with Ledger Lens", () => {
  const idleWorld = async () => {
    const world = await statusWorld(stops, { works: false });
    world.monitor.use();
    await world.clock.advance(0);
    return world;
  };

  it("the page is asked every half hour, and no service either", async () => {
    const world = await idleWorld();
    await world.clock.advance(2 * HOUR);
    assert.deepEqual(minutes(world), [0, 30, 60, 90, 120]);
    assert.equal(world.verification.asked.length, 5);
    world.settings = { ...world.settings, pollSeconds: 3600 };
    world.monitor.settingsChanged();
    await world.clock.advance(2 * HOUR);
    assert.deepEqual(minutes(world).slice(5), [180, 240], "nor more often than the setting says");
  });

  it("a command has it asked again, and every three minutes for half an hour", async () => {
    const world = await idleWorld();
    await world.clock.advance(40 * MINUTE);
    assert.deepEqual(minutes(world), [0, 30]);
    world.work.sign();
    await world.clock.advance(29 * MINUTE);
    assert.deepEqual(minutes(world), [0, 30, 40, 43, 46, 49, 52, 55, 58, 61, 64, 67]);
    await world.clock.advance(HOUR);
    assert.deepEqual(minutes(world).slice(12), [70, 100], "then every half hour again");
    for (let command = 0; command < 50; command++) {
      world.work.sign();
      await world.clock.advance(1000);
    }
    assert.deepEqual(minutes(world).slice(14), [129], "what is fresh is not asked for again");
  });

  it("a view that is shown has it asked as long as it is, whatever is hidden meanwhile", async () => {
    const world = await idleWorld();
    await world.clock.advance(MINUTE);
    const [view, page] = [{}, {}];
    world.work.shows(view, true);
    world.work.shows(page, true);
    world.work.shows(page, true);
    await world.clock.advance(8 * MINUTE);
    world.work.shows(page, false);
    await world.clock.advance(HOUR);
    assert.equal(world.polls.length, 24);
    world.work.shows(view, false);
    await world.clock.advance(HOUR);
    assert.deepEqual(minutes(world).slice(23), [69, 99, 129]);
  });

  it("a request that fails has it asked within a minute, and a second look a minute later", async () => {
    const world = await idleWorld();
    await world.clock.advance(10 * MINUTE);
    world.page.setComponent("Mirror Node REST API Public Mainnet", "partial_outage");
    world.monitor.requestFailed();
    await world.clock.advance(0);
    assert.deepEqual(minutes(world), [0, 10]);
    for (let failure = 0; failure < 12; failure++) {
      await world.clock.advance(5000);
      world.monitor.requestFailed();
    }
    assert.deepEqual(minutes(world), [0, 10, 11]);
    assert.equal(world.notifications.length, 1);
    await world.clock.advance(10 * MINUTE);
    assert.deepEqual(minutes(world).slice(3), [14, 17, 20], "more failures change nothing");
    const second = await statusWorld(stops, { works: true });
    second.monitor.use();
    await second.clock.advance(MINUTE / 2);
    second.monitor.requestFailed();
    await second.clock.advance(2 * MINUTE);
    assert.deepEqual(minutes(second), [0, 1], "never sooner than a minute after the look before");
  });

  it("a page that asked to be left alone is, whatever fails", async () => {
    const world = await idleWorld();
    world.page.fault = { status: 429, retryAfter: "1200" };
    await world.clock.advance(30 * MINUTE);
    world.work.sign();
    world.monitor.requestFailed();
    await world.clock.advance(19 * MINUTE);
    assert.deepEqual(minutes(world), [0, 30]);
    await world.clock.advance(MINUTE);
    assert.deepEqual(minutes(world), [0, 30, 50]);
  });

  it("a sign from before the clock was set back does not last for ever", () => {
    let now = MORNING;
    const signs = new WorkSigns(() => now);
    assert.equal(signs.until, -Infinity);
    signs.sign();
    assert.equal(signs.until, MORNING + HOUR / 2);
    now -= 5 * HOUR;
    assert.equal(signs.until, now + HOUR / 2);
  });
});

describe("What a poll costs", () => {
  it("is a few hundred bytes while nothing changes, and the summary once when it does", async () => {
    const world = await statusWorld(stops);
    world.monitor.use();
    await world.clock.advance(9 * MINUTE);
    assert.deepEqual([world.page.traffic.full, world.page.traffic.notModified], [1, 3]);
    world.page.setComponent("HashScan Mainnet", "partial_outage");
    await world.clock.advance(6 * MINUTE);
    assert.deepEqual([world.page.traffic.full, world.page.traffic.notModified], [2, 4]);
    assert.equal(bar(world).text, "Hedera Mainnet: partial outage");
  });

  it("is a request where it is asked for by hand, joined to one that is under way", async () => {
    const world = await statusWorld(stops, { focused: false });
    const [one, other] = await Promise.all([world.monitor.summary(), world.monitor.summary()]);
    assert.equal(one.status.description, "All Systems Operational");
    assert.deepEqual(one, other);
    assert.equal(world.page.traffic.requests, 1);
    await world.monitor.refresh();
    assert.equal(world.page.traffic.notModified, 1);
    assert.equal(world.clock.sleeping, 0, "a request by hand starts no polling");
  });

  it("over a day with eight hours in focus is printed here", async () => {
    const { next } = random("a day in focus");
    const world = await statusWorld(stops, { random: next });
    world.monitor.use();
    const away = async (time: number) => {
      world.monitor.focused = false;
      await world.clock.advance(time);
      world.monitor.focused = true;
    };
    await world.clock.advance(2 * HOUR);
    const id = world.page.beginIncident({
      name: "Elevated error rates",
      impact: "minor",
      body: "We are looking into it.",
      components: { "Mirror Node REST API Public Mainnet": "degraded_performance" },
    });
    await world.clock.advance(30 * MINUTE);
    world.page.updateIncident(id, { status: "identified", body: "A fix is on its way." });
    await world.clock.advance(30 * MINUTE);
    world.page.resolveIncident(id);
    await world.clock.advance(HOUR);
    await away(HOUR);
    // The afternoon goes with looking things up elsewhere a minute here and there.
    for (let half = 0; half < 8; half++) {
      await world.clock.advance(HOUR / 2);
      await away(MINUTE);
    }
    await away(15 * HOUR - 8 * MINUTE);
    const { requests, full, notModified, bytesIn, bytesOut } = world.page.traffic;
    const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
    console.log(
      `a day with 8 h in focus, every 180 s: ${requests} requests to the status page (${full} with a summary, ${notModified} without a body), ${kB(bytesIn)} sent, ${kB(bytesOut)} received`,
    );
    assert.equal((world.clock.now() - MORNING) / HOUR, 24);
    assert.equal(requests, full + notModified);
    assert.ok(requests >= (8 * 3600) / 216 && requests <= (8 * 3600) / 180 + 10, `${requests} requests`);
    assert.equal(full, 4);
    assert.ok(bytesOut < 100_000, `${bytesOut} bytes`);
    assert.ok(world.verification.asked.length <= requests, "the services are not asked more often");
  });
});

describe("A page that does not answer", () => {
  it("is asked ever more rarely, and what is known gets its age after three misses", async () => {
    const world = await statusWorld(stops);
    world.monitor.use();
    await world.clock.advance(MINUTE);
    world.page.fault = { status: 503 };
    await world.clock.advance(8 * MINUTE);
    assert.deepEqual(minutes(world), [0, 3, 6]);
    assert.equal(isStale(world.monitor.state), false);
    assert.equal(bar(world).text, "Ledger Lens");
    await world.clock.advance(3 * MINUTE);
    assert.deepEqual(minutes(world), [0, 3, 6, 12]);
    assert.equal(isStale(world.monitor.state), true);
    const { text, level, icon, tooltip } = bar(world);
    assert.deepEqual([text, level, icon], ["Ledger Lens · 12 min old", "none", "pulse"]);
    assert.match(tooltip.join("\n"), /does not answer now \(status 503\)/);
    await world.clock.advance(3 * HOUR);
    assert.deepEqual(minutes(world).slice(4, 8), [24, 48, 78, 108], "doubled up to half an hour");
    world.page.fault = undefined;
    await world.clock.advance(HOUR);
    assert.equal(world.monitor.state.misses, 0);
    assert.equal(bar(world).text, "Ledger Lens");
    assert.equal(world.notifications.length, 0, "no fault of the page is an outage");
  });

  it("is left alone as long as it asks for, also when it is asked for by hand", async () => {
    const world = await statusWorld(stops);
    world.page.fault = { status: 429, retryAfter: "1200" };
    world.monitor.use();
    await world.clock.advance(10 * MINUTE);
    await assert.rejects(world.monitor.summary(), { code: "status_page_unavailable" });
    world.monitor.focused = false;
    world.monitor.focused = true;
    await world.clock.advance(9 * MINUTE);
    assert.deepEqual(minutes(world), [0]);
    world.page.fault = undefined;
    await world.clock.advance(MINUTE);
    assert.deepEqual(minutes(world), [0, 20]);
    assert.equal((await world.monitor.summary()).page.name, "Hedera");
  });

  it("is not left alone for a year because it says so, by mistake or for good", async () => {
    const world = await statusWorld(stops, { maxAgeSeconds: 365 * 86_400 });
    world.monitor.use();
    await world.clock.advance(25 * HOUR);
    assert.equal(minutes(world).length, 2);
    world.page.fault = { status: 429, retryAfter: String(365 * 86_400) };
    await assert.rejects(world.monitor.summary(), { code: "status_page_unavailable" });
    world.page.fault = undefined;
    await world.clock.advance(25 * HOUR);
    assert.equal((await world.monitor.summary()).page.name, "Hedera");
  });

  it("at a wrong address says which setting to check", async () => {
    const world = await statusWorld(stops);
    world.settings = { ...world.settings, statusUrl: `${world.page.url}/status` };
    await assert.rejects(world.monitor.summary(), {
      code: "status_page_not_found",
      message:
        /no summary at http:\/\/127\.0\.0\.1:\d+\/…\/api\/v2\/summary\.json \(status 404\).*ledgerLens\.statusUrl/,
    });
    assert.equal(world.page.traffic.notFound, 1);
  });

  it("is not believed when something else answers in its place", async () => {
    const world = await statusWorld(stops);
    for (const url of [world.verification.url, world.ledger.url]) {
      world.settings = { ...world.settings, statusUrl: url };
      await assert.rejects(world.monitor.summary(), { code: "wrong_shape" });
    }
  });

  it("does not make an outage of a machine without a network", async () => {
    const world = await statusWorld(stops, {
      settings: { verificationUrl: "https://verify.example", ledgerUrl: "https://ledger.example" },
    });
    world.cut = ({ url }) => (url.includes(".example") ? unreachable() : undefined);
    world.monitor.use();
    await world.clock.advance(MINUTE);
    assert.equal(world.monitor.state.offline, false, "the page answers");
    world.cut = unreachable;
    await world.clock.advance(HOUR);
    const { text, icon, level } = bar(world);
    assert.deepEqual([text, icon, level], ["Ledger Lens · offline", "debug-disconnect", "none"]);
    assert.deepEqual(minutes(world).slice(0, 6), [0, 3, 6, 9, 12, 15], "and comes back soon");
    assert.equal(world.notifications.length, 0);
    world.cut = undefined;
    await world.clock.advance(3 * MINUTE);
    assert.equal(world.monitor.state.offline, false);
  });
});

describe("The end of the extension", () => {
  it("ends every timer and the request that is under way", async () => {
    const world = await statusWorld(stops);
    world.monitor.use();
    await world.clock.advance(4 * MINUTE);
    let changes = 0;
    world.monitor.onChange(() => changes++);
    const refreshed = world.monitor.refresh();
    world.monitor.dispose();
    await refreshed;
    await world.clock.advance(HOUR);
    assert.equal(world.clock.sleeping, 0);
    assert.equal(world.polls.length, 3);
    assert.ok(changes <= 1, "nothing changes any more");
    world.monitor.use();
    await world.monitor.refresh();
    assert.equal(world.polls.length, 3);
  });
});

describe("The health of the other services", () => {
  it("is how fast they answer, whatever they answer", async () => {
    const world = await statusWorld(stops);
    await world.monitor.refresh();
    const { verification, ledger } = world.monitor.state;
    for (const { state, latencyMs, misses, lastError } of [verification, ledger]) {
      assert.deepEqual([state, misses, lastError], ["reachable", 0, undefined]);
      assert.ok(Number.isInteger(latencyMs), String(latencyMs));
    }
  });

  it("keeps the last error when a service comes back, and doubts a single one", async () => {
    const world = await statusWorld(stops);
    world.cut = ({ url }) =>
      url.endsWith("/health") ? new HttpError("timeout", "It did not answer within 10 s.") : undefined;
    world.monitor.use();
    await world.clock.advance(0);
    assert.equal(world.monitor.state.verification.state, "unreachable");
    assert.equal(bar(world).text, "Ledger Lens");
    await world.clock.advance(3 * MINUTE);
    const { text, level, tooltip } = bar(world);
    assert.deepEqual([text, level], ["Verification unreachable", "warning"]);
    assert.match(tooltip.join("\n"), /Verification service \(127\.0\.0\.1:\d+\): not reachable/);
    world.cut = undefined;
    await world.clock.advance(9 * MINUTE);
    const { state, lastError } = world.monitor.state.verification;
    assert.deepEqual([state, lastError?.code], ["reachable", "timeout"]);
    assert.equal(bar(world).text, "Ledger Lens");
  });

  it("learns from real requests and then asks for nothing itself", async () => {
    const world = await statusWorld(stops);
    world.monitor.use();
    await world.clock.advance(2 * MINUTE);
    world.monitor.reportOutcome("verification", { latencyMs: 321.4 });
    world.monitor.reportOutcome("ledger", {
      error: new HttpError("unreachable", "The ledger can't be reached."),
    });
    const { verification, ledger } = world.monitor.state;
    assert.deepEqual([verification.latencyMs, ledger.state, ledger.misses], [321, "unreachable", 1]);
    await world.clock.advance(2 * MINUTE);
    assert.equal(world.verification.asked.length, 1, "it was heard of a minute ago");
    world.monitor.reportOutcome("verification", { error: new Error("a fault of our own") });
    world.monitor.reportOutcome("verification", { error: new HttpError("cancelled", "It was cancelled.") });
    assert.equal(world.monitor.state.verification.state, "reachable");
    // Of another network's ledger, as a link or a hover asks it, nothing follows for the configured one.
    const elsewhere = "https://mirror.example.com/api/v1/contracts/0.0.5";
    world.monitor.reportOutcome("ledger", { latencyMs: 5 }, elsewhere);
    assert.equal(world.monitor.state.ledger.state, "unreachable");
    world.monitor.reportOutcome("ledger", { latencyMs: 5 });
    world.monitor.reportOutcome("ledger", { error: new HttpError("unreachable", "Away.") }, elsewhere);
    assert.equal(world.monitor.state.ledger.state, "reachable");
    world.monitor.reportOutcome("ledger", { latencyMs: 20_013, status: 503 });
    const { state, latencyMs, misses } = world.monitor.state.ledger;
    assert.deepEqual([state, latencyMs, misses], ["failing", undefined, 1]);
  });
});
