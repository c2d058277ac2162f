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
/** Of these, those that may be asked for: the remappings are what the sources are found by, which no answer replaces. */
const ASKED_OF_A_FILE = new Set(Object.values(DECIDED).filter((setting) => setting !== "remappings"));

/**
 * What is not known of the settings, so that no default may stand for it: what variables decide that the `.env` does not
 * define, and what a file that it names does that can't be read. A profile that they choose decides what the profiles do not
 * have in common, and a configuration everything.
 *
 * @param values the settings, computed ones among them
 * @param ofProfiles the settings of each profile that the variable may choose, unless these are too many
 */
export function unknownOf(
  values: LooseObject,
  { remappings, config, profile }: FoundryEnvironment["computed"],
  ofProfiles: readonly LooseObject[] | undefined,
): UnknownSetting[] {
  const differing = [...ASKED_OF_A_FILE].filter((setting) => !ofProfiles || differs(setting, ofProfiles));
  return [
    ...(config ? [...ASKED_OF_A_FILE].flatMap((setting) => unknownSetting(setting, config, "config")) : []),
    ...(profile && !config
      ? differing.flatMap((setting) => unknownSetting(setting, profile, "profile"))
      : []),
    ...Object.entries({ ...values, ...(remappings && { remappings }) }).flatMap(([name, value]) => {
      const setting = ownValue(DECIDED, name);
      return setting === undefined ? [] : unknownSetting(setting, value, name);
    }),
  ];
}

/** Whether some settings come to more than one value of what standard JSON input knows by one name. */
function differs(setting: string, some: readonly LooseObject[]): boolean {
  const names = Object.entries(DECIDED).flatMap(([name, one]) => (one === setting ? [name] : []));
  const written = some.map((one) => JSON.stringify(names.map((name) => ownValue(one, name) ?? null)));
  return new Set(written).size > 1;
}

function unknownSetting(setting: string, value: unknown, place: string): UnknownSetting[] {
  return computedIn(value, place).map((one) => ({ setting, ...one }));
}
