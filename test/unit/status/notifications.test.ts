import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { random } from "../random.ts";
import { HOUR, memoryStorage, MINUTE, MORNING, statusWorld, type StatusWorld } from "./statusWorld.ts";

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const MIRROR = "Mirror Node REST API Public Mainnet";
const POLL = 3 * MINUTE;

/** A world that polls every three minutes and has polled once. */
async function polledWorld(options: Parameters<typeof statusWorld>[1] = {}): Promise<StatusWorld> {
  const world = await statusWorld(stops, options);
  world.monitor.use();
  await world.clock.advance(0);
  return world;
}

/** What was told since the last time it was asked for. */
const told = ({ notifications }: StatusWorld) => notifications.splice(0).map(({ message }) => message);

describe("A notification", () => {
  it("comes when two polls agree, and not at the first", async () => {
    const world = await polledWorld();
    world.page.setComponent(MIRROR, "degraded_performance");
    await world.clock.advance(POLL);
    assert.deepEqual(told(world), []);
    await world.clock.advance(POLL);
    assert.deepEqual(told(world), [`${MIRROR} has degraded performance since 09:00.`]);
    await world.clock.advance(10 * POLL);
    assert.deepEqual(told(world), [], "nothing changes, nothing is said");
  });

  it("does not come of what is over at the second poll", async () => {
    const world = await polledWorld();
    for (let round = 0; round < 5; round++) {
      world.page.setComponent(MIRROR, "partial_outage");
      await world.clock.advance(POLL);
      world.page.setComponent(MIRROR, "operational");
      await world.clock.advance(POLL);
    }
    await world.clock.advance(2 * POLL);
    assert.deepEqual(told(world), []);
  });

  it("does not come sooner for two looks by hand", async () => {
    const world = await polledWorld();
    world.page.setComponent(MIRROR, "partial_outage");
    for (let look = 0; look < 5; look++) {
      await world.clock.advance(10_000);
      await world.monitor.refresh();
    }
    assert.deepEqual(told(world), [], "a minute of asking is one look");
    await world.clock.advance(POLL);
    assert.deepEqual(told(world), [`${MIRROR} has a partial outage since 09:00.`]);
    world.page.setComponent(MIRROR, "operational");
    for (let look = 0; look < 5; look++) {
      await world.clock.advance(10_000);
      await world.monitor.refresh();
    }
    assert.deepEqual(told(world), []);
    await world.clock.advance(POLL);
    assert.equal(told(world).length, 1);
  });

  it("comes in the end where a program asks all the time", async () => {
    const world = await polledWorld();
    world.page.setComponent(MIRROR, "partial_outage");
    for (let look = 0; look < 19; look++) {
      await world.clock.advance(10_000);
      await world.monitor.refresh();
    }
    assert.deepEqual(told(world), [`${MIRROR} has a partial outage since 09:00.`]);
  });

  it("comes at the first poll when something is out entirely", async () => {
    const world = await polledWorld();
    world.page.beginIncident({
      name: "REST API down",
      impact: "critical",
      body: "We are looking into it.",
      components: { [MIRROR]: "major_outage" },
    });
    await world.clock.advance(POLL);
    const [notification] = world.notifications;
    assert.equal(notification?.message, `${MIRROR} has a major outage since 09:00: REST API down.`);
    assert.equal(notification.level, "error");
    assert.match(notification.url ?? "", /\/incidents\/[0-9a-f]+$/);
  });

  it("does not come of what was so when the editor started", async () => {
    const world = await statusWorld(stops);
    world.page.setComponent(MIRROR, "major_outage");
    world.monitor.use();
    await world.clock.advance(HOUR);
    assert.deepEqual(told(world), []);
    world.page.setComponent(MIRROR, "operational");
    await world.clock.advance(2 * POLL);
    assert.equal(told(world).length, 1, "its end is news");
  });

  it("tells the end with the time that it took", async () => {
    const world = await polledWorld();
    world.page.setComponent(MIRROR, "partial_outage");
    await world.clock.advance(42 * MINUTE);
    told(world);
    world.page.setComponent(MIRROR, "operational");
    await world.clock.advance(POLL);
    assert.deepEqual(told(world), []);
    await world.clock.advance(POLL);
    assert.deepEqual(told(world), [`${MIRROR} is operational again after 45 min.`]);
  });

  it("tells no end where the page says something that is no known word", async () => {
    const world = await polledWorld();
    world.page.setComponent(MIRROR, "major_outage");
    await world.clock.advance(2 * POLL);
    assert.equal(told(world).length, 1);
    world.page.setComponent(MIRROR, "under_the_weather" as "operational");
    await world.clock.advance(5 * POLL);
    assert.deepEqual(told(world), [], "it may be as it was");
    world.page.setComponent(MIRROR, "operational");
    await world.clock.advance(2 * POLL);
    assert.match(told(world).join(), /is operational again after \d+ min\.$/);
  });

  it("tells when it gets worse, and not when it gets a little better", async () => {
    const world = await polledWorld();
    world.page.setComponent(MIRROR, "degraded_performance");
    await world.clock.advance(2 * POLL);
    told(world);
    world.page.setComponent(MIRROR, "partial_outage");
    await world.clock.advance(2 * POLL);
    assert.deepEqual(told(world), [`${MIRROR} now has a partial outage.`]);
    world.page.setComponent(MIRROR, "degraded_performance");
    await world.clock.advance(4 * POLL);
    assert.deepEqual(told(world), []);
  });

  it("is one for everything that happens at once", async () => {
    const world = await polledWorld();
    const components = [MIRROR, "Mirror Node gRPC API Public Mainnet", "HashScan Mainnet"];
    for (const name of [...components, "Hedera Mainnet (v0.66.1) | Network Uptime"])
      world.page.setComponent(name, "partial_outage");
    await world.clock.advance(2 * POLL);
    const [message, ...others] = told(world);
    assert.match(
      message ?? "",
      /^Hedera reports trouble in 4 places: (.+ \(partial outage\), ){2}.+ and 1 more\.$/,
    );
    assert.deepEqual(others, []);
    for (const name of components) world.page.setComponent(name, "operational");
    await world.clock.advance(2 * POLL);
    assert.match(told(world)[0] ?? "", /^Hedera reports 3 places operational again: .+ \(after 9 min\)/);
  });

  it("is told once for an incident that begins before its component shows it", async () => {
    const world = await polledWorld();
    const id = world.page.beginIncident({
      name: "Slow answers on Mainnet",
      impact: "major",
      body: "Looking.",
      components: { [MIRROR]: "operational" },
    });
    await world.clock.advance(2 * POLL);
    assert.deepEqual(told(world), [
      "Incident at Hedera since 09:00: Slow answers on Mainnet (investigating).",
    ]);
    world.page.updateIncident(id, {
      status: "identified",
      body: "Found.",
      components: { [MIRROR]: "partial_outage" },
    });
    await world.clock.advance(2 * POLL);
    assert.deepEqual(told(world), [], "it is the same trouble");
    world.page.resolveIncident(id);
    await world.clock.advance(2 * POLL);
    assert.deepEqual(told(world), [`${MIRROR} is operational again after 15 min.`]);
  });

  it("tells of a maintenance quietly, when it begins and when it is over", async () => {
    const world = await polledWorld();
    const id = world.page.announceMaintenance({
      name: "Mainnet upgrade to v0.67",
      body: "Expect short interruptions.",
      from: MORNING + 10 * MINUTE,
      until: MORNING + 50 * MINUTE,
      components: [MIRROR],
    });
    await world.clock.advance(3 * POLL);
    assert.deepEqual(told(world), [], "an announcement is shown, not shouted");
    world.page.beginMaintenance(id, "It begins.");
    await world.clock.advance(2 * POLL);
    const [notification] = world.notifications;
    assert.deepEqual([notification?.kind, notification?.level], ["maintenance", "info"]);
    assert.match(told(world)[0] ?? "", /is under maintenance since \d\d:\d\d: Mainnet upgrade to v0\.67\.$/);
    world.page.completeMaintenance(id);
    await world.clock.advance(2 * POLL);
    assert.match(told(world)[0] ?? "", /is operational again after \d+ min\.$/);
  });

  it("is about what is watched: the network in use, or what the user chose", async () => {
    const world = await polledWorld();
    world.page.setComponent("HashScan Testnet", "major_outage");
    await world.clock.advance(2 * POLL);
    assert.deepEqual(told(world), []);
    world.settings = { ...world.settings, networkId: "testnet" };
    world.monitor.settingsChanged();
    await world.clock.advance(2 * POLL);
    assert.deepEqual(told(world), [], "it was so when it came to be watched");
    world.page.setComponent(MIRROR, "major_outage");
    await world.clock.advance(2 * POLL);
    assert.deepEqual(told(world), []);
    world.settings = { ...world.settings, names: ["portal"] };
    world.monitor.settingsChanged();
    await world.clock.advance(POLL);
    world.page.setComponent("Hedera Portal", "major_outage");
    world.page.setComponent("HashScan Testnet", "operational");
    await world.clock.advance(2 * POLL);
    assert.deepEqual(told(world), ["Hedera Portal has a major outage since 09:21."]);
  });

  it("can be switched off", async () => {
    const world = await polledWorld({ settings: { notifications: false } });
    world.page.setComponent(MIRROR, "major_outage");
    await world.clock.advance(HOUR);
    assert.deepEqual(told(world), []);
  });

  it("can be switched off in one window, which keeps it from no other", async () => {
    const storage = memoryStorage();
    const quiet = await polledWorld({ storage, settings: { notifications: false } });
    const other = await polledWorld({ storage, settings: { statusUrl: quiet.page.url } });
    quiet.page.setComponent(MIRROR, "major_outage");
    await quiet.clock.advance(2 * POLL);
    await other.clock.advance(2 * POLL);
    assert.deepEqual(told(quiet), []);
    assert.equal(told(other).length, 1);
  });

  it("makes hostile names harmless", async () => {
    const world = await polledWorld();
    world.page.beginIncident({
      name: "$(error) Mainnet \u202Egnp\nnow [click](command:x)",
      impact: "critical",
      body: "",
      components: {},
    });
    await world.clock.advance(POLL);
    assert.deepEqual(told(world), [
      "Incident at Hedera since 09:00: $ (error) Mainnet \\u{202e}gnp now [click] (command:x) (investigating).",
    ]);
  });
});

