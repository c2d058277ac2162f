import { supportedEvmVersion } from "../evm/evmVersion.ts";
import { fieldAt } from "../json/looseData.ts";
import { SOLC_SINCE } from "../languages/solidity/solcCode.ts";
import type { SettingChanges } from "../matching/explanation.ts";
import { withChanges, type Submittable } from "../matching/resubmission.ts";
import { atLeast } from "../versions.ts";

/** Members of settings by the first release of solc that takes them, each as the change that takes it out. */
const SETTINGS_SINCE: readonly (readonly [since: string, path: readonly string[], out: SettingChanges])[] = [
  [SOLC_SINCE.optimizerDetails, ["optimizer", "details"], { optimizer: { details: null } }],
  [SOLC_SINCE.bytecodeHash, ["metadata", "bytecodeHash"], { metadata: { bytecodeHash: null } }],
  [SOLC_SINCE.revertStrings, ["debug"], { debug: null }],
  [SOLC_SINCE.viaIR, ["viaIR"], { viaIR: null }],
  [SOLC_SINCE.appendCBOR, ["metadata", "appendCBOR"], { metadata: { appendCBOR: null } }],
  [SOLC_SINCE.experimental, ["experimental"], { experimental: null }],
];

/** A submission without the settings that its release does not take, and refuses; the rest stays as it is. */
export function withTakenSettings(submission: Submittable): Submittable {
  const { compilerVersion } = submission;
  let taken = submission;
  for (const [since, path, settings] of SETTINGS_SINCE)
    if (!atLeast(compilerVersion, since) && fieldAt(taken.stdJsonInput.settings, ...path) !== undefined)
      taken = withChanges(taken, { settings });
  const { evmVersion } = taken.stdJsonInput.settings;
  if (evmVersion === undefined) return taken;
  const supported = supportedEvmVersion(evmVersion, compilerVersion);
  return supported === evmVersion
    ? taken
    : withChanges(taken, { settings: { evmVersion: supported ?? null } });
}
