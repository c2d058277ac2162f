import { targetEvmVersion } from "../languages/codeRules.ts";
import { revertStringsOf, solcCode } from "../languages/solidity/solcCode.ts";
import type { AnalysedCode } from "../matching/codeTraits.ts";
import type { CompilerMetadata, MetadataSettings } from "../matching/compilerMetadata.ts";
import type { SettingChanges } from "../matching/explanation.ts";
import type { Submittable } from "../matching/resubmission.ts";
import { possibleEvmVersions } from "./deployedFacts.ts";

/** Settings that may leave no trace in a code. */
export interface UntracedSettings {
  readonly evmVersion: string;
  readonly revertStrings: string;
  /** As changes of a submission. */
  readonly changes: SettingChanges;
}

/** The settings that may have been others though the code is the same: those of the submission first. */
export function untracedWays(
  { compilerVersion, stdJsonInput: { settings } }: Submittable,
  deployed: AnalysedCode,
  own: CompilerMetadata,
): UntracedSettings[] {
  const evmVersion = targetEvmVersion(settings, solcCode, compilerVersion);
  const evmVersions = [
    evmVersion,
    ...possibleEvmVersions(deployed, compilerVersion).filter((one) => one !== evmVersion),
  ];
  return (own.settings.evmVersion === undefined ? [evmVersion] : evmVersions).flatMap((target) =>
    revertStringsOf(compilerVersion).map((revertStrings) => ({
      evmVersion: target,
      revertStrings,
      changes: {
        evmVersion: target,
        debug: revertStrings === "default" ? null : { revertStrings },
      },
    })),
  );
}

/** The settings of metadata with others that leave no trace; as they are without. */
export function untracedMetadata(
  { debug: ownDebug, ...settings }: MetadataSettings,
  way: UntracedSettings | undefined,
): MetadataSettings {
  const debug = !way
    ? ownDebug
    : way.revertStrings === "default"
      ? undefined
      : { revertStrings: way.revertStrings };
  return {
    ...settings,
    ...(way && settings.evmVersion !== undefined && { evmVersion: way.evmVersion }),
    ...(debug !== undefined && { debug }),
  };
}
