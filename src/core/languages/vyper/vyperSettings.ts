import { isSwitch, isTable, isText, isTexts, type SettingsShape } from "../settingsShape.ts";

/**
 * The settings of Vyper that anything here looks at (vyper/cli/vyper_json.py), and those of solc that are looked at in an
 * input of any language.
 */
export const VYPER_SETTINGS: SettingsShape = {
  compiler: "Vyper",
  checks: {
    evmVersion: (value) => value === null || isText(value),
    optimize: (value) => isText(value) || isSwitch(value),
    enable_decimals: isSwitch,
    experimentalCodegen: isSwitch,
    venomExperimental: isSwitch,
    bytecodeMetadata: isSwitch,
    search_paths: isTexts,
    outputSelection: isTable,
    remappings: isTexts,
    optimizer: isTable,
  },
};
