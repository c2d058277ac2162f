import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readRecordElsewhere } from "../../../src/core/compilerInput/recordThread.ts";
import { matching, type Misfit, numberFrom, object, oneOf } from "../../../src/core/json/shape.ts";
import { publicNetwork } from "../../../src/core/ledger/references/network.ts";
import { readSchedule } from "../../../src/core/ledger/schedules/schedule.ts";
import { stateText } from "../../../src/core/ledger/schedules/scheduleRows.ts";
import { t } from "@vscode/l10n";
import { inGerman } from "../inGerman.ts";

const TESTNET = publicNetwork("testnet") ?? assert.fail();
const NOW = Date.UTC(2026, 10, 22, 12);

describe("In German", () => {
  it("the states of a schedule are German", () => {
    const seconds = (later: number) => `${NOW / 1000 + later}.000000000`;
    const text = (changes: Readonly<Record<string, unknown>>) =>
      stateText(
        readSchedule({ schedule_id: "0.0.700", consensus_timestamp: seconds(-60), ...changes }, TESTNET),
        NOW,
      );
    return inGerman(() =>
      assert.deepEqual(
        [
          text({ consensus_timestamp: seconds(-4 * 60) }),
          text({ expiration_time: seconds(300), wait_for_expiry: true }),
          text({ expiration_time: seconds(-30) }),
          text({ expiration_time: seconds(-3_600) }),
          text({ deleted: true }),
          text({ executed_timestamp: seconds(-1) }),
        ],
        [
          "ausstehend, läuft in 26 min ab",
          "ausstehend, wird in 5 min ausgeführt",
          "ausstehend, läuft jetzt ab",
          "abgelaufen",
          "gelöscht",
          "ausgeführt",
        ],
      ),
    );
  });

  it("what an answer should have been is German, also where its shape was made before", () => {
    const shape = object({
      id: matching(/^\d+$/, () => t`an integer`),
      match: oneOf("exact_match", "match"),
      gas: numberFrom(0, 10),
    });
    return inGerman(() =>
      assert.deepEqual(
        [7, {}, { id: "1" }, { id: "1", match: "match", gas: 11 }].map((value) =>
          (shape(value) as Misfit).toString(),
        ),
        [
          "erwartet: ein Objekt",
          "id: erwartet: eine Ganzzahl",
          "match: erwartet: eines von exact_match, match",
          "gas: erwartet: eine Zahl von 0 bis 10",
        ],
      ),
    );
  });

  it("what another thread says of a file is German", () =>
    inGerman(async () => {
      const bytes = new TextEncoder().encode(`{"input": ${" ".repeat(1_000_000)}`);
      assert.deepEqual(await readRecordElsewhere({ bytes, path: "/w/build.json" }), {
        reason: "ist kein gültiges JSON",
      });
    }));
});
