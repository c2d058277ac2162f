import { asRecord } from "../json/looseData.ts";
import type { ResubmitChanges, SettingChanges } from "../matching/explanation.ts";
import type { Submittable } from "../matching/resubmission.ts";

/** The settings of a submission one by one, as changes that put them back: those first that the fewest projects set. */
export function restorations({ stdJsonInput: { settings } }: Submittable): ResubmitChanges[] {
  const { optimizer, evmVersion } = settings;
  const debug = asRecord(settings["debug"]);
  const details = asRecord(optimizer?.["details"]);
  const changes: SettingChanges[] = [
    { optimizer: { details: (details as SettingChanges | undefined) ?? null } },
    { debug: (debug as SettingChanges | undefined) ?? null },
    { evmVersion: evmVersion ?? null },
    { viaIR: settings["viaIR"] === true ? true : null },
    { optimizer: { runs: optimizer?.runs ?? null } },
    { optimizer: { enabled: optimizer?.enabled === true, runs: optimizer?.runs ?? null } },
  ];
  return changes.map((one) => ({ settings: one }));
}
