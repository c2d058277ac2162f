import { ownValue } from "../../json/ownValue.ts";
import type { LooseObject } from "../../json/shape.ts";
import { computedIn } from "../scripts/computed.ts";
import type { UnknownSetting } from "../unknownSettings.ts";
import type { FoundryEnvironment } from "./foundryEnvironment.ts";

/** Settings of standard JSON input, `version` for the compiler, by the names in foundry.toml that decide them. */
const DECIDED: Readonly<Record<string, string>> = {
  solc: "version",
  optimizer: "optimizer",
  optimizer_runs: "optimizer",
  optimizer_details: "optimizer",
  via_ir: "viaIR",
  evm_version: "evmVersion",
  bytecode_hash: "metadata",
  cbor_metadata: "metadata",
  use_literal_content: "metadata",
  revert_strings: "debug",
  libraries: "libraries",
  libs: "remappings",
  remappings: "remappings",
  auto_detect_remappings: "remappings",
};
/** What a profile or another configuration may decide. */
const BY_PROFILE = ["version", "optimizer", "viaIR", "evmVersion"] as const;

/**
 * What variables decide that the `.env` does not define, so that no default may stand for it.
 *
 * @param values the settings, computed ones among them
 */
export function unknownOf(
  values: LooseObject,
  { computed }: FoundryEnvironment,
  { profiles, isChosen }: { readonly profiles: readonly string[]; readonly isChosen: boolean },
): UnknownSetting[] {
  const whole = computed.config ?? (isChosen || profiles.length === 1 ? undefined : computed.profile);
  const place = computed.config ? "config" : "profile";
  const { remappings } = computed;
  return [
    ...(whole ? BY_PROFILE.flatMap((setting) => unknownSetting(setting, whole, place)) : []),
    ...Object.entries({ ...values, ...(remappings && { remappings }) }).flatMap(([name, value]) => {
      const setting = ownValue(DECIDED, name);
      return setting === undefined ? [] : unknownSetting(setting, value, name);
    }),
  ];
}

function unknownSetting(setting: string, value: unknown, place: string): UnknownSetting[] {
  return computedIn(value, place).map((one) => ({ setting, ...one }));
}