describe("What comes and goes", () => {
  /** So many changes to and fro, each seen by two polls; the minutes at which something was told. */
  async function flap(world: StatusWorld, changes: number, status: "partial_outage" | "major_outage") {
    const at: number[] = [];
    for (let change = 0; change < changes; change++) {
      world.page.setComponent(MIRROR, change % 2 === 0 ? status : "operational");
      for (let poll = 0; poll < 2; poll++) {
        await world.clock.advance(POLL);
        if (told(world).length > 0) at.push((world.clock.now() - MORNING) / MINUTE);
      }
    }
    return at;
  }

  for (const status of ["partial_outage", "major_outage"] as const)
    it(`is told with its first end, and then at most once an hour: ${status}`, async () => {
      const world = await polledWorld();
      const [begin, end, ...later] = await flap(world, 80, status);
      assert.ok(begin !== undefined && begin <= 6 && end !== undefined && end <= 12, `${begin} and ${end}`);
      const all = [end, ...later];
      const gaps = all.slice(1).map((minute, index) => minute - (all[index] ?? 0));
      assert.ok(
        gaps.every((gap) => gap >= 60),
        `told at ${all.join(", ")}`,
      );
      assert.ok(later.length >= 5, "eight hours of it do not go by in silence");
    });

  it("is told as it stays, once an hour has passed", async () => {
    const world = await polledWorld();
    await flap(world, 3, "partial_outage");
    await world.clock.advance(50 * MINUTE);
    assert.deepEqual(told(world), []);
    await world.clock.advance(30 * MINUTE);
    assert.deepEqual(told(world), [`${MIRROR} has a partial outage since 09:12.`]);
    world.page.setComponent(MIRROR, "operational");
    await world.clock.advance(30 * MINUTE);
    assert.deepEqual(told(world), []);
    await world.clock.advance(30 * MINUTE);
    assert.deepEqual(told(world), [`${MIRROR} is operational again after 1 h 27 min.`], "and so is its end");
    await world.clock.advance(2 * HOUR);
    world.page.setComponent(MIRROR, "partial_outage");
    await world.clock.advance(2 * POLL);
    assert.equal(told(world).length, 1, "after that it is news again");
    world.page.setComponent(MIRROR, "operational");
    await world.clock.advance(2 * POLL);
    assert.equal(told(world).length, 1);
  });

  it("is told at once where it is worse than all that was told", async () => {
    const world = await polledWorld();
    await flap(world, 4, "partial_outage");
    world.page.setComponent(MIRROR, "major_outage");
    await world.clock.advance(POLL);
    assert.match(told(world).join(), /has a major outage since 09:24/);
  });

  it("is told once an hour of several things together", async () => {
    const world = await polledWorld();
    const names = [MIRROR, "HashScan Mainnet", "Mirror Node gRPC API Public Mainnet"];
    const at: number[] = [];
    for (let change = 0; change < 120; change++) {
      const name = names[change % 3] ?? MIRROR;
      world.page.setComponent(name, change % 2 === 0 ? "partial_outage" : "operational");
      await world.clock.advance(2 * POLL);
      at.push(...told(world).map(() => (world.clock.now() - MORNING) / MINUTE));
    }
    const later = at.filter((minute) => minute > 60);
    const gaps = later.slice(1).map((minute, index) => minute - (later[index] ?? 0));
    assert.ok(later.length >= 5 && gaps.every((gap) => gap >= 60), `told at ${at.join(", ")}`);
  });

  it("is told no more often where two windows look in turn", async () => {
    const storage = memoryStorage();
    const one = await polledWorld({ storage });
    const other = await polledWorld({ storage, settings: { statusUrl: one.page.url } });
    const at: number[] = [];
    for (let change = 0; change < 60; change++) {
      one.page.setComponent(MIRROR, change % 2 === 0 ? "partial_outage" : "operational");
      for (const world of [one, other]) {
        for (let poll = 0; poll < 2; poll++) await world.clock.advance(POLL);
        at.push(...told(world).map(() => (one.clock.now() - MORNING) / MINUTE));
      }
    }
    const hours = (one.clock.now() - MORNING) / HOUR;
    assert.ok(at.length <= hours + 2, `${at.length} in ${hours} h: ${at.join(", ")}`);
  });
});

