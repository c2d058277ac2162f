import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readRecordElsewhere } from "../../../src/core/compilerInput/recordThread.ts";
import { collectSkipped, formedOrNoted, skippedFiles } from "../../../src/core/files/skippedFiles.ts";
import { readText } from "../../../src/core/json/dataFile.ts";
import { matching, type Misfit, numberFrom, object, oneOf } from "../../../src/core/json/shape.ts";
import { readRemappingsFile } from "../../../src/core/languages/solidity/remappingsFile.ts";
import { failureOf } from "../../../src/core/ledger/actions/actionFailure.ts";
import {
  parseLedgerReference,
  type ReferenceKind,
} from "../../../src/core/ledger/references/ledgerReference.ts";
import { publicNetwork } from "../../../src/core/ledger/references/network.ts";
import { readSchedule } from "../../../src/core/ledger/schedules/schedule.ts";
import { stateText } from "../../../src/core/ledger/schedules/scheduleRows.ts";
import { t } from "@vscode/l10n";
import { memoryFiles } from "../files/memoryFiles.ts";
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
          "abgelaufen vor 1 h",
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

  it("what is of another kind than the wanted one has its own article", () =>
    inGerman(() => {
      const said = (text: string, wanted: ReferenceKind) => {
        const read = parseLedgerReference(text, TESTNET, wanted);
        return "error" in read ? read.error : assert.fail(read.canonical);
      };
      const link = (kind: string) => `https://hashscan.io/testnet/${kind}/0.0.5`;
      assert.deepEqual(
        [
          said(link("token"), "schedule"),
          said(link("schedule"), "token"),
          said(link("contract"), "token"),
          said("0.0.5-1640084590-665216882", "account"),
          said("0.0.5", "transaction"),
          said("https://hashscan.io/testnet/schedule/0.0.5-1640084590-665216882", "schedule"),
        ],
        [
          "0.0.5 ist ein Token und keine geplante Transaktion: Geben Sie die ID einer geplanten Transaktion wie 0.0.1234 an.",
          "0.0.5 ist eine geplante Transaktion und kein Token: Geben Sie die ID eines Tokens wie 0.0.1234 an.",
          "0.0.5 ist ein Vertrag und kein Token: Geben Sie die ID eines Tokens wie 0.0.1234 an.",
          "0.0.5-1640084590-665216882 ist eine Transaktion und kein Konto: Geben Sie die ID eines Kontos wie 0.0.1234 an.",
          "0.0.5 ist die ID einer Entität und keine Transaktion: Geben Sie die ID, den Hash oder den Konsens-Zeitstempel einer Transaktion an.",
          "Der Link nennt eine geplante Transaktion, aber 0.0.5-1640084590-665216882 bezeichnet eine andere Transaktion.",
        ],
      );
    }));

  it("what a call failed with is said without an English verb", () =>
    inGerman(() => {
      const text = (result_data_type: string, result_data: string) =>
        failureOf({ result_data_type, result_data })?.text;
      assert.deepEqual(
        [text("REVERT_REASON", "0x01ff"), text("REVERT_REASON", "no hex"), text("ERROR", "no hex")],
        ["zurückgesetzt mit 2 Bytes Daten: 0x01ff", 'zurückgesetzt: "no hex"', 'fehlgeschlagen: "no hex"'],
      );
    }));

  it("why a file was left out, and which part of one, is German", () =>
    inGerman(async () => {
      const files = memoryFiles({
        "/w/notes.txt": new Uint8Array([0xff, 0xfe]),
        "/w/remappings.txt": "@a/=lib/a/\nno remapping\n",
        "/w/moccasin.toml": "",
      });
      collectSkipped(files);
      await readText(files, "/w/notes.txt");
      await readRemappingsFile(files, "/w/remappings.txt");
      formedOrNoted(files, "/w/moccasin.toml", "project.src", 7, () => undefined);
      assert.deepEqual(
        skippedFiles(files).map(({ reason, place }) => place ?? reason),
        ["ist kein UTF-8-Text", "Zeile 2", "project.src"],
      );
      assert.equal(skippedFiles(files)[2]?.reason, "hat keine lesbare Form");
    }));

  it("what another thread says of a file is German", () =>
    inGerman(async () => {
      const bytes = new TextEncoder().encode(`{"input": ${" ".repeat(1_000_000)}`);
      assert.deepEqual(await readRecordElsewhere({ bytes, path: "/w/build.json" }), {
        reason: "ist kein gültiges JSON",
      });
    }));
});
