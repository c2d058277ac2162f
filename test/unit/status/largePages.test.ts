import { atOnce } from "../../../src/core/concurrency/turns.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { NotificationMemory } from "../../../src/core/status/notificationMemory.ts";
import { explainByStatus } from "../../../src/core/status/statusExplanation.ts";
import { StatusNotifications } from "../../../src/core/status/statusNotifications.ts";
import { statusProblems } from "../../../src/core/status/statusProblems.ts";
import { statusRows } from "../../../src/core/status/statusRows.ts";
import { readStatusSummaryInPieces, type StatusSummary } from "../../../src/core/status/statusSummary.ts";
import { stateWith } from "./stateWith.ts";
import { piecesOf } from "../../rig/turnsOf.ts";
import { watchedComponents } from "../../../src/core/status/statusWatch.ts";

const SIZES = [2_000, 8_000] as const;
/** Linear is 4, with the square 16. */
const MAX_GROWTH = 10;
/** Below, a reader is quick enough for any shape of growth: with the square it would take longer than that. */
const FLOOR_MS = 60;
const TRIES = 3;
const NOW = 1_700_000_000_000;

/** A page on which everything has an incident of its own. */
function page(size: number, status: string): StatusSummary {
  return atOnce(
    readStatusSummaryInPieces(
      {
        components: Array.from({ length: size }, (_, at) => ({ id: `c${at}`, name: `Part ${at}`, status })),
        incidents: Array.from({ length: size }, (_, at) => ({
          id: `i${at}`,
          name: `Incident ${at}`,
          status: "investigating",
          impact: "minor",
          components: [{ id: `c${at}`, name: `Part ${at}`, status }],
        })),
      },
      "The status page",
    ),
  );
}

/** Everything that a new summary goes through: what is wrong, what is told, what explains an error. */
function lookAt(summary: StatusSummary): void {
  const watch = watchedComponents(summary, { names: [], networkId: "testnet" });
  assert.ok(statusProblems(summary, watch).length > 0);
  let stored: unknown;
  const notifications = new StatusNotifications(
    new NotificationMemory({ get: () => stored, set: (value) => (stored = value) }),
  );
  const before: StatusSummary = { ...summary, components: [], incidents: [] };
  for (const [at, one] of [before, summary, summary, before, before].entries())
    notifications.observe(one, {
      now: NOW + at * 60_000,
      watch,
      timeZone: "UTC",
      lookEveryMs: 60_000,
      isByHand: false,
      isWanted: true,
    });
  explainByStatus("ledger", "testnet", { summary, confirmedAt: NOW }, { now: NOW });
}

/** Milliseconds of the processor that this thread took at least. */
function leastCost(summary: StatusSummary): number {
  const costs = Array.from({ length: TRIES }, () => {
    const before = process.threadCpuUsage();
    lookAt(summary);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...costs);
}

for (const status of ["operational", "major_outage"])
  it(`Four times the parts and incidents of a page take about four times the time: ${status}`, () => {
    const [few, many] = SIZES.map((size) => leastCost(page(size, status)));
    assert.ok(few !== undefined && many !== undefined);
    assert.ok(
      many < MAX_GROWTH * Math.max(few, FLOOR_MS / 2),
      `${SIZES.join(" and ")} take ${few.toFixed(1)} and ${many.toFixed(1)} ms`,
    );
  });

it("A page of far too many parts is read in pieces, bounded, and says what is left out", () => {
  const text = {
    components: Array.from({ length: 20_000 }, (_, at) => ({ id: `c${at}`, status: "operational" })),
    incidents: Array.from({ length: 1_000 }, (_, at) => ({
      id: `i${at}`,
      status: "investigating",
      incident_updates: Array.from({ length: at === 3 ? 5_000 : 1 }, () => ({ body: "a" })),
    })),
  };
  const summary = atOnce(readStatusSummaryInPieces(text, "The status page"));
  assert.deepEqual(summary.left_out, { components: 18_000, incidents: 800 });
  assert.deepEqual([summary.components.length, summary.incidents.length], [2_000, 200]);
  assert.ok(summary.incidents.every(({ incident_updates: updates }) => updates.length <= 200));
  assert.ok(piecesOf(readStatusSummaryInPieces(text, "The page")) >= 20_000 / 128);
  const state = stateWith(summary, NOW);
  const row = statusRows(state, { names: [], networkId: "testnet" }, { now: NOW }).find(
    ({ id }) => id === "left out",
  );
  assert.equal(row?.description, "18,000 components, 800 incidents more");
  assert.equal(
    atOnce(readStatusSummaryInPieces({ components: [{ id: "a", status: "operational" }] }, "The status page"))
      .left_out,
    undefined,
  );
});