describe("A mute", () => {
  it("is of all notifications, and nothing is told afterwards of what came in it", async () => {
    const world = await polledWorld();
    world.monitor.memory.mute(1, world.clock.now());
    world.page.setComponent(MIRROR, "major_outage");
    await world.clock.advance(HOUR + POLL);
    assert.deepEqual(told(world), []);
    assert.equal(world.monitor.memory.mutedUntil(world.clock.now()), undefined);
    world.page.setComponent("HashScan Mainnet", "major_outage");
    await world.clock.advance(POLL);
    assert.equal(told(world).length, 1);
  });

  it("survives a restart, and can be ended before its time", async () => {
    const storage = memoryStorage();
    const first = await polledWorld({ storage });
    first.monitor.memory.mute(8, first.clock.now());
    first.monitor.dispose();
    const second = await polledWorld({ storage });
    second.page.setComponent(MIRROR, "major_outage");
    await second.clock.advance(POLL);
    assert.deepEqual(told(second), []);
    second.monitor.memory.mute(0, second.clock.now());
    second.page.setComponent("HashScan Mainnet", "major_outage");
    await second.clock.advance(POLL);
    assert.equal(told(second).length, 1);
  });

  it("of a clock that was set back does not last for ever", async () => {
    const world = await polledWorld();
    world.monitor.memory.mute(24, world.clock.now() + HOUR);
    assert.equal(world.monitor.memory.mutedUntil(world.clock.now()), undefined);
  });

  it("does not fail over a storage that holds something else", async () => {
    for (const value of [5, "x", null, { mutedUntil: "x", told: {} }]) {
      const world = await polledWorld({ storage: { get: () => value, set: () => undefined } });
      world.page.setComponent(MIRROR, "major_outage");
      await world.clock.advance(POLL);
      assert.equal(told(world).length, 1);
    }
  });
});

