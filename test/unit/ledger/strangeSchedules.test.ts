import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Schedule, ScheduleState } from "../../../src/core/ledger/schedules/schedule.ts";
import { scheduleRow } from "../../../src/core/ledger/schedules/scheduleRows.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random, type Random } from "../random.ts";
import { NOW } from "./loopbackLedger.ts";
import { strangeSchedule, strangeSchedules } from "./strangeLedger.ts";
import { serviceOf, assertNoDigitLost, assertDrawable, assertDistinct, find } from "./strangeChecks.ts";

/** The state by the server's rule, written again from its description. */
function stateOf(record: Readonly<Record<string, unknown>>): ScheduleState | undefined {
  const {
    executed_timestamp: executed,
    deleted,
    expiration_time: expiration,
    consensus_timestamp: created,
  } = record;
  const isGiven = (value: unknown) => value !== null && value !== undefined && value !== "";
  const isTime = (value: unknown): value is string =>
    typeof value === "string" && /^\d{1,10}\.\d{1,9}$/.test(value);
  if (isTime(executed)) return "executed";
  if (isGiven(executed)) return undefined;
  if (deleted === true) return "deleted";
  const end = isGiven(expiration) ? expiration : created;
  if (!isTime(end)) return undefined;
  const [seconds = "", fraction = ""] = end.split(".");
  const milliseconds = Number(seconds) * 1000 + Number(fraction.padEnd(9, "0")) / 1e6;
  return NOW >= milliseconds + (end === expiration ? 60_000 : 31 * 60_000) ? "expired" : "pending";
}

function checkSchedule(source: Random, schedule: Schedule, state: ScheduleState): void {
  const expected = stateOf(schedule.record);
  if (expected !== undefined) assert.equal(state, expected);
  const result = source.pick([
    undefined,
    { result: "SUCCESS" },
    { result: "\u202e$(pass)", transactionId: "\u0007[x](command:y)" },
  ]);
  const row = scheduleRow(schedule, NOW, result && { result });
  assertDrawable(row);
  assert.equal(row.context, `schedule.${state}`);
  assert.ok(row.description?.startsWith(state), row.description);
  const signatures = find(row, "signatures");
  assert.equal(signatures.children?.length ?? 0, schedule.signatures?.length ?? 0);
  assert.equal(signatures.description === "not in the answer", schedule.signatures === undefined);
  const { transaction_body: body } = schedule.record;
  const hex =
    typeof body === "string" && /^[\w+/]*=*$/.test(body)
      ? Buffer.from(body, "base64").toString("hex")
      : undefined;
  if (hex !== undefined && schedule.bodyHex === hex) assert.equal(find(row, "body").copyText, `0x${hex}`);
  for (const { amount } of schedule.body?.transfers ?? []) assert.match(amount, /^-?\d+$/);
}

const BODIES = proofSize({ sample: 75, whole: 5_000 });

describe(`${BODIES.toLocaleString("en-US")} strange schedules, one by one and ${BODIES.toLocaleString("en-US")} lists of them`, () => {
  it("lose no digit and have the state that the server gives them", async () => {
    const source = random("strange schedules");
    for (let round = 0; round < BODIES; round++) {
      const strange = strangeSchedule(source);
      // Of another schedule it would be no answer.
      const answer = strange.text.replace(/("schedule_id":\s*)"\d+\.\d+\.\d+"/g, '$1"0.0.77"');
      const body = { ...strange, text: answer };
      const service = serviceOf(() => body.text);
      const { schedule, state, text } = await service.schedule("0.0.77");
      assert.equal(text, body.text);
      assert.equal(schedule.scheduleId, "0.0.77");
      assertNoDigitLost(body.integers, schedule.record);
      checkSchedule(source, schedule, state);
    }
  });

  it("are listed without losing one", async () => {
    const source = random("strange lists of schedules");
    for (let round = 0; round < BODIES; round++) {
      const body = strangeSchedules(source);
      const service = serviceOf(() => body.text);
      const list = await service.schedules();
      assertNoDigitLost(body.integers, list.toRecord().schedules);
      const { schedules } = list;
      for (const schedule of schedules) checkSchedule(source, schedule, service.stateOf(schedule));
      assertDistinct(schedules.map((schedule) => scheduleRow(schedule, NOW)));
      const ids = list.pages.items.map(({ schedule_id: id }) => id);
      for (const id of ids)
        if (typeof id === "string" && id !== "")
          assert.ok(schedules.some(({ scheduleId }) => scheduleId === id));
    }
  });
});
