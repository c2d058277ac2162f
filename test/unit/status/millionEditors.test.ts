import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../random.ts";
import {
  MINUTE,
  requestsOf,
  simulatedDay,
  simulatedFixedDay,
  USE_OF_A_DAY,
  type Habit,
} from "./millionEditors.ts";

const EDITORS = proofSize({ sample: 300, whole: 2_000 });
/** Of the requests of a timer that fires every five minutes in every open window. */
const MAX_SHARE = 1 / 5;
const TOLD_WITHIN_MS = 5 * MINUTE;

const HABITS: readonly Habit[] = [
  { name: "one window", windows: 1, sittings: USE_OF_A_DAY },
  { name: "two windows", windows: 2, glanceMs: 8 * MINUTE, sittings: USE_OF_A_DAY },
];

describe("A million editors and one status page", () => {
  for (const habit of HABITS)
    for (const status of ["major_outage", "partial_outage"] as const)
      it(`cost it a fifth of a plain five-minute poll, and who waits for a job learns of its ${status.replace("_", " ")} in five minutes: ${habit.name}`, async () => {
        const seeded = random(`a million editors with ${habit.name}`);
        const { load, toldAfter, untold } = await simulatedDay(habit, {
          editors: EDITORS,
          pollSeconds: 180,
          status,
          seeded,
        });
        const share = requestsOf(load) / requestsOf(simulatedFixedDay(habit, EDITORS, seeded));
        const latest = Math.max(...toldAfter);
        console.log(
          `${habit.name}, ${EDITORS} editors simulated: ${(share * 100).toFixed(1)} % of the requests of a fixed poll; ${toldAfter.length} waited for a job in the outage, told after ${(latest / 1000).toFixed(0)} s at the latest`,
        );
        assert.ok(share > 0.02, "somebody asks at all");
        assert.ok(share <= MAX_SHARE, `${(share * 100).toFixed(1)} %`);
        assert.ok(toldAfter.length >= 3, `only ${toldAfter.length} waited`);
        assert.equal(untold, 0);
        assert.ok(latest <= TOLD_WITHIN_MS, `told after ${latest / 1000} s`);
      });
});