describe("Two windows", () => {
  it("do not tell the same twice", async () => {
    const storage = memoryStorage();
    const one = await polledWorld({ storage });
    const other = await polledWorld({ storage, settings: { statusUrl: one.page.url } });
    other.monitor.focused = false;
    one.page.setComponent(MIRROR, "partial_outage");
    await one.clock.advance(20 * MINUTE);
    assert.equal(told(one).length, 1);
    one.monitor.focused = false;
    await other.clock.advance(20 * MINUTE);
    other.monitor.focused = true;
    await other.clock.advance(HOUR);
    assert.deepEqual(told(other), []);
    one.page.setComponent(MIRROR, "operational");
    await other.clock.advance(2 * POLL);
    assert.equal(told(other).length, 1, "and each tells what the other did not");
  });
});

describe("Whatever happens on the page", () => {
  it("what is told begins, worsens and ends in this order, for each component", async () => {
    const seeded = random("stories of components");
    const world = await polledWorld();
    const names = [MIRROR, "HashScan Mainnet"] as const;
    const words = ["operational", "degraded_performance", "partial_outage", "major_outage"] as const;
    const open = new Map<string, boolean>();
    for (let poll = 0; poll < 200; poll++) {
      if (seeded.below(3) === 0) world.page.setComponent(seeded.pick(names), seeded.pick(words));
      await world.clock.advance(POLL);
      for (const { kind, keys } of world.notifications.splice(0)) {
        for (const key of keys) {
          if (kind === "recovery") assert.equal(open.get(key), true, "only what was told ends");
          open.set(key, kind !== "recovery");
        }
      }
    }
    for (const name of names) world.page.setComponent(name, "operational");
    // The end of what came and went is told an hour after what was told before.
    await world.clock.advance(3 * HOUR);
    for (const { keys } of world.notifications.splice(0)) for (const key of keys) open.set(key, false);
    assert.deepEqual([...open.values()], [false, false]);
  });
});
